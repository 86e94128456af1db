/* <haggis-account-security>: password, second factor, sessions and deletion of a registered account. */

import { get, post, remove } from "../lib/api.js";
import { codeField, FormView, field, problemAlert } from "../lib/forms.js";
import { withPassword } from "../lib/reauthentication.js";
import { clearSession, me, onSessionChange } from "../lib/session.js";
import { h } from "../lib/vdom.js";

const formatTime = (time) =>
  new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
const inGroups = (key) => key.match(/.{1,4}/g).join(" ");

class AccountSecurity extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
  }

  async load() {
    if (me()?.kind !== "human") {
      this.update({ factor: null, sessions: null });
      return;
    }
    try {
      const [factor, sessions] = await Promise.all([get("/me/second-factor"), get("/me/sessions?limit=50")]);
      this.update({ factor, sessions: sessions.results });
    } catch (problem) {
      this.update({ problem });
    }
  }

  /** Return a click or submit handler that runs an action and loads the lists again. */
  run = (action, done) =>
    this.submit(async (values) => {
      await action(values);
      await this.load();
    }, done);

  view() {
    const { factor, sessions, problem, done } = this.state;
    if (!factor) return problemAlert(problem);
    return [
      problemAlert(problem),
      done ? h("p", { class: "done", role: "status", key: "done" }, done) : null,
      this.passwordForm(),
      this.secondFactorPanel(factor),
      this.sessionsPanel(sessions),
      this.deletionForm(),
    ];
  }

  passwordForm() {
    const change = ({ current_password, changed_password: password }) =>
      withPassword(() => post("/me/password", { current_password, password }), current_password);
    return h(
      "form",
      { class: "panel", key: "password", onsubmit: this.run(change, "Your password has been changed.") },
      h("h2", null, "Password"),
      h("p", { class: "quiet" }, "Changing it logs you out on all other devices."),
      field("current_password", "Current password", { type: "password", autocomplete: "current-password" }),
      field("changed_password", "New password", { type: "password", autocomplete: "new-password" }),
      h("button", { class: "main" }, "Change password"),
    );
  }

  secondFactorPanel(factor) {
    const { enrolment, recoveryCodes } = this.state;
    if (recoveryCodes) return this.recoveryCodesPanel(recoveryCodes);
    if (enrolment) return this.enrolmentForm(enrolment);
    if (factor.enabled)
      return h(
        "form",
        {
          class: "panel",
          key: "second-factor",
          onsubmit: this.run(
            () => withPassword(() => remove("/me/second-factor")),
            "The second factor has been removed.",
          ),
        },
        h("h2", null, "Second factor"),
        h(
          "p",
          { class: "quiet" },
          `Logging in needs a code of your authenticator app. ${factor.recovery_codes_left} recovery codes are left.`,
        ),
        h("button", null, "Remove second factor"),
      );
    return h(
      "form",
      {
        class: "panel",
        key: "second-factor",
        onsubmit: this.submit(async () => {
          this.update({ enrolment: await withPassword(() => post("/me/second-factor")) });
        }, null),
      },
      h("h2", null, "Second factor"),
      h(
        "p",
        { class: "quiet" },
        "With a second factor, nobody can log in with your password alone: a code of an app on your phone is needed too.",
      ),
      h("button", null, "Set up second factor"),
    );
  }

  enrolmentForm({ secret, uri }) {
    return h(
      "form",
      {
        class: "panel",
        key: "enrolment",
        onsubmit: this.run(async ({ new_code: code }) => {
          const { recovery_codes } = await withPassword(() => post("/me/second-factor", { code }));
          this.update({ recoveryCodes: recovery_codes, enrolment: null });
        }, "The second factor has been set up."),
      },
      h("h2", null, "Set up the second factor"),
      h(
        "p",
        null,
        "Add this key to an authenticator app (time-based, 6 digits), or ",
        h("a", { href: uri }, "open the app on this device"),
        ":",
      ),
      h("p", { class: "secret-key" }, h("code", null, inGroups(secret))),
      codeField("new_code", "Code that the app shows"),
      h("button", { class: "main" }, "Confirm"),
      h("button", { type: "button", onclick: () => this.update({ enrolment: null }) }, "Cancel"),
    );
  }

  recoveryCodesPanel(codes) {
    return h(
      "section",
      { class: "panel", key: "recovery-codes" },
      h("h2", null, "Recovery codes"),
      h(
        "p",
        null,
        "Keep these codes in a safe place, away from your phone. Each lets you log in once without the app. They are not shown again.",
      ),
      h(
        "ul",
        { class: "recovery-codes" },
        codes.map((code) => h("li", { key: code }, h("code", null, code))),
      ),
      h(
        "button",
        { type: "button", class: "main", onclick: () => this.update({ recoveryCodes: null, done: null }) },
        "I have saved them",
      ),
    );
  }

  sessionsPanel(sessions) {
    return h(
      "section",
      { class: "panel", key: "sessions" },
      h("h2", null, "Where you are logged in"),
      h(
        "ul",
        { class: "devices" },
        sessions.map((session) => this.sessionItem(session)),
      ),
      sessions.length > 1
        ? h(
            "form",
            { onsubmit: this.run(() => remove("/me/sessions"), "You are logged out on all other devices.") },
            h("button", null, "Log out everywhere else"),
          )
        : null,
    );
  }

  sessionItem(session) {
    const name = session.device || "Unknown device";
    return h(
      "li",
      { key: session.id },
      h("span", null, `${name}, last used ${formatTime(session.last_used)}`),
      session.current
        ? h("strong", null, "This device")
        : h(
            "form",
            { onsubmit: this.run(() => remove(`/me/sessions/${session.id}`), `${name} is logged out.`) },
            h("button", { "aria-label": `Log out ${name}` }, "Log out"),
          ),
    );
  }

  deletionForm() {
    const deleteAccount = async ({ deleted_username: name }) => {
      if (name.toLowerCase() !== me().username.toLowerCase()) throw new Error("This is not your username.");
      await withPassword(() => remove("/me"));
      clearSession();
    };
    return h(
      "form",
      {
        class: "panel",
        key: "deletion",
        onsubmit: this.submit(deleteAccount, "Your account has been deleted."),
      },
      h("h2", null, "Delete account"),
      h(
        "p",
        { class: "quiet" },
        "Your account and your bots are deleted for good, and your running matches are resigned. Finished matches stay under a random name.",
      ),
      field("deleted_username", "Type your username to confirm", { autocomplete: "off" }),
      h("button", null, "Delete account"),
    );
  }
}

customElements.define("haggis-account-security", AccountSecurity);
