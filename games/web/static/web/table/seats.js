/* The opponents' seats, with public information only. */

import { cardBack, cardImage } from "../lib/card-art.js";
import { cardPoints, sortCards } from "../lib/cards.js";
import { modalDialog } from "../lib/dialog.js";
import { t, tn, tx } from "../lib/i18n.js";
import { labelLink } from "../lib/players.js";
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
      class: `seat table-seat${turn ? " turn" : ""}`,
      "data-seat": number,
      "aria-label": view.labelOf(number).name,
      key: `seat${number}`,
    },
    h(
      "header",
      null,
      h("h2", { title: view.labelOf(number).name }, labelLink(view.labelOf(number))),
      h("span", { class: "score", title: t("Points in the match") }, table.seats[number].score),
    ),
    h("div", { class: "hand-summary" }, view.state.lastPlay ? openHand(hand) : closedHand(hand, number)),
    h(
      "p",
      { class: "facts" },
      h("span", null, tx("{count} in hand", { count: h("b", { class: "count" }, hand.count) })),
      ...seatBadges(view, number),
    ),
    turn ? h("p", { class: "turn-status" }, turnText(table), clock(view)) : null,
  );
}

/** The back of each card, and the face cards, which everybody sees. */
const closedHand = (hand, number) => [
  h(
    "div",
    {
      class: "backs",
      key: "backs",
      vars: { "--n": hand.count - hand.faces.length },
      role: "img",
      "aria-label": tn("{count} card", "{count} cards", hand.count),
    },
    Array.from({ length: hand.count - hand.faces.length }, (_, at) =>
      h("span", { class: "card", key: at }, cardBack()),
    ),
  ),
  h(
    "div",
    { class: "faces", key: "faces" },
    hand.faces.map((face) => cardImage(face, { key: face, cardId: `${number}:${face}` })),
  ),
];

/** All cards of a hand, which are shown when the round is over. */
const openHand = ({ cards }) =>
  h(
    "div",
    { class: "revealed", key: "revealed", vars: { "--n": Math.max(2, cards.length) } },
    sortCards(cards).map((code) => cardImage(code, { key: code })),
  );

const turnText = (table) => (table.round.expects === "award" ? t("chooses who captures") : t("to play"));

/** Badges for bet, going out and dealer. */
export const publicBadges = ({ bet, out, isDealer, seat }) => [
  bet === null
    ? null
    : h("span", { class: "mark bet" }, bet ? t("bet {amount}", { amount: bet }) : t("no bet")),
  out.includes(seat) ? h("span", { class: "mark out" }, out[0] === seat ? t("out first") : t("out")) : null,
  isDealer ? h("span", { class: "mark" }, t("dealer")) : null,
];

export const capturedText = (pile) =>
  tn("captured {count} card, {points} pts", "captured {count} cards, {points} pts", pile.length, {
    points: cardPoints(pile),
  });

const pointsText = (pile) => t("{points} pts", { points: cardPoints(pile) });

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
    seat.state === "caretaker" ? h("span", { class: "mark late" }, t("AI playing")) : null,
    seat.state === "resigned" ? h("span", { class: "mark late" }, t("resigned")) : null,
    view.state.table.clock.time_bank_seconds
      ? h(
          "span",
          { class: "mark", title: t("Time bank") },
          t("bank {time}", { time: clockText(seat.time_bank_left) }),
        )
      : null,
    seat.vacation ? h("span", { class: "mark" }, t("on vacation")) : null,
    pile.length
      ? h(
          "button",
          {
            type: "button",
            class: "mark pile",
            "aria-label": capturedText(pile),
            onclick: () => view.update({ openPile: number }),
          },
          view.state.narrow ? pointsText(pile) : capturedText(pile),
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
      title: t("Captured by {player}", { player: view.labelOf(number).object }),
      label: t("Captured cards"),
      onclose: () => view.update({ openPile: null }),
    },
    h(
      "div",
      { class: "spread" },
      pile.map((code, at) => cardImage(code, { key: at })),
    ),
    h("form", { method: "dialog" }, h("button", { class: "main" }, t("Close"))),
  );
}
