/* Forms: labelled fields, submission, and the display of errors. */

import { h, View } from "./vdom.js";

/** Describe a labelled input. */
export const field = (id, label, props = {}) =>
  h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, label),
    h("input", { id, name: id, required: true, ...props }),
  );

/** Describe the input of a code of the second factor, or of a recovery code. */
export const codeField = (id, label = "Code of your authenticator app, or a recovery code") =>
  field(id, label, {
    autocomplete: "one-time-code",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 40,
  });

/** Describe a problem; invalid fields are explained one by one. Nothing without a problem. */
export const problemAlert = (problem) =>
  problem ? h("p", { class: "problem", role: "alert", key: "problem" }, problemText(problem)) : null;

const problemText = (problem) =>
  problem.body?.errors?.length ? problem.body.errors.map((each) => each.detail).join(" ") : problem.message;

/** Base class for views with forms. Their state has `busy`, `problem`, `done` and `needsCode`, which says that a code of
the second factor was asked for. */
export class FormView extends View {
  /** Return a submit handler that runs `action` with the form's values, then sets `done` or `problem`. */
  submit(action, done = true) {
    return async (event) => {
      event.preventDefault();
      const values = Object.fromEntries(new FormData(event.target));
      this.update({ problem: null, done: null, busy: true });
      try {
        await action(values);
        this.update({ done, busy: false });
      } catch (problem) {
        const needsCode = this.state.needsCode || problem.code === "second_factor_required";
        this.update({ problem, needsCode, busy: false });
      }
    };
  }
}
