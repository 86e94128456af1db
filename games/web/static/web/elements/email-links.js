/* <haggis-confirm-email>, <haggis-new-password> and <haggis-undo-email-change>: the pages that links in e-mails open. The token is in the fragment,
which is never sent to a server, and is removed from the address immediately. */

import { post, withoutEmpty } from "../lib/api.js";
import { codeField, FormView, field, problemAlert } from "../lib/forms.js";
import { t, tx } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";

const token = decodeURIComponent(location.hash.slice(1));
if (token) history.replaceState(null, "", location.pathname);

class EmailLinkPage extends FormView {
  panel(title, ...parts) {
    return h(
      "section",
      { class: "panel" },
      h("h1", { key: "title" }, title),
      problemAlert(this.state.problem),
      ...parts,
    );
  }
}

class ConfirmEmail extends EmailLinkPage {
  view() {
    if (this.state.done)
      return this.panel(
        t("E-mail address confirmed"),
        h(
          "p",
          { role: "status", key: "done" },
          tx("Choose which e-mails you receive on {account}.", {
            account: h("a", { href: "/account" }, t("your account page")),
          }),
        ),
      );
    if (!token)
      return this.panel(
        t("This link is incomplete"),
        h(
          "p",
          { key: "none" },
          t("Open the link in the e-mail again, or copy all of it into the address bar."),
        ),
      );
    return this.panel(
      t("Confirm your address"),
      h(
        "form",
        {
          key: "form",
          onsubmit: this.submit(() => post("/auth/email/confirm", { token }, { authToken: null })),
        },
        h("button", { class: "main", disabled: this.state.busy }, t("Confirm")),
      ),
    );
  }
}

class NewPassword extends EmailLinkPage {
  view() {
    return token ? this.newPasswordForm(token) : this.requestForm();
  }

  newPasswordForm(resetToken) {
    if (this.state.done)
      return this.panel(
        t("Password changed"),
        h(
          "p",
          { role: "status", key: "done" },
          tx("You have been logged out on all devices. {login} with your new password.", {
            login: h("a", { href: "/account" }, t("Log in")),
          }),
        ),
      );
    return this.panel(
      t("Choose a new password"),
      h(
        "form",
        {
          key: "form",
          onsubmit: this.submit(({ password, code }) => {
            const body = { token: resetToken, password, ...withoutEmpty({ code }) };
            return post("/auth/password/confirm", body, { authToken: null });
          }),
        },
        field("password", t("New password"), { type: "password", autocomplete: "new-password" }),
        this.state.needsCode ? codeField("code") : null,
        h("button", { class: "main", disabled: this.state.busy }, t("Save password")),
      ),
    );
  }

  requestForm() {
    if (this.state.done)
      return this.panel(
        t("Check your e-mail"),
        h(
          "p",
          { role: "status", key: "done" },
          t(
            "If the account exists and has a confirmed e-mail address, we have sent it a link. The link works once and expires after one day.",
          ),
        ),
      );
    return this.panel(
      t("Reset your password"),
      h(
        "form",
        {
          key: "form",
          onsubmit: this.submit(({ username }) =>
            post("/auth/password/reset", { username }, { authToken: null }),
          ),
        },
        field("username", t("Username"), { autocomplete: "username" }),
        h("button", { class: "main", disabled: this.state.busy }, t("Send reset link")),
      ),
    );
  }
}

class UndoEmailChange extends NewPassword {
  view() {
    if (this.state.resetToken) return this.newPasswordForm(this.state.resetToken);
    if (!token)
      return this.panel(
        t("This link is incomplete"),
        h(
          "p",
          { key: "none" },
          t("Open the link in the e-mail again, or copy all of it into the address bar."),
        ),
      );
    return this.panel(
      t("Undo the change of your address"),
      h(
        "p",
        { key: "what" },
        t(
          "This restores your e-mail address, removes a new second factor, and logs out everybody, on all devices and in all programs. Then you choose a new password.",
        ),
      ),
      h(
        "form",
        {
          key: "undo",
          onsubmit: this.submit(async () => {
            const { reset_token } = await post("/auth/email/undo", { token }, { authToken: null });
            this.update({ resetToken: reset_token });
          }, null),
        },
        h("button", { class: "main", disabled: this.state.busy }, t("Restore my address")),
      ),
    );
  }
}

customElements.define("haggis-undo-email-change", UndoEmailChange);
customElements.define("haggis-confirm-email", ConfirmEmail);
customElements.define("haggis-new-password", NewPassword);
