/* Forms: labelled fields, submission, and the display of errors where they happened. */

import { t } from "./i18n.js";
import { h, View } from "./vdom.js";

/** Describe a labelled input. `pointer` is the member of the request that it sets, by default the one of its name.
`error` says what is wrong with its value. */
export const field = (id, label, { pointer = `/${id}`, error, hint, ...props } = {}) =>
  h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, label),
    h("input", {
      id,
      name: id,
      required: true,
      "data-pointer": pointer,
      "aria-invalid": error ? "true" : undefined,
      "aria-describedby":
        [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined,
      ...props,
    }),
    hint ? h("p", { class: "hint", id: `${id}-hint`, key: "hint" }, hint) : null,
    error
      ? h("p", { class: "field-error", id: `${id}-error`, role: "alert", key: "field-error" }, error)
      : null,
  );

/** Describe the input of a code of the second factor, or of a recovery code. */
export const codeField = (id, label = t("Code of your authenticator app, or a recovery code"), props = {}) =>
  field(id, label, {
    autocomplete: "one-time-code",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 40,
    pointer: "/code",
    ...props,
  });

/** Describe a problem; invalid fields are explained one by one. Nothing without a problem. */
export const problemAlert = (problem) =>
  problem ? h("p", { class: "problem", role: "alert", key: "problem" }, problemText(problem)) : null;

/** Describe the result of an action, which screen readers announce. The element is always there, so that they notice
the change. */
export const resultStatus = (text) => h("p", { class: "done", role: "status", key: "done" }, text ?? "");

export const problemText = (problem) =>
  problem.body?.errors?.length ? problem.body.errors.map((each) => each.detail).join(" ") : problem.message;

/** Assign the field errors of a problem to the inputs of a form. Return the errors by id of the input, and the problem
if any of it belongs to no input. */
export function assignErrors(form, problem) {
  const fieldErrors = {};
  const errors = problem.body?.errors ?? [];
  const unassigned = errors.filter(({ pointer, detail }) => {
    const input = form.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
    if (input) fieldErrors[input.id] = detail;
    return !input;
  });
  if (!errors.length) return { fieldErrors, problem };
  return {
    fieldErrors,
    problem: unassigned.length ? new Error(unassigned.map(({ detail }) => detail).join(" ")) : null,
  };
}

/** Move the focus to the first invalid input of a form, once it is rendered. */
export const focusFirstError = (form) =>
  setTimeout(() => form.querySelector("[aria-invalid='true']")?.focus(), 0);

/** Move the focus to the heading of a panel, after an action has removed the button that had it. */
function focusHeading(panel) {
  const heading = panel?.isConnected && panel.querySelector("h2");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}

/** Base class for views with forms. Their state has `busy`, `problem`, `fieldErrors` by id of the input, `done`,
`needsCode`, which says that a code of the second factor was asked for, and `place`, the id of the panel in which the
last action was taken. */
export class FormView extends View {
  /** Describe the problem or the result of the last action, in the panel in which it was taken. */
  feedback(place) {
    const { problem, done } = this.state;
    const isHere = this.state.place === place;
    return [problemAlert(isHere ? problem : null), resultStatus(isHere ? done : "")];
  }

  /** Describe a labelled input with its error, if the last submission found one. */
  field(id, label, props = {}) {
    return field(id, label, { error: this.state.fieldErrors?.[id], ...props });
  }

  codeField(id, label) {
    return codeField(id, label, { error: this.state.fieldErrors?.[id] });
  }

  /** Return a submit handler that runs `action` with the form's values, then sets `done` or `problem`. */
  submit(action, done = true) {
    return async (event) => {
      event.preventDefault();
      const form = event.target;
      const values = form instanceof HTMLFormElement ? Object.fromEntries(new FormData(form)) : {};
      const panel = form.closest(".panel[id]");
      const place = panel?.id ?? "";
      this.update({ problem: null, fieldErrors: {}, done: null, busy: true, place });
      try {
        await action(values);
        if (this.isConnected) this.renderNow();
        this.update({ done, busy: false, ...(panel && !panel.isConnected ? { place: "" } : {}) });
        if (!form.isConnected) focusHeading(panel);
      } catch (problem) {
        const needsCode = this.state.needsCode || problem.code === "second_factor_required";
        this.update({ ...assignErrors(form, problem), needsCode, busy: false });
        focusFirstError(form);
      }
    };
  }
}
