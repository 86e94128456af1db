/* The middle of the table: the trick as it lies, or the last one. */

import { lyingCard } from "../lib/card-art.js";
import { isFace, sorted } from "../lib/cards.js";
import { h } from "../lib/vdom.js";

const SHOWN_NARROW = 4;

/** The cards of a play; those that stand for others say so. */
export function playedCards(play, size = "") {
  const wilds = play.wilds ?? {};
  return h(
    "div",
    { class: `played ${size}`, "data-from": play.seat },
    sorted(play.cards).map((code) =>
      h(
        "span",
        { class: "slot", key: code },
        lyingCard(code, { mark: isFace(code) ? `${play.seat}:${code}` : code }),
        wilds[code] && wilds[code] !== code
          ? h("small", { class: "stands" }, `= ${standsFor(wilds[code])}`)
          : null,
      ),
    ),
  );
}

/** "8g" as people read it. */
export const standsFor = (code) => {
  const rank = code.startsWith("T") ? `10${code.slice(1)}` : code;
  return rank.length > 1 && rank.at(-1) in NAMES ? `${rank.slice(0, -1)} ${NAMES[rank.at(-1)]}` : rank;
};
const NAMES = { r: "red", o: "orange", y: "yellow", g: "green", b: "blue" };

export function trickArea(view) {
  const { round } = view.state.table;
  const plays = round.trick.filter((entry) => entry.type === "play");
  if (plays.length) return current(view, round.trick, plays);
  if (round.last_trick) return last(view, round.last_trick);
  return h(
    "div",
    { class: "trick empty", key: "none" },
    h(
      "p",
      null,
      `${view.of(round.leader).name} ${view.of(round.leader).me ? "lead" : "leads"} the first trick.`,
    ),
  );
}

/** What the top of a trick lies on; where there is little room, the last of it. */
export function earlier(view, plays) {
  const hidden = view.state.narrow ? Math.max(0, plays.length - SHOWN_NARROW) : 0;
  return h(
    "div",
    { class: "before", role: "list", "aria-label": "Earlier in this trick" },
    hidden ? h("span", { class: "quiet", role: "listitem" }, `${hidden} more`) : null,
    plays
      .slice(hidden)
      .map((play, at) =>
        h(
          "figure",
          { key: hidden + at, role: "listitem" },
          playedCards(play, "small"),
          h("figcaption", null, view.of(play.seat).name),
        ),
      ),
  );
}

function current(view, trick, plays) {
  const top = plays.at(-1);
  const after = trick.slice(trick.lastIndexOf(top) + 1);
  return h(
    "div",
    { class: "trick", key: "trick" },
    earlier(view, plays.slice(0, -1)),
    h(
      "figure",
      { class: "top", key: `top${plays.length}` },
      playedCards(top),
      h("figcaption", null, h("b", null, view.of(top.seat).name), `, ${top.combination.text}`),
    ),
    h(
      "p",
      { class: "passes" },
      after.length ? `${after.map((entry) => view.of(entry.seat).name).join(" and ")} passed` : " ",
    ),
  );
}

function last(view, trick) {
  const plays = trick.plays.filter((entry) => entry.type === "play");
  const top = plays.at(-1);
  const taker = view.of(trick.captured_by ?? trick.winner);
  const bombed = trick.captured_by !== null && trick.captured_by !== trick.winner;
  return h(
    "div",
    { class: "trick over", key: "trick" },
    earlier(view, plays.slice(0, -1)),
    h(
      "figure",
      { class: "top", key: `top${plays.length}` },
      playedCards(top),
      h("figcaption", null, h("b", null, view.of(top.seat).name), `, ${top.combination.text}`),
    ),
    h(
      "p",
      { class: "passes" },
      bombed
        ? `A bomb: ${taker.object} ${taker.me ? "capture" : "captures"} the trick.`
        : `${taker.name} ${taker.me ? "take" : "takes"} the trick.`,
    ),
  );
}
