/* The dialog with which a player reports another one. Only moderators see reports. */

import { post, withoutEmpty } from "./api.js";
import { asPlayer } from "./auth.js";
import { modalDialog, openDialogs } from "./dialog.js";
import { FormView, problemAlert } from "./forms.js";
import { msg, t } from "./i18n.js";
import { h } from "./vdom.js";

const MAX_TEXT_LENGTH = 500;
const REASONS = [
  ["abuse", msg("Insults or harassment")],
  ["cheating", msg("Cheating")],
  ["stalling", msg("Slow play on purpose")],
  ["name", msg("An offensive name")],
];

/** Open the dialog to report a player, perhaps because of a match. Resolves when it closes. */
export const openReport = ({ username, match = "" }) =>
  new Promise((resolve) => {
    const dialog = document.createElement("haggis-report");
    Object.assign(dialog, { username, match, resolve });
    document.body.append(dialog);
  });

class ReportDialog extends FormView {
  afterRender() {
    openDialogs(this);
  }

  /** Close the dialog, which returns the focus to where it was. */
  finish() {
    if (!this.isConnected) return;
    this.querySelector("dialog").close();
    this.remove();
    this.resolve();
  }

  async send({ report_reason: reason, report_text: text }) {
    const body = {
      username: this.username,
      reason,
      ...withoutEmpty({ match: this.match, text: text.trim() }),
    };
    await asPlayer(() => post("/reports", body));
  }

  view() {
    return modalDialog(
      {
        key: "report",
        title: t("Report {name}", { name: this.username }),
        onclose: () => this.finish(),
      },
      this.state.done ? this.thanks() : this.form(),
    );
  }

  thanks() {
    return h(
      "div",
      { key: "done" },
      h("p", { role: "status" }, t("Thank you. A moderator will look at it.")),
      h(
        "div",
        { class: "choices" },
        h(
          "button",
          { type: "button", class: "main", autofocus: true, onclick: () => this.finish() },
          t("Close"),
        ),
      ),
    );
  }

  form() {
    return h(
      "form",
      { key: "form", class: "report-form", onsubmit: this.submit((values) => this.send(values)) },
      h("p", { class: "quiet" }, t("Only moderators see who sent the report.")),
      h(
        "fieldset",
        { class: "report-reasons" },
        h("legend", null, t("What happened?")),
        REASONS.map(([value, text]) =>
          h(
            "label",
            { key: value },
            h("input", { type: "radio", name: "report_reason", value, required: true }),
            " ",
            t(text),
          ),
        ),
      ),
      h(
        "div",
        { class: "field" },
        h("label", { for: "report_text" }, t("Details (optional)")),
        h("textarea", { id: "report_text", name: "report_text", rows: 3, maxlength: MAX_TEXT_LENGTH }),
      ),
      problemAlert(this.state.problem),
      h(
        "div",
        { class: "choices" },
        h("button", { class: "main", disabled: this.state.busy }, t("Send report")),
        h("button", { type: "button", onclick: () => this.finish() }, t("Cancel")),
      ),
    );
  }
}

customElements.define("haggis-report", ReportDialog);
