/* <haggis-notices>: shows messages of the operators to the player until they are acknowledged, and a suspension. */

import { get, Problem, post } from "../lib/api.js";
import { modalDialog, openDialogs } from "../lib/dialog.js";
import { FormView, problemAlert } from "../lib/forms.js";
import { msg, t } from "../lib/i18n.js";
import { token } from "../lib/session.js";
import { h } from "../lib/vdom.js";

const STORAGE_KEY = "haggis.notices-checked";
const CHECK_INTERVAL_MS = 5 * 60_000;
const TITLES = {
  warning: msg("A warning from the operators"),
  renamed: msg("Your name was changed"),
  suspension: msg("Your account was suspended"),
};

/** Look for messages, at most every five minutes in a tab, and show them. */
export async function checkNotices() {
  const checkedAt = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
  if (!token() || Date.now() - checkedAt < CHECK_INTERVAL_MS) return;
  try {
    const { notices } = await get("/me");
    sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
    if (notices?.length) show({ notices });
  } catch (error) {
    if (error instanceof Problem && error.code === "account_suspended") show({ suspension: error.message });
  }
}

function show(content) {
  const element = document.createElement("haggis-notices");
  Object.assign(element.state, content);
  document.body.append(element);
}

class AccountNotices extends FormView {
  state = { notices: [], suspension: "" };

  afterRender() {
    openDialogs(this);
  }

  view() {
    const { notices, suspension } = this.state;
    if (suspension) return this.suspensionDialog(suspension);
    return notices.length ? this.noticeDialog(notices[0]) : null;
  }

  suspensionDialog(text) {
    return modalDialog(
      { key: "suspension", title: t("Your account is suspended"), onclose: () => this.remove() },
      h("p", { class: "notice-text" }, text),
      h("form", { method: "dialog", class: "choices" }, h("button", { class: "main" }, t("Close"))),
    );
  }

  noticeDialog(notice) {
    return modalDialog(
      { key: notice.id, title: t(TITLES[notice.kind] ?? "Your account"), onclose: () => this.remove() },
      h("p", { class: "notice-text" }, notice.text),
      problemAlert(this.state.problem),
      h(
        "form",
        { class: "choices", onsubmit: this.submit(() => this.acknowledge(notice)) },
        h("button", { class: "main", disabled: this.state.busy, autofocus: true }, t("I have read this")),
      ),
    );
  }

  async acknowledge(notice) {
    await post(`/me/notices/${notice.id}/acknowledge`);
    this.update({ notices: this.state.notices.filter((each) => each !== notice) });
  }
}

customElements.define("haggis-notices", AccountNotices);
