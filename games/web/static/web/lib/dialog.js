/* Modal dialogs: a view renders them while they are open, and removes them from its state when they close. */

import { h } from "./vdom.js";

/** Describe a modal dialog with a heading. `label` is its accessible name if the heading is not enough. */
export const modalDialog = ({ key, title, label = title, kind = "", onclose }, ...children) =>
  h(
    "dialog",
    { class: `sheet ${kind}`.trim(), key, "data-modal": true, "aria-label": label, onclose },
    h("h2", null, title),
    ...children,
  );

/** Open the dialogs that the last render added to a view. */
export function openDialogs(root) {
  for (const dialog of root.querySelectorAll("dialog[data-modal]")) if (!dialog.open) dialog.showModal();
}

/** Close the sheet of a view, unless another one has replaced it: a browser reports a closed dialog a little later. */
export const closeSheet = (view, sheet) => () => view.state.sheet === sheet && view.update({ sheet: null });
