/* The course of a match, step by step, from its record.

Whether the play was right the service judges (`POST /records/verify`); here a record that holds is only told again. So a
play needs no rules, but for what beats nothing: who has passed, who captures, who is out. */

import { FACES, isFace, sorted, suitOf } from "../lib/cards.js";

/** Every step of a match: the deal of each round, each action, the score of each round. */
export function steps(record) {
  const found = [];
  let totals = Array(record.players).fill(0);
  for (const round of record.rounds) {
    let state = dealt(record, round, totals);
    found.push({ ...state, kind: "deal" });
    for (const action of round.actions) {
      state = after(state, action, record);
      found.push({ ...state, kind: "action", action });
    }
    if (round.totals) totals = round.totals;
    if (round.scores) found.push({ ...state, kind: "score", scores: round.scores, totals, action: null });
  }
  return found.map((step, index) => ({ ...step, index }));
}

function dealt(record, round, totals) {
  return {
    round: round.number,
    dealer: round.dealer,
    leader: round.leader,
    totals,
    hands: round.hands.map((hand) => (hand.includes("J") ? [...hand] : [...hand, ...FACES])),
    haggis: round.haggis,
    bets: Array(record.players).fill(null),
    captured: Array.from({ length: record.players }, () => []),
    out: [],
    trick: [],
    lastTrick: null,
    toAct: round.leader,
    awardDue: null,
  };
}

function after(state, action, record) {
  switch (action.type) {
    case "bet":
      return { ...state, bets: put(state.bets, action.seat, action.amount) };
    case "award":
      return closed({ ...state, awardDue: null }, action.to);
    case "pass":
      return passed({ ...state, trick: [...state.trick, { seat: action.seat, type: "pass" }] }, record);
    default:
      return played(state, action, record);
  }
}

function played(state, action, record) {
  const gone = new Set(action.cards);
  const hands = state.hands.map((hand, seat) =>
    seat === action.seat ? hand.filter((code) => !gone.has(code)) : hand,
  );
  const out = hands[action.seat].length ? state.out : [...state.out, action.seat];
  const trick = [
    ...state.trick,
    { seat: action.seat, type: "play", cards: action.cards, combination: action.as },
  ];
  return passed({ ...state, hands, out, trick }, record);
}

/** Go on to the next who may act, or close the trick where everybody else has passed. */
function passed(state, record) {
  const top = state.trick.findLast((entry) => entry.type === "play");
  const since = state.trick.slice(state.trick.lastIndexOf(top) + 1).map((entry) => entry.seat);
  const holding = seatsHolding(state);
  const over = holding.length <= 1 || holding.every((seat) => seat === top.seat || since.includes(seat));
  if (!over) return { ...state, toAct: nextOf(holding, state.trick.at(-1).seat, record.players) };
  return ended(state, top, record);
}

function ended(state, top, record) {
  if (!isBomb(top)) return closed(state, top.seat);
  if (record.players === 2) return closed(state, 1 - top.seat);
  if (record.options?.bomb_capture === "tournament") return closed(state, belowBomb(state, top));
  return { ...state, awardDue: top.seat, toAct: top.seat };
}

/** Whose play lies just below the winning bomb; where there is none, the player to the right of the leader. */
function belowBomb(state, top) {
  const plays = state.trick.filter((entry) => entry.type === "play");
  return plays.at(-2)?.seat ?? (top.seat + state.hands.length - 1) % state.hands.length;
}

/** Whether a play is a bomb; a record need not name what is plain from the cards. */
function isBomb({ cards, combination }) {
  if (combination?.kind) return combination.kind === "bomb";
  if (cards.every(isFace)) return cards.length > 1;
  const suits = new Set(cards.map(suitOf)).size;
  return (
    cards.length === 4 &&
    [1, 4].includes(suits) &&
    sorted(cards)
      .map((code) => code[0])
      .join("") === "3579"
  );
}

function closed(state, captor) {
  const plays = state.trick.filter((entry) => entry.type === "play");
  const winner = plays.at(-1).seat;
  const captured = put(state.captured, captor, [
    ...state.captured[captor],
    ...plays.flatMap((entry) => entry.cards),
  ]);
  const holding = seatsHolding(state);
  const next =
    holding.length <= 1
      ? null
      : holding.includes(winner)
        ? winner
        : nextOf(holding, winner, state.hands.length);
  return { ...state, captured, trick: [], lastTrick: { winner, captor, entries: state.trick }, toAct: next };
}

const put = (list, place, value) => list.map((old, at) => (at === place ? value : old));
const seatsHolding = (state) => state.hands.flatMap((hand, seat) => (hand.length ? [seat] : []));

function nextOf(holding, seat, players) {
  for (let step = 1; step <= players; step += 1) {
    const next = (seat + step) % players;
    if (holding.includes(next)) return next;
  }
  return null;
}

/**
 * The decision that belongs to each step. A record does not know the versions of the log: the plays and passes of a
 * round are counted instead, which come in the same order.
 */
export function decisionsByStep(steps, analysis) {
  const found = new Map();
  for (const { number, decisions } of analysis.rounds ?? []) {
    const turns = steps.filter(
      ({ round, action }) => round === number && ["play", "pass"].includes(action?.type),
    );
    decisions.forEach((decision, at) => turns[at] && found.set(turns[at].index, decision));
  }
  return found;
}
