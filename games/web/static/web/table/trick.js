/* The current trick, or the last one. */

import { cardImage } from "../lib/card-art.js";
import { cardText, isFace, sortCards } from "../lib/cards.js";
import { h } from "../lib/vdom.js";

const MAX_SHOWN_NARROW = 4;

/** Draw the cards of a play; wild cards are labelled with the card they represent. */
function playedCards(play, size = "") {
  const wilds = play.wilds ?? {};
  return h(
    "div",
    { class: `played ${size}`, "data-from": play.seat },
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
      `${view.labelOf(round.leader).name} ${view.labelOf(round.leader).me ? "lead" : "leads"} the first trick.`,
    ),
  );
}

/** List the earlier plays of a trick; on narrow screens only the last few. */
function earlierPlays(view, plays) {
  const hidden = view.state.narrow ? Math.max(0, plays.length - MAX_SHOWN_NARROW) : 0;
  return h(
    "div",
    { class: "earlier", role: "list", "aria-label": "Earlier in this trick" },
    hidden ? h("span", { class: "quiet", role: "listitem" }, `${hidden} more`) : null,
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
      { class: "top", key: `top${plays.length}` },
      playedCards(top),
      h(
        "figcaption",
        null,
        h("b", null, view.labelOf(top.seat).name),
        combination ? `, ${combination}` : null,
      ),
    ),
    h("p", { class: "passes" }, note),
  );
}

function currentTrick(view, trick, plays) {
  const top = plays.at(-1);
  const passes = trick.slice(trick.lastIndexOf(top) + 1);
  return trickView(view, plays, {
    combination: top.combination.text,
    note: passes.length
      ? `${passes.map((entry) => view.labelOf(entry.seat).name).join(" and ")} passed`
      : " ",
  });
}

function finishedTrick(view, trick) {
  const plays = trick.plays.filter((entry) => entry.type === "play");
  const capturer = view.labelOf(trick.captured_by ?? trick.winner);
  const wonByBomb = trick.captured_by !== null && trick.captured_by !== trick.winner;
  return trickView(view, plays, {
    finished: true,
    combination: plays.at(-1).combination.text,
    note: wonByBomb
      ? `A bomb: ${capturer.object} ${capturer.me ? "capture" : "captures"} the trick.`
      : `${capturer.name} ${capturer.me ? "take" : "takes"} the trick.`,
  });
}
