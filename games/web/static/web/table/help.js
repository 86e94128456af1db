/* Help at the table: the keyboard shortcuts and the words of the game. */

import { closeSheet, modalDialog } from "../lib/dialog.js";
import { TERMS, term } from "../lib/glossary.js";
import { t } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";

const SHORTCUTS = [
  ["← →", t("move between cards")],
  [t("Space"), t("select or deselect the card")],
  [t("Enter"), t("play the selected cards")],
  [t("Esc"), t("clear the selection")],
  ["P", t("pass")],
  ["S", t("show what you can play")],
  ["H", t("hint, in matches against AIs")],
  ["?", t("show this help")],
];

/** Return whether a key event asks for help: "?" outside of a text field. */
export const opensHelp = (event) =>
  event.key === "?" && !event.target.closest("input, textarea, select, dialog[open]");

/** The button that opens the help, and the description of the hand for screen readers. */
export const helpButtons = (view) => [
  h(
    "button",
    { type: "button", class: "link", key: "help", onclick: () => view.update({ sheet: "help" }) },
    t("Help and shortcuts (?)"),
  ),
  h("span", { class: "sr", id: "hand-keys", key: "hand-keys" }, t("Press ? for keyboard shortcuts.")),
];

export function helpDialog(view) {
  if (view.state.sheet !== "help") return null;
  return modalDialog(
    { key: "help", title: t("Help"), kind: "help", onclose: closeSheet(view, "help") },
    h("h3", null, t("Keyboard shortcuts")),
    h("p", { class: "quiet small" }, t("They work while a card of your hand has the focus.")),
    h(
      "dl",
      { class: "shortcuts" },
      SHORTCUTS.map(([key, effect]) =>
        h("div", { key }, h("dt", null, h("kbd", null, key)), h("dd", null, effect)),
      ),
    ),
    h("h3", null, t("Words of the game")),
    h(
      "p",
      { class: "term-list" },
      Object.keys(TERMS).map((word) => term(word)),
    ),
    h(
      "form",
      { method: "dialog", class: "choices" },
      h("button", { class: "main", autofocus: true }, t("Close")),
      h("a", { class: "button plain", href: `/rules/${view.state.table.ruleset}` }, t("All the rules")),
    ),
  );
}
