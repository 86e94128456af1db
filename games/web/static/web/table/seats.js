/* The opponents' seats, with public information only. */

import { cardBack, cardImage } from "../lib/card-art.js";
import { cardPoints } from "../lib/cards.js";
import { modalDialog } from "../lib/dialog.js";
import { clockText } from "../lib/text.js";
import { h } from "../lib/vdom.js";

/** Return the opponents' seats in turn order, starting to the left of the player. */
export function opponentSeats(table) {
  const first = table.you ? table.you.seat + 1 : 0;
  const count = table.you ? table.seats.length - 1 : table.seats.length;
  return Array.from({ length: count }, (_, step) => (first + step) % table.seats.length);
}

/** One seat: number of cards, face cards, bet, captured cards and clock. */
export function seatPanel(view, number) {
  const { table } = view.state;
  const { round } = table;
  const hand = round.hands[number];
  const turn = round.to_act === number && table.status === "active";
  return h(
    "section",
    {
      class: `seat${turn ? " turn" : ""}`,
      "data-seat": number,
      "aria-label": view.labelOf(number).name,
      key: `seat${number}`,
    },
    h(
      "header",
      null,
      h("h2", null, view.labelOf(number).name),
      h("span", { class: "score", title: "Points in the match" }, table.seats[number].score),
    ),
    h(
      "div",
      { class: "hand-summary" },
      h(
        "div",
        {
          class: "backs",
          vars: { "--n": hand.count - hand.faces.length },
          role: "img",
          "aria-label": `${hand.count} cards`,
        },
        Array.from({ length: hand.count - hand.faces.length }, (_, at) =>
          h("span", { class: "card", key: at }, cardBack()),
        ),
      ),
      h(
        "div",
        { class: "faces" },
        hand.faces.map((face) => cardImage(face, { key: face, cardId: `${number}:${face}` })),
      ),
    ),
    h(
      "p",
      { class: "facts" },
      h("b", { class: "count" }, hand.count),
      " in hand",
      ...seatBadges(view, number),
    ),
    turn ? h("p", { class: "turn-status" }, turnText(table), clock(view)) : null,
  );
}

const turnText = (table) => (table.round.expects === "award" ? "chooses who captures" : "to play");

/** Badges for bet, going out and dealer. */
export const publicBadges = ({ bet, out, isDealer, seat }) => [
  bet === null ? null : h("span", { class: "mark bet" }, bet ? `bet ${bet}` : "no bet"),
  out.includes(seat) ? h("span", { class: "mark out" }, out[0] === seat ? "out first" : "out") : null,
  isDealer ? h("span", { class: "mark" }, "dealer") : null,
];

export const capturedText = (pile) => `captured ${pile.length} cards, ${cardPoints(pile)} pts`;

/** All badges of a seat in a running match. */
export function seatBadges(view, number) {
  const { round, seats } = view.state.table;
  const pile = round.captured[number] ?? [];
  const seat = seats[number];
  return [
    ...publicBadges({
      bet: round.bets[number],
      out: round.out,
      isDealer: round.dealer === number,
      seat: number,
    }),
    seat.state === "caretaker" ? h("span", { class: "mark late" }, "AI playing") : null,
    seat.state === "resigned" ? h("span", { class: "mark late" }, "resigned") : null,
    view.state.table.clock.time_bank_seconds
      ? h("span", { class: "mark", title: "Time bank" }, `bank ${clockText(seat.time_bank_left)}`)
      : null,
    seat.vacation ? h("span", { class: "mark" }, "on vacation") : null,
    pile.length
      ? h(
          "button",
          { type: "button", class: "mark pile", onclick: () => view.update({ openPile: number }) },
          capturedText(pile),
        )
      : null,
  ];
}

export function clock(view) {
  const { deadline } = view.state.table.round;
  if (!deadline) return null;
  return h(
    "span",
    { class: "clock", role: "timer", "aria-live": "off" },
    clockText(Math.max(0, view.secondsLeft())),
  );
}

/** The dialog that shows the captured cards of a seat. */
export function pileDialog(view) {
  const number = view.state.openPile;
  if (number === null || number === undefined) return null;
  const pile = view.state.table.round?.captured[number] ?? [];
  return modalDialog(
    {
      key: "pile",
      title: `Captured by ${view.labelOf(number).object}`,
      label: "Captured cards",
      onclose: () => view.update({ openPile: null }),
    },
    h(
      "div",
      { class: "spread" },
      pile.map((code, at) => cardImage(code, { key: at })),
    ),
    h("form", { method: "dialog" }, h("button", { class: "main" }, "Close")),
  );
}
