/* Reconstruct a match step by step from its record.

The service verifies that the play was legal (`POST /records/verify`). The only rules needed here are whose turn it is,
who captures the trick, and who is out. */

import { FACES, isFace, sortCards, suitOf } from "../lib/cards.js";

/** Return all steps of a match: the deal of each round, every action, and the score of each round. */
export function buildSteps(record) {
  const result = [];
  let totals = Array(record.players).fill(0);
  for (const round of record.rounds) {
    let state = afterDeal(record, round, totals);
    result.push({ ...state, kind: "deal" });
    for (const action of round.actions) {
      state = applyAction(state, action, record);
      result.push({ ...state, kind: "action", action });
    }
    if (round.totals) totals = round.totals;
    if (round.scores) result.push({ ...state, kind: "score", scores: round.scores, totals, action: null });
  }
  return result.map((step, index) => ({ ...step, index }));
}

function afterDeal(record, round, totals) {
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

function applyAction(state, action, record) {
  switch (action.type) {
    case "bet":
      return { ...state, bets: replaceAt(state.bets, action.seat, action.amount) };
    case "award":
      return closeTrick({ ...state, awardDue: null }, action.to);
    case "pass":
      return advance({ ...state, trick: [...state.trick, { seat: action.seat, type: "pass" }] }, record);
    default:
      return applyPlay(state, action, record);
  }
}

function applyPlay(state, action, record) {
  const playedCodes = new Set(action.cards);
  const hands = state.hands.map((hand, seat) =>
    seat === action.seat ? hand.filter((code) => !playedCodes.has(code)) : hand,
  );
  const out = hands[action.seat].length ? state.out : [...state.out, action.seat];
  const trick = [
    ...state.trick,
    { seat: action.seat, type: "play", cards: action.cards, combination: action.as },
  ];
  return advance({ ...state, hands, out, trick }, record);
}

/** Advance to the next seat to act, or end the trick if all others have passed. */
function advance(state, record) {
  const top = state.trick.findLast((entry) => entry.type === "play");
  const passedSeats = state.trick.slice(state.trick.lastIndexOf(top) + 1).map((entry) => entry.seat);
  const seatsInPlay = seatsWithCards(state);
  const over =
    seatsInPlay.length <= 1 || seatsInPlay.every((seat) => seat === top.seat || passedSeats.includes(seat));
  if (!over) return { ...state, toAct: nextSeat(seatsInPlay, state.trick.at(-1).seat, record.players) };
  return endTrick(state, top, record);
}

function endTrick(state, top, record) {
  if (!isBomb(top)) return closeTrick(state, top.seat);
  if (record.players === 2) return closeTrick(state, 1 - top.seat);
  if (record.options?.bomb_capture === "tournament")
    return closeTrick(state, tournamentCaptor(state, top, record));
  return { ...state, awardDue: top.seat, toAct: top.seat };
}

/**
 * Return who captures a trick won by a bomb in a tournament: the seat that played just below the bomb, or the seat to
 * the right of the leader if there is none. Deluxe, from version 2: the seat of the last play that is not a bomb.
 */
function tournamentCaptor(state, top, record) {
  const plays = state.trick.filter((entry) => entry.type === "play");
  const below = plays.at(-2)?.seat ?? (top.seat + state.hands.length - 1) % state.hands.length;
  if (record.ruleset !== "deluxe" || record.ruleset_version === "1") return below;
  const ordinary = plays.findLast((play) => !isBomb(play))?.seat ?? top.seat;
  return ordinary === top.seat ? below : ordinary;
}

/** Return whether a play is a bomb. Records may omit a combination that is clear from the cards. */
function isBomb({ cards, combination }) {
  if (combination?.kind) return combination.kind === "bomb";
  if (cards.every(isFace)) return cards.length > 1;
  const suits = new Set(cards.map(suitOf)).size;
  return (
    cards.length === 4 &&
    [1, 4].includes(suits) &&
    sortCards(cards)
      .map((code) => code[0])
      .join("") === "3579"
  );
}

function closeTrick(state, captor) {
  const plays = state.trick.filter((entry) => entry.type === "play");
  const winner = plays.at(-1).seat;
  const captured = replaceAt(state.captured, captor, [
    ...state.captured[captor],
    ...plays.flatMap((entry) => entry.cards),
  ]);
  const seatsInPlay = seatsWithCards(state);
  const next =
    seatsInPlay.length <= 1
      ? null
      : seatsInPlay.includes(winner)
        ? winner
        : nextSeat(seatsInPlay, winner, state.hands.length);
  return { ...state, captured, trick: [], lastTrick: { winner, captor, entries: state.trick }, toAct: next };
}

const replaceAt = (list, index, value) => list.map((item, at) => (at === index ? value : item));
const seatsWithCards = (state) => state.hands.flatMap((hand, seat) => (hand.length ? [seat] : []));

function nextSeat(seatsInPlay, seat, players) {
  for (let step = 1; step <= players; step += 1) {
    const next = (seat + step) % players;
    if (seatsInPlay.includes(next)) return next;
  }
  return null;
}

/**
 * Map steps to the decisions of an analysis. Records have no log versions, so the plays and passes of each round are
 * matched by their order.
 */
export function decisionsByStep(steps, analysis) {
  const result = new Map();
  for (const { number, decisions } of analysis.rounds ?? []) {
    const turns = steps.filter(
      ({ round, action }) => round === number && ["play", "pass"].includes(action?.type),
    );
    decisions.forEach((decision, at) => turns[at] && result.set(turns[at].index, decision));
  }
  return result;
}
