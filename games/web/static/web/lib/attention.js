/* The title and the icon of the page say that it is the player's turn, also while another tab is visible. */

import { t } from "./i18n.js";

const plainTitle = globalThis.document?.title ?? "";
let plainIcon = null;

/** Show in the title and the icon whether it is the player's turn, and at how many tables if that is known. */
export function showTurn(isTurn, tables = 1) {
  const title = tables > 1 ? t("({tables}) Your turn", { tables }) : t("Your turn");
  document.title = isTurn ? `${title} · ${plainTitle}` : plainTitle;
  const icon = document.querySelector("link[rel=icon]");
  if (!icon?.dataset.turn) return;
  plainIcon ??= icon.href;
  icon.href = isTurn ? icon.dataset.turn : plainIcon;
}
