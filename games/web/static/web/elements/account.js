/* <haggis-account>: log in, register, claim a guest account, and manage the profile. */

import { get, put, remove } from "../lib/api.js";
import { claim, logIn, logOut, register, rename } from "../lib/auth.js";
import { FormView } from "../lib/forms.js";
import { t, tn } from "../lib/i18n.js";
import { me, onSessionChange, token } from "../lib/session.js";
import { formatTime } from "../lib/times.js";
import { followTurns } from "../lib/turns.js";
import { h } from "../lib/vdom.js";

class HaggisAccount extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
    this.events?.stop();
  }

  /** Load the vacation of the current player, and follow their turns. */
  async load() {
    this.update({ vacation: null, named: undefined });
    this.events?.stop();
    this.events = followTurns();
    if (!me()) return;
    try {
      this.update({ vacation: await get("/me/vacation") });
    } catch (problem) {
      if (token()) this.update({ problem, place: "" });
    }
  }

  view() {
    return [
      h(
        "h1",
        { key: "title" },
        me()
          ? t("Account of {name}", { name: me().display_name || me().username })
          : t("Log in or create an account"),
      ),
      ...this.feedback(""),
      !me()
        ? [this.logInForm(), this.registerForm()]
        : me().kind === "guest"
          ? [this.claimForm(), this.renameForm(), this.vacationForm(), this.logOutForm()]
          : [this.renameForm(), this.vacationForm(), this.logOutForm()],
    ];
  }

  panel(id, title, action, done, ...children) {
    return h(
      "form",
      { class: "panel", id, key: id, onsubmit: this.submit(action, done) },
      h("h2", null, title),
      ...this.feedback(id),
      ...children,
    );
  }

  logInForm() {
    return this.panel(
      "log-in",
      t("Log in"),
      ({ username, password, log_in_code: code }) => logIn(username, password, code),
      t("You are logged in."),
      this.field("username", t("Username"), { autocomplete: "username" }),
      this.field("password", t("Password"), { type: "password", autocomplete: "current-password" }),
      this.state.needsCode ? this.codeField("log_in_code") : null,
      h("button", { class: "main" }, t("Log in")),
      h("p", { class: "quiet" }, h("a", { href: "/reset-password" }, t("Forgot your password?"))),
    );
  }

  registerForm() {
    return this.panel(
      "register",
      t("Create an account"),
      (form) => register(form.new_username, form.new_password, form.email),
      t("Your account has been created."),
      ...this.newAccountFields(),
      h("button", { class: "main" }, t("Create account")),
    );
  }

  claimForm() {
    return this.panel(
      "claim",
      t("Save this account"),
      (form) => claim(form.new_username, form.new_password, form.email),
      t("Your account has been saved."),
      h(
        "p",
        { class: "quiet" },
        t(
          "You are playing as a guest, and only this browser can open your matches. Choose a username and a password to play anywhere.",
        ),
      ),
      ...this.newAccountFields(),
      h("button", { class: "main" }, t("Save account")),
    );
  }

  newAccountFields() {
    return [
      this.field("new_username", t("Username"), { autocomplete: "username", pointer: "/username" }),
      this.field("new_password", t("Password"), {
        type: "password",
        autocomplete: "new-password",
        pointer: "/password",
      }),
      this.field("email", t("E-mail (optional)"), {
        type: "email",
        autocomplete: "email",
        required: false,
      }),
    ];
  }

  renameForm() {
    return this.panel(
      "name",
      t("Display name"),
      ({ display_name: name }) => rename(name),
      t("Saved."),
      this.field("display_name", t("Shown to other players"), {
        value: this.state.named ?? me().display_name,
        maxlength: 40,
        oninput: (event) => this.update({ named: event.target.value }),
        required: false,
      }),
      h("button", { class: "main" }, t("Save name")),
    );
  }

  /** The vacation form. Turns do not time out on vacation if the match allows it. */
  vacationForm() {
    const { vacation } = this.state;
    if (!vacation) return null;
    const left = tn(
      "You have {count} day left this year.",
      "You have {count} days left this year.",
      vacation.days_left,
    );
    if (vacation.until)
      return this.panel(
        "vacation",
        t("You are on vacation"),
        () => this.endVacation(),
        t("Your vacation has ended."),
        h("p", { class: "quiet" }, t("Until {time}.", { time: formatTime(vacation.until) }), " ", left),
        h("button", { class: "main" }, t("End vacation")),
      );
    return this.panel(
      "vacation",
      t("Vacation"),
      ({ until }) => this.startVacation(until),
      t("Your vacation has started."),
      h(
        "p",
        { class: "quiet" },
        t("Your turns do not time out on vacation, and your opponents see that you are away."),
        " ",
        left,
      ),
      this.field("until", t("Back on"), { type: "date" }),
      h("button", null, t("Start vacation")),
    );
  }

  async startVacation(until) {
    this.update({ vacation: await put("/me/vacation", { until: new Date(`${until}T00:00`).toISOString() }) });
  }

  async endVacation() {
    await remove("/me/vacation");
    this.update({ vacation: await get("/me/vacation") });
  }

  logOutForm() {
    const guest = me().kind === "guest";
    return this.panel(
      "log-out",
      guest ? t("Discard the guest account") : t("Log out"),
      logOut,
      t("You are logged out."),
      h(
        "p",
        { class: "quiet" },
        guest
          ? t("You cannot come back to a guest account afterwards. Save it first to keep your matches.")
          : t("You are logged in as {name}.", { name: me().username }),
      ),
      h("button", null, guest ? t("Discard guest account") : t("Log out")),
    );
  }
}

customElements.define("haggis-account", HaggisAccount);
