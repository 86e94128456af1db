/* <haggis-account>: log in, register, claim a guest account, and manage the account. */

import { get, put, remove } from "../lib/api.js";
import { claim, logIn, logOut, register, rename } from "../lib/auth.js";
import { codeField, FormView, field, problemAlert } from "../lib/forms.js";
import { me, onSessionChange } from "../lib/session.js";
import { h } from "../lib/vdom.js";

class HaggisAccount extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.loadVacation());
    this.loadVacation();
  }

  /** Load the vacation of the current player. */
  async loadVacation() {
    this.update({ vacation: null });
    if (!me()) return;
    try {
      this.update({ vacation: await get("/me/vacation") });
    } catch (problem) {
      this.update({ problem });
    }
  }

  disconnected() {
    this.unsubscribe();
  }

  view() {
    const { problem, done } = this.state;
    return [
      h("h1", { key: "title" }, me() ? me().display_name || me().username : "Log in or register"),
      problemAlert(problem),
      done ? h("p", { class: "done", role: "status", key: "done" }, done) : null,
      !me()
        ? [this.logInForm(), this.registerForm()]
        : me().kind === "guest"
          ? [this.renameForm(), this.claimForm(), this.vacationForm(), this.logOutForm()]
          : [this.renameForm(), this.vacationForm(), this.logOutForm()],
    ];
  }

  logInForm() {
    return h(
      "form",
      {
        class: "panel",
        key: "log-in",
        onsubmit: this.submit(
          ({ username, password, log_in_code: code }) => logIn(username, password, code),
          "Welcome back.",
        ),
      },
      h("h2", null, "Log in"),
      field("username", "Username", { autocomplete: "username" }),
      field("password", "Password", { type: "password", autocomplete: "current-password" }),
      this.state.needsCode ? codeField("log_in_code") : null,
      h("button", { class: "main" }, "Log in"),
      h("p", { class: "quiet" }, h("a", { href: "/reset-password" }, "Forgot your password?")),
    );
  }

  registerForm() {
    return h(
      "form",
      {
        class: "panel",
        key: "register",
        onsubmit: this.submit(
          (form) => register(form.new_username, form.new_password, form.email),
          "Your account has been created.",
        ),
      },
      h("h2", null, "Create an account"),
      ...this.newAccountFields(),
      h("button", { class: "main" }, "Create account"),
    );
  }

  claimForm() {
    return h(
      "form",
      {
        class: "panel",
        key: "claim",
        onsubmit: this.submit(
          (form) => claim(form.new_username, form.new_password, form.email),
          "Your account has been saved.",
        ),
      },
      h("h2", null, "Save this account"),
      h(
        "p",
        { class: "quiet" },
        "You are playing as a guest, and only this browser can open your matches. Choose a username and a password to play anywhere.",
      ),
      ...this.newAccountFields(),
      h("button", { class: "main" }, "Save account"),
    );
  }

  newAccountFields() {
    return [
      field("new_username", "Username", { autocomplete: "username" }),
      field("new_password", "Password", { type: "password", autocomplete: "new-password" }),
      field("email", "E-mail (optional)", { type: "email", autocomplete: "email", required: false }),
    ];
  }

  renameForm() {
    return h(
      "form",
      {
        class: "panel",
        key: "rename",
        onsubmit: this.submit(({ display_name: name }) => rename(name), "Saved."),
      },
      h("h2", null, "Display name"),
      field("display_name", "Shown to other players", {
        value: this.state.named ?? me().display_name,
        maxlength: 40,
        oninput: (event) => this.update({ named: event.target.value }),
        required: false,
      }),
      h("button", { class: "main" }, "Save name"),
    );
  }

  /** The vacation form. Turns do not time out on vacation if the match allows it. */
  vacationForm() {
    const { vacation } = this.state;
    if (!vacation) return null;
    const days = `${vacation.days_left} ${vacation.days_left === 1 ? "day" : "days"}`;
    if (vacation.until)
      return h(
        "form",
        { class: "panel", key: "vacation", onsubmit: this.submit(() => this.endVacation(), "Welcome back.") },
        h("h2", null, "You are on vacation"),
        h(
          "p",
          { class: "quiet" },
          `Until ${new Date(vacation.until).toLocaleString("en-GB")}. You have ${days} left this year.`,
        ),
        h("button", { class: "main" }, "End vacation"),
      );
    return h(
      "form",
      {
        class: "panel",
        key: "vacation",
        onsubmit: this.submit(
          ({ until }) => this.startVacation(until),
          "Your vacation has started. Have a good time!",
        ),
      },
      h("h2", null, "Vacation"),
      h(
        "p",
        { class: "quiet" },
        `Your turns do not time out on vacation, and your opponents see that you are away. You have ${days} left this year.`,
      ),
      field("until", "Back on", { type: "date" }),
      h("button", null, "Start vacation"),
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
    return h(
      "form",
      { class: "panel", key: "leave", onsubmit: this.submit(logOut, "You are logged out.") },
      h("h2", null, guest ? "Leave as guest" : "Log out"),
      h(
        "p",
        { class: "quiet" },
        guest
          ? "You cannot come back to a guest account after leaving. Save it first to keep your matches."
          : `You are logged in as ${me().username}.`,
      ),
      h("button", null, guest ? "Discard guest account" : "Log out"),
    );
  }
}

customElements.define("haggis-account", HaggisAccount);
