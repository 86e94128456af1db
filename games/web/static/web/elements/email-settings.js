/* <haggis-mails>: e-mail notification settings: which events, and whether immediately or in a daily digest. */

import { get, patch } from "../lib/api.js";
import { problemAlert } from "../lib/forms.js";
import { withPassword } from "../lib/reauthentication.js";
import { me, onSessionChange } from "../lib/session.js";
import { NOTIFICATION_KINDS } from "../lib/text.js";
import { h, View } from "../lib/vdom.js";

const DELIVERY = [
  ["", "Off"],
  ["email", "Immediately"],
  ["digest", "Daily digest"],
];

class EmailSettings extends View {
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
    this.update({ profile, email: null, message: null, problem: null });
  }

  save = async (event) => {
    event.preventDefault();
    const { email, ...chosen } = Object.fromEntries(new FormData(event.target));
    const kinds = (delivery) => Object.keys(chosen).filter((kind) => chosen[kind] === delivery);
    const changes = {
      notifications: { email: kinds("email"), digest: kinds("digest") },
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    if ((email || null) !== this.state.profile.email) changes.email = email || null;
    try {
      this.update({
        profile: await withPassword(() => patch("/me", changes)),
        email: null,
        message: "Saved.",
        problem: null,
      });
    } catch (problem) {
      this.update({ problem, message: null });
    }
  };

  view() {
    const { profile, problem, message } = this.state;
    if (!profile) return [];
    return h(
      "form",
      { class: "panel", onsubmit: this.save },
      h("h2", { key: "title" }, "E-mail notifications"),
      problemAlert(problem),
      message ? h("p", { role: "status", key: "done" }, message) : null,
      h(
        "div",
        { class: "field", key: "email" },
        h("label", { for: "mails-email" }, "E-mail address"),
        h("input", {
          id: "mails-email",
          name: "email",
          type: "email",
          autocomplete: "email",
          value: this.state.email ?? profile.email ?? "",
          oninput: (event) => this.update({ email: event.target.value }),
        }),
        this.state.profile.email
          ? h(
              "p",
              { class: "quiet" },
              profile.email_confirmed
                ? "Confirmed."
                : "Not confirmed yet. Open the link in the e-mail that we sent you.",
            )
          : null,
      ),
      NOTIFICATION_KINDS.map(([kind, title]) => this.kindField(kind, title, profile)),
      h("button", { class: "main", key: "save" }, "Save e-mail settings"),
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
