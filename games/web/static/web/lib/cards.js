/* Cards in the notation of the API: rank and suit (`7g`, `Tr`), or the rank alone for face cards (`J`). */

export const SUITS = ["r", "o", "y", "g", "b"];
export const FACES = ["J", "Q", "K"];
const RANKS = "23456789TJQK";
const SUIT_NAMES = { r: "red", o: "orange", y: "yellow", g: "green", b: "blue" };
const SHAPES = { r: "heart", o: "star", y: "bell", g: "clover", b: "drop" };
const RANK_NAMES = {
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
};

export const isFace = (code) => FACES.includes(code);
const rankOf = (code) => RANKS.indexOf(code[0]) + 2;
export const suitOf = (code) => code[1];
export const rankText = (code) => (code[0] === "T" ? "10" : code[0]);

/** Return the accessible name of a card: suits are named by colour and shape. */
export function cardName(code) {
  const rank = RANK_NAMES[code[0]];
  return isFace(code) ? `${rank}, wild` : `${rank} of ${SUIT_NAMES[suitOf(code)]} ${SHAPES[suitOf(code)]}s`;
}

const byRank = (a, b) => rankOf(a) - rankOf(b) || SUITS.indexOf(suitOf(a)) - SUITS.indexOf(suitOf(b));
const bySuit = (a, b) => suitIndex(a) - suitIndex(b) || byRank(a, b);
const suitIndex = (code) => (isFace(code) ? SUITS.length : SUITS.indexOf(suitOf(code)));

export const sortCards = (cards, order) => [...cards].sort(order === "suit" ? bySuit : byRank);

/** Return the readable form of a card code: "8 green" for "8g", "8" where the suit does not matter. */
export const cardText = (code) =>
  isFace(code) || !suitOf(code) ? rankText(code) : `${rankText(code)} ${SUIT_NAMES[suitOf(code)]}`;

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
