/* Changes that need the password: ask for it in a dialog, then repeat the request. */

import { Problem, post, withoutEmpty } from "./api.js";
import { modalDialog, openDialogs } from "./dialog.js";
import { FormView, problemAlert } from "./forms.js";
import { t } from "./i18n.js";
import { h } from "./vdom.js";

/** Run an action. If it needs the password again, ask for it and repeat the action.

`password` is one that the user has just entered, so that it need not be entered twice. */
export async function withPassword(action, password = null) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "reauthentication_required") throw error;
    if (!(await reauthenticate(password))) throw error;
    return action();
  }
}

async function reauthenticate(password) {
  if (password) {
    try {
      await post("/me/reauthenticate", { password });
      return true;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "second_factor_required") throw error;
    }
  }
  const prompt = document.createElement("haggis-password-prompt");
  const isFresh = new Promise((resolve) => {
    prompt.resolve = resolve;
  });
  document.body.append(prompt);
  return isFresh;
}

class PasswordPrompt extends FormView {
  afterRender() {
    openDialogs(this);
  }

  /** Close the dialog, which returns the focus, and report whether the session is fresh. */
  finish(isFresh) {
    this.resolve(isFresh);
    this.querySelector("dialog").close();
    this.remove();
  }

  view() {
    return modalDialog(
      {
        key: "prompt",
        title: t("Enter your password"),
        onclose: () => this.isConnected && this.finish(false),
      },
      h("p", { key: "why" }, t("This change needs your password again.")),
      problemAlert(this.state.problem),
      h(
        "form",
        {
          key: "form",
          onsubmit: this.submit(async ({ prompt_password: password, prompt_code: code }) => {
            await post("/me/reauthenticate", { password, ...withoutEmpty({ code }) });
            this.finish(true);
          }),
        },
        this.field("prompt_password", t("Password"), {
          type: "password",
          autocomplete: "current-password",
          pointer: "/password",
        }),
        this.state.needsCode ? this.codeField("prompt_code") : null,
        h("button", { class: "main", disabled: this.state.busy }, t("Continue")),
        h("button", { type: "button", onclick: () => this.finish(false) }, t("Cancel")),
      ),
    );
  }
}

customElements.define("haggis-password-prompt", PasswordPrompt);
