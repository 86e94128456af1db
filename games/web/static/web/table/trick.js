/* The current trick, or the last one. */

import { cardImage } from "../lib/card-art.js";
import { cardText, isFace, sortCards } from "../lib/cards.js";
import { t } from "../lib/i18n.js";
import { combinationText, listText } from "../lib/text.js";
import { h } from "../lib/vdom.js";

// The widths of small cards and figures in `rem` (table.css), and of the row of earlier plays.
const CARD_WIDTH = 2.1;
const NEXT_CARD_WIDTH = 1.2;
const MIN_FIGURE_WIDTH = 3.6;
const GAP = 0.5;
const ROW_WIDTH = { narrow: 16, wide: 27 };

/** Draw the cards of a play; wild cards are labelled with the card they represent. */
function playedCards(play, size = "") {
  const wilds = play.wilds ?? {};
  return h(
    "div",
    { class: `played ${size}`, "data-from": play.seat, vars: { "--n": Math.max(2, play.cards.length) } },
    sortCards(play.cards).map((code) =>
      h(
        "span",
        { class: "slot", key: code },
        cardImage(code, { cardId: isFace(code) ? `${play.seat}:${code}` : code }),
        wilds[code] && wilds[code] !== code
          ? h("small", { class: "stands-for" }, `= ${cardText(wilds[code])}`)
          : null,
      ),
    ),
  );
}

export function trickArea(view) {
  const { round } = view.state.table;
  const plays = round.trick.filter((entry) => entry.type === "play");
  if (plays.length) return currentTrick(view, round.trick, plays);
  if (round.last_trick) return finishedTrick(view, round.last_trick);
  return h(
    "div",
    { class: "trick empty", key: "none" },
    h(
      "p",
      null,
      view.labelOf(round.leader).me
        ? t("You lead the first trick.")
        : t("{name} leads the first trick.", { name: view.labelOf(round.leader).name }),
    ),
  );
}

const figureWidth = ({ cards }) =>
  GAP + Math.max(MIN_FIGURE_WIDTH, CARD_WIDTH + (cards.length - 1) * NEXT_CARD_WIDTH);

/** Return how many plays to leave out at the beginning of a row.

The row begins again with its last play when it is full. In between, the others stay where they are when a play is added. */
function hiddenPlays(plays, rowWidth) {
  let hidden = 0;
  let width = 0;
  for (const [at, play] of plays.entries()) {
    width += figureWidth(play);
    if (width <= rowWidth || at === hidden) continue;
    hidden = Math.max(hidden + 1, at - 1);
    width = plays.slice(hidden, at + 1).reduce((sum, each) => sum + figureWidth(each), 0);
  }
  return hidden;
}

/** List the earlier plays of a trick, only the last few of a long one. */
function earlierPlays(view, plays) {
  const hidden = hiddenPlays(plays, view.state.narrow ? ROW_WIDTH.narrow : ROW_WIDTH.wide);
  return h(
    "div",
    { class: "earlier", role: "list", "aria-label": t("Earlier in this trick") },
    hidden ? h("span", { class: "quiet", role: "listitem" }, t("{count} more", { count: hidden })) : null,
    plays
      .slice(hidden)
      .map((play, at) =>
        h(
          "figure",
          { key: hidden + at, role: "listitem" },
          playedCards(play, "small"),
          h("figcaption", null, view.labelOf(play.seat).name),
        ),
      ),
  );
}

/** Draw a trick: its top play large, the earlier ones small above it, and a note below. */
export function trickView(view, plays, { finished = false, combination, note }) {
  const top = plays.at(-1);
  return h(
    "div",
    { class: `trick${finished ? " over" : ""}`, key: "trick" },
    earlierPlays(view, plays.slice(0, -1)),
    h(
      "figure",
      { class: "top", key: `top${plays.length} ${top.cards}` },
      playedCards(top),
      h(
        "figcaption",
        null,
        h("b", null, view.labelOf(top.seat).name),
        combination ? `, ${combination}` : null,
      ),
    ),
    h("p", { class: "passes", key: `note ${note}` }, note),
  );
}

function currentTrick(view, trick, plays) {
  const top = plays.at(-1);
  const passes = trick.slice(trick.lastIndexOf(top) + 1);
  return trickView(view, plays, {
    combination: combinationText(top.combination),
    note: passes.length
      ? t("{names} passed", { names: listText(passes.map((entry) => view.labelOf(entry.seat).name)) })
      : " ",
  });
}

function captureText({ name, me }, wonByBomb) {
  if (wonByBomb)
    return me ? t("A bomb: you capture the trick.") : t("A bomb: {name} captures the trick.", { name });
  return me ? t("You take the trick.") : t("{name} takes the trick.", { name });
}

function finishedTrick(view, trick) {
  const plays = trick.plays.filter((entry) => entry.type === "play");
  const capturer = view.labelOf(trick.captured_by ?? trick.winner);
  const wonByBomb = trick.captured_by !== null && trick.captured_by !== trick.winner;
  return trickView(view, plays, {
    finished: !view.state.lastPlay,
    combination: combinationText(plays.at(-1).combination),
    note: captureText(capturer, wonByBomb),
  });
}
