/* <haggis-account-security>: password, second factor, sessions and deletion of a registered account. */

import { get, post, remove } from "../lib/api.js";
import { FormView } from "../lib/forms.js";
import { t, tn, tx } from "../lib/i18n.js";
import { withPassword } from "../lib/reauthentication.js";
import { clearSession, me, onSessionChange, token } from "../lib/session.js";
import { formatTime } from "../lib/times.js";
import { h } from "../lib/vdom.js";

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
      if (token()) this.update({ problem, place: "" });
    }
  }

  /** Return a click or submit handler that runs an action and loads the lists again. */
  run = (action, done) =>
    this.submit(async (values) => {
      await action(values);
      await this.load();
    }, done);

  view() {
    const { factor, sessions } = this.state;
    if (!factor) return this.feedback("");
    return [
      ...this.feedback(""),
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
      {
        class: "panel",
        id: "password-change",
        key: "password",
        onsubmit: this.run(change, t("Your password has been changed.")),
      },
      h("h2", null, t("Password")),
      ...this.feedback("password-change"),
      h("p", { class: "quiet" }, t("Changing it logs you out on all other devices.")),
      this.field("current_password", t("Current password"), {
        type: "password",
        autocomplete: "current-password",
      }),
      this.field("changed_password", t("New password"), {
        type: "password",
        autocomplete: "new-password",
        pointer: "/password",
      }),
      h("button", { class: "main" }, t("Change password")),
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
          id: "second-factor",
          key: "second-factor",
          onsubmit: this.run(
            () => withPassword(() => remove("/me/second-factor")),
            t("The second factor has been removed."),
          ),
        },
        h("h2", null, t("Second factor")),
        ...this.feedback("second-factor"),
        h(
          "p",
          { class: "quiet" },
          tn(
            "Logging in needs a code of your authenticator app. {count} recovery code is left.",
            "Logging in needs a code of your authenticator app. {count} recovery codes are left.",
            factor.recovery_codes_left,
          ),
        ),
        h("button", null, t("Remove second factor")),
      );
    return h(
      "form",
      {
        class: "panel",
        id: "second-factor",
        key: "second-factor",
        onsubmit: this.submit(async () => {
          this.update({ enrolment: await withPassword(() => post("/me/second-factor")) });
        }, null),
      },
      h("h2", null, t("Second factor")),
      ...this.feedback("second-factor"),
      h(
        "p",
        { class: "quiet" },
        t(
          "With a second factor, nobody can log in with your password alone: a code of an app on your phone is needed too.",
        ),
      ),
      h("button", null, t("Set up second factor")),
    );
  }

  enrolmentForm({ secret, uri, qr_code: qrCode }) {
    return h(
      "form",
      {
        class: "panel",
        id: "second-factor",
        key: "enrolment",
        onsubmit: this.run(async ({ new_code: code }) => {
          const { recovery_codes } = await withPassword(() => post("/me/second-factor", { code }));
          this.update({ recoveryCodes: recovery_codes, enrolment: null });
        }, t("The second factor has been set up.")),
      },
      h("h2", null, t("Set up the second factor")),
      ...this.feedback("second-factor"),
      h(
        "p",
        null,
        tx("Add this key to an authenticator app (time-based, 6 digits), or {link}:", {
          link: h("a", { href: uri }, t("open the app on this device")),
        }),
      ),
      h("p", { class: "secret-key" }, h("code", null, inGroups(secret))),
      h(
        "svg",
        {
          class: "qr-code",
          viewBox: `0 0 ${qrCode.size} ${qrCode.size}`,
          role: "img",
          "aria-label": t("QR code of the key"),
        },
        h("path", { d: qrCode.path }),
      ),
      this.codeField("new_code", t("Code that the app shows")),
      h("button", { class: "main" }, t("Confirm")),
      h("button", { type: "button", onclick: () => this.update({ enrolment: null }) }, t("Cancel")),
    );
  }

  recoveryCodesPanel(codes) {
    return h(
      "section",
      { class: "panel", id: "second-factor", key: "recovery-codes" },
      h("h2", null, t("Recovery codes")),
      ...this.feedback("second-factor"),
      h(
        "p",
        null,
        t(
          "Store these codes in a safe place, away from your phone. Each lets you log in once without the app. They are not shown again.",
        ),
      ),
      h(
        "ul",
        { class: "recovery-codes" },
        codes.map((code) => h("li", { key: code }, h("code", null, code))),
      ),
      h(
        "button",
        { type: "button", class: "main", onclick: () => this.update({ recoveryCodes: null, done: null }) },
        t("I have saved them"),
      ),
    );
  }

  sessionsPanel(sessions) {
    return h(
      "section",
      { class: "panel", id: "sessions", key: "sessions" },
      h("h2", null, t("Where you are logged in")),
      ...this.feedback("sessions"),
      h(
        "ul",
        { class: "devices" },
        sessions.map((session) => this.sessionItem(session)),
      ),
      sessions.length > 1
        ? h(
            "form",
            {
              onsubmit: this.run(() => remove("/me/sessions"), t("You are logged out on all other devices.")),
            },
            h("button", null, t("Log out everywhere else")),
          )
        : null,
    );
  }

  sessionItem(session) {
    const name = session.device || t("Unknown device");
    return h(
      "li",
      { key: session.id },
      h("span", null, t("{name}, last used {time}", { name, time: formatTime(session.last_used) })),
      session.current
        ? h("strong", null, t("This device"))
        : h(
            "form",
            {
              onsubmit: this.run(
                () => remove(`/me/sessions/${session.id}`),
                t("{name} is logged out.", { name }),
              ),
            },
            h("button", { "aria-label": t("Log out {name}", { name }) }, t("Log out")),
          ),
    );
  }

  deletionForm() {
    const deleteAccount = async ({ deleted_username: name }) => {
      if (name.toLowerCase() !== me().username.toLowerCase())
        throw new Error(t("This is not your username."));
      await withPassword(() => remove("/me"));
      clearSession();
    };
    return h(
      "form",
      {
        class: "panel",
        id: "deletion",
        key: "deletion",
        onsubmit: this.submit(deleteAccount, t("Your account has been deleted.")),
      },
      h("h2", null, t("Delete account")),
      ...this.feedback("deletion"),
      h(
        "p",
        { class: "quiet" },
        t(
          "Your account and your bots are deleted for good, and your running matches are resigned. Finished matches stay under a random name.",
        ),
      ),
      this.field("deleted_username", t("Type your username to confirm"), { autocomplete: "off" }),
      h("button", null, t("Delete account")),
    );
  }
}

customElements.define("haggis-account-security", AccountSecurity);
