/* <haggis-confirm-email> and <haggis-new-password>: the pages that links in e-mails open. The token is in the fragment,
which is never sent to a server, and is removed from the address immediately. */

import { post } from "../lib/api.js";
import { h, View } from "../lib/vdom.js";

const token = decodeURIComponent(location.hash.slice(1));
if (token) history.replaceState(null, "", location.pathname);

const problemText = (problem) =>
  problem.body?.errors?.length ? problem.body.errors.map((each) => each.detail).join(" ") : problem.message;

class EmailLinkPage extends View {
  /** Return a submit handler that runs `action` with the form's values and shows the outcome. */
  submit(action) {
    return async (event) => {
      event.preventDefault();
      const values = Object.fromEntries(new FormData(event.target));
      this.update({ problem: null, busy: true });
      try {
        await action(values);
        this.update({ done: true, busy: false });
      } catch (problem) {
        this.update({ problem, busy: false });
      }
    };
  }

  panel(title, ...parts) {
    const { problem } = this.state;
    const alert = problem
      ? h("p", { class: "problem", role: "alert", key: "problem" }, problemText(problem))
      : null;
    return h("section", { class: "panel" }, h("h1", { key: "title" }, title), alert, ...parts);
  }
}

class ConfirmEmail extends EmailLinkPage {
  view() {
    if (this.state.done)
      return this.panel(
        "Your address is confirmed",
        h(
          "p",
          { role: "status", key: "done" },
          "Choose on ",
          h("a", { href: "/account" }, "your account's page"),
          " what to be told by mail.",
        ),
      );
    if (!token)
      return this.panel(
        "Nothing to confirm",
        h("p", { key: "none" }, "Please use the link in the mail as it is: it may have been cut in two."),
      );
    return this.panel(
      "Is this address yours?",
      h(
        "form",
        {
          key: "form",
          onsubmit: this.submit(() => post("/auth/email/confirm", { token }, { authToken: null })),
        },
        h("button", { class: "main", disabled: this.state.busy }, "Confirm it"),
      ),
    );
  }
}

class NewPassword extends EmailLinkPage {
  view() {
    return token ? this.newPasswordForm() : this.requestForm();
  }

  newPasswordForm() {
    if (this.state.done)
      return this.panel(
        "Your new password is set",
        h(
          "p",
          { role: "status", key: "done" },
          "Everybody who was logged in to the account is not any more. ",
          h("a", { href: "/account" }, "Log in"),
          ".",
        ),
      );
    return this.panel(
      "Choose a new password",
      h(
        "form",
        {
          key: "form",
          onsubmit: this.submit(({ password }) =>
            post("/auth/password/confirm", { token, password }, { authToken: null }),
          ),
        },
        h(
          "div",
          { class: "field" },
          h("label", { for: "password" }, "New password"),
          h("input", {
            id: "password",
            name: "password",
            type: "password",
            autocomplete: "new-password",
            required: true,
          }),
        ),
        h("button", { class: "main", disabled: this.state.busy }, "Set it"),
      ),
    );
  }

  requestForm() {
    if (this.state.done)
      return this.panel(
        "Look into your mail",
        h(
          "p",
          { role: "status", key: "done" },
          "If there is such an account with a confirmed address, a mail is on its way to it. Its link works once, for a day.",
        ),
      );
    return this.panel(
      "A forgotten password",
      h(
        "form",
        {
          key: "form",
          onsubmit: this.submit(({ username }) =>
            post("/auth/password/reset", { username }, { authToken: null }),
          ),
        },
        h(
          "div",
          { class: "field" },
          h("label", { for: "username" }, "Name of the account"),
          h("input", { id: "username", name: "username", autocomplete: "username", required: true }),
        ),
        h("button", { class: "main", disabled: this.state.busy }, "Send me a mail"),
      ),
    );
  }
}

customElements.define("haggis-confirm-email", ConfirmEmail);
customElements.define("haggis-new-password", NewPassword);
