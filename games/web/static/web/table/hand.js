/* The player's hand: cards are selected by pointer or keyboard. */

import { cardArt } from "../lib/card-art.js";
import { cardName, isFace, sortCards } from "../lib/cards.js";
import { tn } from "../lib/i18n.js";
import { setting } from "../lib/settings.js";
import { h } from "../lib/vdom.js";

/** Show the hand. Styles show it in one row, or in two where the screen is narrow. */
export function handArea(view) {
  const { table } = view.state;
  const cards = sortCards(table.round.hands[table.you.seat].cards ?? [], setting("order"));
  return h(
    "div",
    {
      class: "hand",
      key: "hand",
      role: "group",
      "aria-label": tn("Your hand, {count} card", "Your hand, {count} cards", cards.length),
      "aria-describedby": "hand-keys",
      id: "hand",
      inert: Boolean(view.state.lastPlay),
      onkeydown: (event) => handleKey(view, event),
    },
    h(
      "div",
      { class: "row", vars: handColumns(cards.length, view.cardsInOneRow) },
      cards.map((code) => handCard(view, code, cards)),
    ),
  );
}

/** Return the numbers of columns for one row and for two rows. A few cards are always in one row. */
const handColumns = (count, inOneRow) => ({
  "--n": Math.max(2, count),
  "--half": count > inOneRow ? Math.ceil(count / 2) : Math.max(2, count),
});

function handCard(view, code, cards) {
  const picked = view.state.selected.has(code);
  const focusedCard = view.state.focus && cards.includes(view.state.focus) ? view.state.focus : cards[0];
  return h(
    "button",
    {
      type: "button",
      class: `card${picked ? " picked" : ""}`,
      key: code,
      "aria-pressed": String(picked),
      "aria-label": cardName(code),
      "data-card": isFace(code) ? `${view.state.table.you.seat}:${code}` : code,
      "data-code": code,
      tabindex: code === focusedCard ? 0 : -1,
      onclick: () => view.toggleCard(code),
      onfocus: () => view.state.focus !== code && view.update({ focus: code }),
    },
    cardArt(code, { plain: view.state.narrow }),
  );
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Handle the keyboard shortcuts that help.js lists. */
function handleKey(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const cards = [...event.currentTarget.querySelectorAll("[data-code]")];
  if (event.key in STEPS) {
    const at = cards.indexOf(document.activeElement);
    cards[Math.min(cards.length - 1, Math.max(0, at + STEPS[event.key]))]?.focus();
  } else if (event.key === "Enter") view.play();
  else if (event.key === "Escape") view.clearSelection();
  else if (event.key === "p") view.pass();
  else if (event.key === "s") view.toggleLegalPlays();
  else if (event.key === "h" && view.state.table.hints) view.hint();
  else return;
  event.preventDefault();
}
