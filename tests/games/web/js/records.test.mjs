/* Replay whole matches step by step and verify their deals, including forged ones. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { verifyDeals } from "../../../../games/web/static/web/lib/verify.js";
import { buildSteps, decisionsByStep } from "../../../../games/web/static/web/replay/steps.js";

const FOLDER = new URL("../../../records/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const read = (name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
const PROVEN = "classic-3.json";

const forge = (change) => {
  const record = read(PROVEN);
  change(record);
  return verifyDeals(record);
};

for (const name of FILES) {
  test(`${name}: the deals are valid`, () => {
    const verdict = verifyDeals(read(name));
    assert.equal(verdict.valid, true, JSON.stringify(verdict));
    if (read(name).anchor) assert.ok(verdict.findings.every((finding) => finding.proven));
  });

  test(`${name}: every action is by the seat to act, and no card is lost`, () => {
    const record = read(name);
    const course = buildSteps(record);
    for (const [index, step] of course.entries()) {
      if (step.kind === "action" && step.action.type !== "bet")
        assert.equal(course[index - 1].toAct, step.action.seat, `step ${index}`);
      const cards = [
        ...step.hands.flat(),
        ...step.captured.flat(),
        ...step.haggis,
        ...step.trick.flatMap((entry) => entry.cards ?? []),
      ];
      assert.equal(cards.length, record.players === 2 ? 42 : 54, `step ${index}`);
    }
  });
}

test("records are found", () => assert.ok(FILES.length > 5 && FILES.includes(PROVEN)));

test("a card moved to another hand is detected", () => {
  const verdict = forge(({ rounds: [first] }) => {
    [first.hands[0][0], first.hands[1][0]] = [first.hands[1][0], first.hands[0][0]];
  });
  assert.equal(verdict.valid, false);
  assert.equal(verdict.where, "rounds[0].hands[0]");
});

test("a changed haggis is detected", () => {
  const verdict = forge(({ rounds: [first] }) => {
    [first.haggis[0], first.hands[0][0]] = [first.hands[0][0], first.haggis[0]];
  });
  assert.equal(verdict.valid, false);
});

test("every digit of the anchor and the links is verified", () => {
  const other = (text, at) => text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
  for (let at = 0; at < 64; at += 1) {
    assert.equal(
      forge((record) => Object.assign(record, { anchor: other(record.anchor, at) })).where,
      "rounds[0].link",
    );
    assert.equal(
      forge(({ rounds }) => Object.assign(rounds[0], { link: other(rounds[0].link, at) })).where,
      "rounds[0].link",
    );
  }
});

test("a changed client seed is detected", () => {
  assert.equal(
    forge((record) => Object.assign(record, { client_seeds: record.client_seeds.map((seed) => `${seed}!`) }))
      .valid,
    false,
  );
});

test("a changed dealer is detected", () => {
  const verdict = forge(({ rounds: [first], players }) =>
    Object.assign(first, { dealer: (first.dealer + 1) % players }),
  );
  assert.equal(verdict.where, "rounds[0].dealer");
});

test("a record without anchor is valid but unproven", () => {
  const verdict = forge((record) => Object.assign(record, { anchor: null }));
  assert.equal(verdict.valid, true);
  assert.ok(verdict.findings.every((finding) => !finding.proven));
});

test("invalid records are rejected", () => {
  for (const record of [
    null,
    7,
    [],
    {},
    { format: "haggis-record/2" },
    { format: "haggis-record/1", players: 4 },
  ])
    assert.equal(verifyDeals(record).valid, false);
});

test("decisions are mapped to their steps, also while the analysis is incomplete", () => {
  const course = buildSteps(read(PROVEN));
  const turns = course.filter(({ action }) => ["play", "pass"].includes(action?.type));
  const analysisOf = (round, count) => ({
    number: round,
    decisions: turns
      .filter((step) => step.round === round)
      .slice(0, count)
      .map((step) => ({ about: step.index })),
  });
  const whole = decisionsByStep(course, {
    rounds: read(PROVEN).rounds.map(({ number }) => analysisOf(number, Infinity)),
  });
  assert.equal(whole.size, turns.length);
  for (const [index, { about }] of whole) assert.equal(index, about);
  assert.equal(decisionsByStep(course, { rounds: [analysisOf(1, 3)] }).size, 3);
  assert.equal(decisionsByStep(course, {}).size, 0);
});

/** Play a trick: a nine, two bombs above it, the first of them by the seat `first`, and passes. */
const bombedTrick = (changes, first) => {
  const play = (seat, ...cards) => ({ seat, type: "play", cards });
  const [second, third] = [1, 2].map((step) => (first + step) % 3);
  const record = {
    players: 3,
    options: { bomb_capture: "tournament" },
    ...changes,
    rounds: [
      {
        number: 1,
        dealer: null,
        leader: first,
        haggis: [],
        hands: [0, 1, 2].map((seat) => [`9${"rgb"[seat]}`, `4${"rgb"[seat]}`, "J", "Q", "K"]),
        actions: [
          play(first, `9${"rgb"[first]}`),
          play(second, "J", "Q"),
          play(third, "J", "K"),
          { seat: first, type: "pass" },
          { seat: second, type: "pass" },
        ],
      },
    ],
  };
  return buildSteps(record).at(-1).lastTrick;
};

test("in deluxe tournaments the last player without a bomb captures a bombed trick", () => {
  assert.equal(bombedTrick({ ruleset: "deluxe", ruleset_version: "2" }, 0).captor, 0);
});

test("in other tournaments the seat just below the bomb captures the trick", () => {
  assert.equal(bombedTrick({ ruleset: "classic", ruleset_version: "2" }, 0).captor, 1);
  assert.equal(bombedTrick({ ruleset: "deluxe", ruleset_version: "1" }, 0).captor, 1);
});
