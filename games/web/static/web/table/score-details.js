/* What explains a score sheet: the cards behind each line, and the position after the last play. */

import { cardImage } from "../lib/card-art.js";
import { sortCards } from "../lib/cards.js";
import { t, tn } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";
import {
  betResults,
  capturedBySource,
  entriesOfRound,
  finalTable,
  pointsOf,
  scoringWithOptions,
  storyFromLog,
} from "./round-story.js";

export { entriesOfRound };

/** Return a table that shows the position after the last play of a round, or null if the log does not tell it. */
export function lastPosition(table, log, ended) {
  const entries = entriesOfRound(log, ended.number);
  if (!entries) return null;
  return finalTable(table, storyFromLog(table, entries, ended), ended, entries.entries.at(-1).version);
}

/** Return what the lines of a score sheet need to show their cards. */
export function scoreStory(table, entries, round, scoring) {
  const story = storyFromLog(table, entries, round);
  return { ...story, scoring: scoringWithOptions(scoring, table.options), scores: round.scores };
}

const PARTS = {
  going_out: goingOutPart,
  first_out_bonus: firstOutPart,
  captured: capturedPart,
  bets: betsPart,
};

/** Explain a line of the score sheet of the round that is shown. */
export const explainPart = (view, name) => PARTS[name](view, view.state.story);

/** Draw cards, with their points if `scoring` is given. */
const cardRow = (cards, scoring) =>
  h(
    "div",
    { class: "score-cards" },
    sortCards(cards).map((code, at) =>
      h(
        "span",
        { class: "score-card", key: `${code}${at}` },
        cardImage(code),
        scoring ? h("small", null, `+${pointsOf(scoring, code)}`) : null,
      ),
    ),
  );

function goingOutPart(view, { goingOut, scoring }) {
  return goingOut.map(({ seat, owner, cards }) => {
    const values = {
      name: view.labelOf(seat).name,
      owner: view.labelOf(owner).name,
      points: scoring.points_per_card_left,
      total: cards.length * scoring.points_per_card_left,
    };
    return h(
      "div",
      { key: seat },
      h("p", null, goingOutText(view, { seat, owner, count: cards.length }, values)),
      cardRow(cards),
    );
  });
}

function goingOutText(view, { seat, owner, count }, values) {
  if (view.labelOf(seat).me)
    return tn(
      "You went out: {points} points for each card in the largest other hand, {owner}’s: {count} card, {total} points.",
      "You went out: {points} points for each card in the largest other hand, {owner}’s: {count} cards, {total} points.",
      count,
      values,
    );
  if (view.labelOf(owner).me)
    return tn(
      "{name} went out: {points} points for each card in the largest other hand, yours: {count} card, {total} points.",
      "{name} went out: {points} points for each card in the largest other hand, yours: {count} cards, {total} points.",
      count,
      values,
    );
  return tn(
    "{name} went out: {points} points for each card in the largest other hand, {owner}’s: {count} card, {total} points.",
    "{name} went out: {points} points for each card in the largest other hand, {owner}’s: {count} cards, {total} points.",
    count,
    values,
  );
}

function firstOutPart(view, { out, scores }) {
  const seat = out[0];
  const points = scores.find((line) => line.seat === seat).first_out_bonus;
  const { me, name } = view.labelOf(seat);
  return h(
    "p",
    null,
    me
      ? t("You went out first: {points} points.", { points })
      : t("{name} went out first: {points} points.", { name, points }),
  );
}

function capturedPart(view, story) {
  const seats = story.captured.map((_, seat) => seat);
  return seats.map((seat) =>
    h(
      "section",
      { key: seat },
      h("h3", null, view.labelOf(seat).name),
      capturedBySource(story, story.scoring, seat).map((each) => sourcePart(view, story, each)),
    ),
  );
}

function sourcePart(view, { scoring }, { source, owner, cards }) {
  const counting = cards.filter((code) => pointsOf(scoring, code) > 0);
  const points = counting.reduce((sum, code) => sum + pointsOf(scoring, code), 0);
  return h(
    "div",
    { key: source },
    h(
      "p",
      null,
      tn("{source}: {points} point", "{source}: {points} points", points, {
        source: sourceText(view, source, owner),
        points,
      }),
    ),
    cardRow(counting, scoring),
    cards.length > counting.length
      ? h(
          "p",
          { class: "quiet small" },
          tn(
            "and {count} card without points",
            "and {count} cards without points",
            cards.length - counting.length,
          ),
        )
      : null,
  );
}

function sourceText(view, source, owner) {
  if (source === "tricks") return t("Tricks");
  if (source === "haggis") return t("The haggis");
  const { me, name } = view.labelOf(owner);
  return me ? t("The cards left in your hand") : t("The cards left in {name}’s hand", { name });
}

function betsPart(view, story) {
  const bets = betResults(story, story.scoring, story.scores);
  if (!bets.length) return h("p", null, t("Nobody bet."));
  return bets.map(({ seat, amount, won }) => h("p", { key: seat }, betText(view.labelOf(seat), amount, won)));
}

function betText({ me, name }, amount, won) {
  if (me)
    return won ? t("You bet {amount} and won.", { amount }) : t("You bet {amount} and lost.", { amount });
  return won
    ? t("{name} bet {amount} and won.", { name, amount })
    : t("{name} bet {amount} and lost.", { name, amount });
}
