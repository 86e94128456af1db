/* The cards behind the score sheet of a round. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import {
  betResults,
  capturedBySource,
  entriesOfRound,
  finalTable,
  pointsOf,
  scoringWithOptions,
  storyFromLog,
  storyOfRound,
} from "../../../../games/web/static/web/table/round-story.js";

const FOLDER = new URL("../../../records/", import.meta.url);
const RECORDS = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .map((name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))]);
const POINT_CARDS = { 3: 1, 5: 1, 7: 1, 9: 1, J: 2, Q: 3, K: 5 };
const ONE_PER_CARD = Object.fromEntries([..."23456789TJQK"].map((rank) => [rank, 1]));

const terms = (changes = {}) => ({
  card_points: POINT_CARDS,
  final_hand: "first_out",
  haggis: "first_out",
  bet_succeeds: "goes_out_first",
  ...changes,
});
const SCORING = {
  classic: terms(),
  revised: terms(),
  booklet: terms({ final_hand: "nobody", haggis: "last_to_play", bet_succeeds: "scores_the_bet" }),
  haggish: terms({ final_hand: "nobody", haggis: "nobody" }),
  deluxe: terms({ card_points: ONE_PER_CARD }),
};
const scoredRounds = (record) => record.rounds.filter((round) => round.scores);
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

for (const [name, record] of RECORDS) {
  const scoring = scoringWithOptions(SCORING[record.ruleset], record.options);

  test(`${name}: the captured cards of each seat are worth what it scored`, () => {
    for (const round of scoredRounds(record)) {
      const story = storyOfRound(record, round);
      for (const line of round.scores) {
        const cards = capturedBySource(story, scoring, line.seat).flatMap((each) => each.cards);
        assert.equal(
          sum(cards.map((code) => pointsOf(scoring, code))),
          line.captured,
          `round ${round.number}`,
        );
      }
    }
  });

  test(`${name}: going out scores five for each card in the largest opposing hand`, () => {
    for (const round of scoredRounds(record)) {
      const { goingOut } = storyOfRound(record, round);
      for (const line of round.scores) {
        const cards = goingOut.find(({ seat }) => seat === line.seat)?.cards ?? [];
        assert.equal(cards.length * 5, line.going_out, `round ${round.number}`);
      }
    }
  });

  test(`${name}: a bet that succeeded is scored by its player`, () => {
    for (const round of scoredRounds(record)) {
      for (const { seat, amount, won } of betResults(storyOfRound(record, round), scoring, round.scores)) {
        const line = round.scores.find((each) => each.seat === seat);
        if (won) assert.ok(line.bets >= amount, `round ${round.number}`);
      }
    }
  });
}

const [, record] = RECORDS.find(([name]) => name === "classic-3.json");
const [round] = scoredRounds(record);
const { number, dealer, leader } = round;
const ended = { ...round, type: "round_end" };

/** Return the log of a match whose first entry deals the round. */
const log = () => {
  const entries = round.actions.map((action, at) => ({
    ...action,
    combination: action.as,
    version: at + 2,
    then: [],
  }));
  entries.at(-1).then = [ended, { type: "deal", number: number + 1 }];
  return [{ version: 1, type: "started", then: [{ type: "deal", number, dealer, leader }] }, ...entries];
};

test("a round is told from the log as from its record", () => {
  const story = storyFromLog(record, entriesOfRound(log().reverse(), number), ended);
  const { hands, captured, out } = storyOfRound(record, round);
  assert.deepEqual([story.hands, story.captured, story.out], [hands, captured, out]);
});

test("a log without the beginning of a round, or with a gap, is not enough", () => {
  assert.equal(entriesOfRound(log().slice(1), number), null);
  assert.equal(entriesOfRound(log().toSpliced(5, 1), number), null);
  assert.equal(entriesOfRound(log().slice(0, -1), number), null);
});

test("the table after the last play shows that play, the remaining hand and the earlier scores", () => {
  const seats = round.totals.map((score) => ({ score }));
  const table = { ...record, seats, you: { seat: 0, to_act: true }, round: { trick: [], hands: [] } };
  const story = storyFromLog(record, entriesOfRound(log(), number), ended);
  const shown = finalTable(table, story, ended, 99);
  const lastPlay = round.actions.findLast(({ type }) => type === "play");
  assert.deepEqual(
    shown.round.last_trick.plays.findLast(({ type }) => type === "play").cards,
    lastPlay.cards,
  );
  assert.equal(shown.round.hands.filter(({ count }) => count > 0).length, 1);
  assert.deepEqual(
    shown.seats.map(({ score }) => score),
    round.totals.map((total, seat) => total - round.scores[seat].total),
  );
  assert.deepEqual([shown.version, shown.you.to_act], [99, false]);
});
