/* Texts of the user interface. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { cardName, deck, rankRange, sortCards } from "../../../../games/web/static/web/lib/cards.js";
import {
  beatenText,
  clockText,
  combinationText,
  describeEntry,
  durationText,
  playText,
  relativeTime,
  sizeText,
} from "../../../../games/web/static/web/lib/text.js";

const labelOf = (seat) =>
  seat === 0 ? { name: "You", object: "you", me: true } : { name: "Ailsa", object: "Ailsa", me: false };
const entry = (changes) => ({ seat: 1, then: [], by: "player", ...changes });

test("an entry is described in the second or the third person", () => {
  const play = { type: "play", combination: { kind: "set", top: 7, width: 2, length: 1 } };
  assert.deepEqual(describeEntry(entry(play), labelOf), ["Ailsa plays a pair of sevens."]);
  assert.deepEqual(describeEntry(entry({ ...play, seat: 0 }), labelOf), ["You play a pair of sevens."]);
  assert.deepEqual(describeEntry(entry({ type: "bet", amount: 0 }), labelOf), ["Ailsa declares no bet."]);
  assert.deepEqual(describeEntry(entry({ type: "pass", by: "clock" }), labelOf), [
    "Ailsa passes.",
    "The time ran out.",
  ]);
});

test("consequences follow the entry", () => {
  const then = [
    { type: "trick_end", winner: 1, captured_by: 0 },
    { type: "out", seat: 1 },
  ];
  assert.deepEqual(describeEntry(entry({ type: "pass", seat: 0, then }), labelOf), [
    "You pass.",
    "Ailsa wins the trick with a bomb, you capture it.",
    "Ailsa is out.",
  ]);
});

test("unknown entry types are shown as they are", () => {
  assert.deepEqual(describeEntry(entry({ type: "danced", then: [{ type: "sang" }] }), labelOf), ["danced."]);
});

test("combinations have the same names as in the API", () => {
  assert.equal(combinationText({ kind: "set", top: 7, width: 1, length: 1 }), "single seven");
  assert.equal(combinationText({ kind: "set", top: 6, width: 2, length: 1 }), "pair of sixes");
  assert.equal(combinationText({ kind: "run", top: 4, width: 1, length: 3 }), "run of three, two to four");
  assert.equal(
    combinationText({ kind: "stair", top: 11, width: 2, length: 2 }),
    "stair of pairs, ten to jack",
  );
  assert.equal(combinationText({ kind: "set", top: 9, width: 4, length: 1 }), "four nines");
  assert.equal(
    combinationText({ kind: "stair", top: 5, width: 4, length: 2 }),
    "stair of quadruples, four to five",
  );
  assert.equal(combinationText({ kind: "bomb", top: 2, width: 0, length: 0 }), "bomb J-Q");
});

test("combinations are grouped by kind and size", () => {
  assert.equal(sizeText({ kind: "set", top: 7, width: 1, length: 1 }), "Single cards");
  assert.equal(sizeText({ kind: "set", top: 7, width: 3, length: 1 }), "Sets of three");
  assert.equal(sizeText({ kind: "stair", top: 7, width: 2, length: 3 }), "Stairs of three pairs");
  assert.equal(rankRange({ kind: "set", top: 10, width: 2, length: 1 }), "10 10");
  assert.equal(rankRange({ kind: "run", top: 11, width: 1, length: 3 }), "9–J");
});

test("a play is the object of a sentence", () => {
  const run = { kind: "run", top: 6, width: 1, length: 3 };
  assert.equal(playText(run), "a run of three, four to six");
  assert.equal(beatenText(run), "the run of three, four to six");
  assert.equal(playText({ kind: "bomb", top: 5, width: 0, length: 0 }), "a bomb, J-Q-K");
});

test("the seats to which a trick goes are named in the right person", () => {
  const [other, me] = [1, 0];
  const award = { type: "award", seat: other, to: me };
  assert.deepEqual(describeEntry(entry(award), labelOf), ["Ailsa gives the trick to you."]);
  const mine = { type: "award", seat: me, to: other };
  assert.deepEqual(describeEntry(entry(mine), labelOf), ["You give the trick to Ailsa."]);
});

test("times use the largest unit that fits", () => {
  const now = Date.parse("2026-02-03T12:00:00Z");
  assert.equal(relativeTime("2026-02-03T09:00:00Z", now), "3 hours ago");
  assert.equal(relativeTime("2026-02-05T12:00:00Z", now), "in 2 days");
  assert.equal(durationText(600), "10 minutes");
  assert.equal(clockText(65), "1:05");
  assert.equal(clockText(3605), "1:00:05");
  assert.equal(clockText(3 * 86400), "3 days");
  assert.equal(clockText(3 * 86400 - 5), "2 days 23 h");
});

test("cards are sorted by rank or by suit, and named by colour and shape", () => {
  assert.deepEqual(sortCards(["K", "Tr", "2g", "2r"]), ["2r", "2g", "Tr", "K"]);
  assert.deepEqual(sortCards(["K", "2g", "Tr", "2r"], "suit"), ["2r", "Tr", "2g", "K"]);
  assert.equal(cardName("Tg"), "ten of green clovers");
  assert.equal(deck(2).length, 36);
  assert.equal(deck(3).length, 45);
});
