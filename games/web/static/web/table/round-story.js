/* What happened in a round that has ended: its last position, and the cards behind each line of its score sheet. */

import { isFace } from "../lib/cards.js";
import { buildSteps } from "../replay/steps.js";

const ACTIONS = new Set(["play", "pass", "bet", "award"]);

/** Return the deal and the entries of a round, or null if the log does not contain all of them. */
export function entriesOfRound(log, number) {
  const entries = [...log].sort((a, b) => a.version - b.version);
  const eventAt = (type) => entries.findIndex((entry) => eventOf(entry, type, number));
  const [first, last] = [eventAt("deal"), eventAt("round_end")];
  if (first < 0 || last <= first) return null;
  if (entries[last].version - entries[first].version !== last - first) return null;
  return { deal: eventOf(entries[first], "deal", number), entries: entries.slice(first + 1, last + 1) };
}

const eventOf = (entry, type, number) =>
  entry.then.find((event) => event.type === type && event.number === number);

/** Tell a round from the log of a match. `ended` has its hands as they were dealt and its haggis. */
export function storyFromLog(table, { deal, entries }, ended) {
  const actions = entries
    .filter((entry) => ACTIONS.has(entry.type))
    .map((entry) => ({ ...entry, as: entry.combination }));
  return storyOfRound(table, { ...deal, hands: ended.hands, haggis: ended.haggis, actions });
}

/** Tell a round from its record; `match` is the record or the table, for the rules. */
export function storyOfRound(match, round) {
  const steps = buildSteps({ ...match, rounds: [{ ...round, scores: null }] });
  return { ...steps.at(-1), actions: round.actions, goingOut: goingOut(steps) };
}

/** Return for each seat that went out the largest hand that an opponent held at that moment. */
function goingOut(steps) {
  return steps.flatMap((step, index) => {
    const seat = step.out.at(-1);
    if (!index || step.out.length === steps[index - 1].out.length) return [];
    const owner = step.hands.reduce(
      (best, hand, other) =>
        other !== seat && hand.length > (step.hands[best]?.length ?? -1) ? other : best,
      -1,
    );
    return [{ seat, owner, cards: step.hands[owner] }];
  });
}

const POINT_CARDS = { 3: 1, 5: 1, 7: 1, 9: 1, J: 2, Q: 3, K: 5 };

/** Return the rules for scoring with the options of a match. */
export function scoringWithOptions(scoring, options = {}) {
  return {
    ...scoring,
    ...(options.captured === "point_cards" ? { card_points: POINT_CARDS } : {}),
    ...(options.haggis_capture === "first_out" ? { final_hand: "first_out", haggis: "first_out" } : {}),
  };
}

/** Return the cards that a seat captured, by where they come from; sources without cards are left out. */
export function capturedBySource(story, scoring, seat) {
  const first = story.out[0];
  const last = story.hands.findIndex((hand) => hand.length > 0);
  const haggisTo = { first_out: first, last_to_play: story.lastTrick?.captor }[scoring.haggis];
  return [
    { source: "tricks", cards: story.captured[seat] },
    {
      source: "hand",
      owner: last,
      cards: last >= 0 && scoring.final_hand === "first_out" && seat === first ? story.hands[last] : [],
    },
    { source: "haggis", cards: seat === haggisTo ? story.haggis : [] },
  ].filter(({ cards }) => cards.length);
}

/** Return the points of a card under these rules. */
export const pointsOf = (scoring, code) => scoring.card_points[code[0]] ?? 0;

/** Return each bet of a round and whether it succeeded. */
export function betResults(story, scoring, scores) {
  return story.bets.flatMap((amount, seat) => {
    if (!amount) return [];
    const line = scores.find((each) => each.seat === seat);
    const won =
      scoring.bet_succeeds === "goes_out_first"
        ? story.out[0] === seat
        : line.going_out + line.first_out_bonus + line.captured >= amount;
    return [{ seat, amount, won }];
  });
}

/** Return a table that shows the position after the last play of a round, with all remaining hands. */
export function finalTable(table, story, ended, version) {
  const played = story.actions.filter(({ type }) => type === "play" || type === "pass");
  const { winner, captor, entries } = story.lastTrick;
  const scored = new Map(ended.scores.map((line) => [line.seat, line.total]));
  return {
    ...table,
    version,
    status: "active",
    pause: null,
    seats: table.seats.map((seat, number) => ({
      ...seat,
      score: ended.totals[number] - (scored.get(number) ?? 0),
    })),
    you: table.you && { ...table.you, to_act: false, may_bet: false, awards: [], standing_order: false },
    round: {
      ...table.round,
      number: ended.number,
      dealer: story.dealer,
      leader: story.leader,
      to_act: null,
      expects: null,
      deadline: null,
      trick: [],
      last_trick: { plays: played.slice(-entries.length), winner, captured_by: captor },
      hands: story.hands.map((cards) => ({ count: cards.length, faces: cards.filter(isFace), cards })),
      bets: story.bets,
      captured: story.captured,
      out: story.out,
    },
  };
}
