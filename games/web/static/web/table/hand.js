/* The player's hand: cards are selected by pointer or keyboard. */

import { cardArt } from "../lib/card-art.js";
import { cardName, isFace, sortCards } from "../lib/cards.js";
import { setting } from "../lib/settings.js";
import { h } from "../lib/vdom.js";

const MAX_CARDS_PER_ROW = 10;

/** Show the hand in one row, or in two on narrow screens. */
export function handArea(view) {
  const { table, narrow } = view.state;
  const cards = sortCards(table.round.hands[table.you.seat].cards ?? [], setting("order"));
  const rows =
    narrow && cards.length > MAX_CARDS_PER_ROW
      ? [cards.slice(0, Math.ceil(cards.length / 2)), cards.slice(Math.ceil(cards.length / 2))]
      : [cards];
  return h(
    "div",
    {
      class: "hand",
      key: "hand",
      role: "group",
      "aria-label": `Your hand, ${cards.length} cards`,
      "aria-describedby": "keys",
      onkeydown: (event) => handleKey(view, event),
      "data-rows": rows.length,
    },
    rows.map((row, at) =>
      h(
        "div",
        { class: "row", key: at, vars: { "--n": Math.max(row.length, rows[0].length) } },
        row.map((code) => handCard(view, code, cards)),
      ),
    ),
  );
}

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

const KEYS = [
  ["← →", "move between cards"],
  ["Space", "select or deselect the card"],
  ["Enter", "play the selected cards"],
  ["Esc", "clear the selection"],
  ["P", "pass"],
  ["S", "show what you can play"],
];

/** List the keyboard shortcuts that work while a card has the focus. */
export const keyHelp = () =>
  h(
    "details",
    { class: "keys" },
    h("summary", null, "Keyboard shortcuts"),
    h(
      "dl",
      { id: "keys" },
      KEYS.map(([key, effect]) =>
        h("div", { key }, h("dt", null, h("kbd", null, key)), h("dd", null, effect)),
      ),
    ),
  );

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Handle the keyboard shortcuts listed above. */
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
  else return;
  event.preventDefault();
}
