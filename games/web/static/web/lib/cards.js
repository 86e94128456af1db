/* Cards in the notation of the API: rank and suit (`7g`, `Tr`), or the rank alone for face cards (`J`). */

import { t } from "./i18n.js";

export const SUITS = ["r", "o", "y", "g", "b"];
export const FACES = ["J", "Q", "K"];
const RANKS = "23456789TJQK";
const COLOURS = { r: t("red"), o: t("orange"), y: t("yellow"), g: t("green"), b: t("blue") };
const SUIT_NAMES = {
  r: t("red hearts"),
  o: t("orange stars"),
  y: t("yellow bells"),
  g: t("green clovers"),
  b: t("blue drops"),
};
const RANK_NAMES = {
  2: t("two"),
  3: t("three"),
  4: t("four"),
  5: t("five"),
  6: t("six"),
  7: t("seven"),
  8: t("eight"),
  9: t("nine"),
  T: t("ten"),
  J: t("jack"),
  Q: t("queen"),
  K: t("king"),
};

export const isFace = (code) => FACES.includes(code);
const rankOf = (code) => RANKS.indexOf(code[0]) + 2;
export const suitOf = (code) => code[1];
export const rankText = (code) => (code[0] === "T" ? "10" : code[0]);

/** Return the accessible name of a card: suits are named by colour and shape. */
export function cardName(code) {
  const rank = RANK_NAMES[code[0]];
  return isFace(code)
    ? t("{rank}, wild", { rank })
    : t("{rank} of {suit}", { rank, suit: SUIT_NAMES[suitOf(code)] });
}

const byRank = (a, b) => rankOf(a) - rankOf(b) || SUITS.indexOf(suitOf(a)) - SUITS.indexOf(suitOf(b));
const bySuit = (a, b) => suitIndex(a) - suitIndex(b) || byRank(a, b);
const suitIndex = (code) => (isFace(code) ? SUITS.length : SUITS.indexOf(suitOf(code)));

export const sortCards = (cards, order) => [...cards].sort(order === "suit" ? bySuit : byRank);

/** Return the readable form of a card code: "8 green" for "8g", "8" where the suit does not matter. */
export const cardText = (code) =>
  isFace(code) || !suitOf(code)
    ? rankText(code)
    : t("{rank} {colour}", { rank: rankText(code), colour: COLOURS[suitOf(code)] });

/** Return which cards the wild cards represent: "J = 8 green, Q = 9 green". */
export const wildCardsText = (wilds) =>
  Object.entries(wilds)
    .filter(([face, code]) => face !== code)
    .map(([face, code]) => `${face} = ${cardText(code)}`)
    .join(", ");

/** Return the unshuffled deck for a number of players, without face cards. */
export function deck(players) {
  return SUITS.slice(0, players + 2).flatMap((suit) => [...RANKS.slice(0, 9)].map((rank) => rank + suit));
}

const POINTS = { 3: 1, 5: 1, 7: 1, 9: 1, J: 2, Q: 3, K: 5 };

/** Return the points of captured cards. */
export const cardPoints = (cards) => cards.reduce((sum, code) => sum + (POINTS[code[0]] ?? 0), 0);

const RANK_LABELS = ["", "", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** Return the ranks of a set, run or stair: "7", "7 7", "2–4". */
export function rankRange({ kind, top, width, length }) {
  if (kind === "set") return Array(width).fill(RANK_LABELS[top]).join(" ");
  return `${RANK_LABELS[top - length + 1]}–${RANK_LABELS[top]}`;
}
