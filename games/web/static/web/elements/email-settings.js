/* <haggis-mails>: e-mail notification settings: which events, and whether immediately or in a daily digest. */

import { get, patch, post } from "../lib/api.js";
import { FormView } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { withPassword } from "../lib/reauthentication.js";
import { me, onSessionChange } from "../lib/session.js";
import { NOTIFICATION_KINDS } from "../lib/text.js";
import { h } from "../lib/vdom.js";

const DELIVERY = [
  ["", t("Off")],
  ["email", t("Immediately")],
  ["digest", t("Daily digest")],
];

class EmailSettings extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
  }

  async load() {
    const registered = me() && me().kind === "human";
    const profile = registered ? await get("/me").catch(() => null) : null;
    this.update({ profile, email: null, done: null, problem: null });
  }

  async save({ email, ...chosen }) {
    // Kinds that this form does not show stay as they are.
    const kinds = (delivery) => [
      ...Object.keys(chosen).filter((kind) => chosen[kind] === delivery),
      ...(this.state.profile.notifications[delivery] ?? []).filter((kind) => !(kind in chosen)),
    ];
    const changes = {
      notifications: { email: kinds("email"), digest: kinds("digest") },
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    if ((email || null) !== this.state.profile.email) changes.email = email || null;
    this.update({ profile: await withPassword(() => patch("/me", changes)), email: null });
  }

  view() {
    const { profile } = this.state;
    if (!profile) return [];
    return h(
      "form",
      { class: "panel", id: "email", onsubmit: this.submit((values) => this.save(values), t("Saved.")) },
      h("h2", { key: "title" }, t("E-mail notifications")),
      ...this.feedback("email"),
      this.field("mails-email", t("E-mail address"), {
        name: "email",
        type: "email",
        autocomplete: "email",
        required: false,
        pointer: "/email",
        value: this.state.email ?? profile.email ?? "",
        hint: profile.email
          ? profile.email_confirmed
            ? t("Confirmed.")
            : t("Not confirmed yet. Open the link in the e-mail that we sent you.")
          : null,
        oninput: (event) => this.update({ email: event.target.value }),
      }),
      NOTIFICATION_KINDS.map(([kind, title]) => this.kindField(kind, title, profile)),
      h(
        "div",
        { class: "choices", key: "save" },
        h("button", { class: "main" }, t("Save e-mail settings")),
        profile.email_confirmed
          ? h(
              "button",
              {
                type: "button",
                onclick: this.submit(
                  () => post("/me/email/test"),
                  t("A test mail is on its way. The list of sent notifications shows its delivery."),
                ),
              },
              t("Send test mail"),
            )
          : null,
      ),
    );
  }

  kindField(kind, title, profile) {
    const current =
      DELIVERY.find(
        ([delivery]) => delivery && (profile.notifications[delivery] ?? []).includes(kind),
      )?.[0] ?? "";
    return h(
      "div",
      { class: "field", key: kind },
      h("label", { for: `mails-${kind}` }, title),
      h(
        "select",
        { id: `mails-${kind}`, name: kind },
        DELIVERY.map(([delivery, label]) =>
          h("option", { value: delivery, selected: delivery === current }, label),
        ),
      ),
    );
  }
}

customElements.define("haggis-mails", EmailSettings);
