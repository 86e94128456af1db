/* <haggis-session-ended>: says that the session of this browser has ended and why, and offers to log in again. */

import { logIn, startAsGuest } from "../lib/auth.js";
import { modalDialog, openDialogs } from "../lib/dialog.js";
import { FormView, problemAlert } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { endedSession, onSessionChange, token } from "../lib/session.js";
import { h } from "../lib/vdom.js";

let openPrompt = null;

/** Show the dialog, once at a time. Resolves to whether somebody is logged in when it closes. */
export function showLogInPrompt() {
  openPrompt ??= new Promise((resolve) => {
    const prompt = document.createElement("haggis-session-ended");
    prompt.resolve = resolve;
    document.body.append(prompt);
  }).finally(() => {
    openPrompt = null;
  });
  return openPrompt;
}

class SessionEnded extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.finish());
  }

  disconnected() {
    this.unsubscribe();
  }

  afterRender() {
    openDialogs(this);
  }

  /** Close the dialog, which returns the focus to where it was. */
  finish() {
    if (!this.isConnected) return;
    this.resolve(Boolean(token()));
    this.querySelector("dialog")?.close();
    this.remove();
  }

  view() {
    const { player, code, detail } = endedSession() ?? {};
    const isGuest = player?.kind === "guest";
    return modalDialog(
      { key: "ended", title: t("You are logged out"), onclose: () => this.finish() },
      code && code !== "not_authenticated"
        ? h("p", { key: "reason", class: "problem" }, detail)
        : h("p", { key: "reason" }, reason(player, isGuest)),
      problemAlert(this.state.problem),
      isGuest ? null : this.logInForm(player),
      h(
        "div",
        { class: "choices", key: "choices" },
        isGuest ? h("a", { class: "button", href: "/account" }, t("Log in to an account")) : null,
        h(
          "button",
          { type: "button", class: isGuest ? "main" : "", onclick: this.submit(() => startAsGuest()) },
          t("Play as a new guest"),
        ),
        h("button", { type: "button", class: "plain", onclick: () => this.finish() }, t("Not now")),
      ),
    );
  }

  logInForm(player) {
    return h(
      "form",
      {
        key: "form",
        onsubmit: this.submit(({ ended_username: username, ended_password: password, ended_code: code }) =>
          logIn(username, password, code),
        ),
      },
      this.field("ended_username", t("Username"), {
        value: this.state.username ?? player?.username ?? "",
        autocomplete: "username",
        pointer: "/username",
        oninput: (event) => this.update({ username: event.target.value }),
      }),
      this.field("ended_password", t("Password"), {
        type: "password",
        autocomplete: "current-password",
        autofocus: true,
        pointer: "/password",
      }),
      this.state.needsCode ? this.codeField("ended_code") : null,
      h("button", { class: "main", disabled: this.state.busy }, t("Log in")),
      " ",
      h("a", { href: "/reset-password" }, t("Forgot your password?")),
    );
  }
}

function reason(player, isGuest) {
  const name = player?.display_name || player?.username || "";
  if (isGuest)
    return t(
      "This browser can no longer open the guest account {name}. It has expired, was ended, or was blocked by a moderator. Your matches stay as they are, but a guest account cannot be opened again.",
      { name },
    );
  return t(
    "The log-in of {name} in this browser has expired or was ended, for example by a change of the password. Log in again to continue where you were.",
    { name },
  );
}

customElements.define("haggis-session-ended", SessionEnded);
