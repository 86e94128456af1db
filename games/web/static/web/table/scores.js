/* The score sheet and the details of each round. */

import { cardImage } from "../lib/card-art.js";
import { sortCards } from "../lib/cards.js";
import { modalDialog } from "../lib/dialog.js";
import { matchLength } from "../lib/text.js";
import { h } from "../lib/vdom.js";

const PARTS = [
  ["going_out", "Going out"],
  ["first_out_bonus", "First out"],
  ["captured", "Captured"],
  ["bets", "Bets"],
];

/** The table of round totals. */
export function scoreSheet(view) {
  const { table, rounds } = view.state;
  const endedRounds = rounds.filter((round) => round.scores);
  return h(
    "table",
    { class: "scores" },
    h("caption", null, "Score sheet"),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, "Round"),
        table.seats.map((_, seat) => h("th", { scope: "col", key: seat }, view.labelOf(seat).name)),
      ),
    ),
    h(
      "tbody",
      null,
      endedRounds.map((round) =>
        h(
          "tr",
          { key: round.number },
          h(
            "th",
            { scope: "row" },
            h(
              "button",
              {
                type: "button",
                class: "link",
                "aria-label": `Round ${round.number}: how it was scored`,
                onclick: () => view.update({ endedRound: round }),
              },
              round.number,
            ),
          ),
          round.scores.map((line) => h("td", { key: line.seat }, line.total)),
        ),
      ),
      endedRounds.length
        ? null
        : h(
            "tr",
            { key: "none" },
            h("td", { class: "quiet", colspan: table.seats.length + 1 }, "No round finished yet."),
          ),
    ),
    h(
      "tfoot",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "row" }, matchLength(table)),
        table.seats.map((seat) => h("td", { key: seat.seat }, h("b", null, seat.score))),
      ),
    ),
  );
}

/** The score of one round by category. */
function roundScores(view, scores, totals) {
  const shownParts = PARTS.filter(
    ([name]) => name !== "first_out_bonus" || scores.some((line) => line[name]),
  );
  return h(
    "table",
    { class: "scores parts" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("td", null),
        scores.map((line) => h("th", { scope: "col", key: line.seat }, view.labelOf(line.seat).name)),
      ),
    ),
    h(
      "tbody",
      null,
      shownParts.map(([name, label]) =>
        h(
          "tr",
          { key: name },
          h("th", { scope: "row" }, label),
          scores.map((line) => h("td", { key: line.seat }, line[name])),
        ),
      ),
    ),
    h(
      "tfoot",
      null,
      h(
        "tr",
        { key: "round" },
        h("th", { scope: "row" }, "Round"),
        scores.map((line) => h("td", { key: line.seat }, h("b", null, line.total))),
      ),
      h(
        "tr",
        { key: "match" },
        h("th", { scope: "row" }, "Match"),
        totals.map((total, seat) => h("td", { key: seat }, h("b", null, total))),
      ),
    ),
  );
}

/** The dialog at the end of a round: scores, leftover cards and the haggis. */
export function roundEndDialog(view) {
  const { endedRound, table } = view.state;
  if (!endedRound) return null;
  const isLast = table.status === "finished" || table.status === "cancelled";
  return modalDialog(
    {
      key: `end${endedRound.number}`,
      title: `Round ${endedRound.number} is over`,
      onclose: () => view.update({ endedRound: null }),
    },
    endedRound.out?.length ? h("p", null, `${view.labelOf(endedRound.out[0]).name} went out first.`) : null,
    roundScores(view, endedRound.scores, endedRound.totals),
    dealDetails(view, endedRound),
    h(
      "form",
      { method: "dialog" },
      h("button", { class: "main", autofocus: true }, isLast ? "See the result" : "Continue"),
    ),
  );
}

function dealDetails(view, endedRound) {
  const seat = endedRound.out
    ? view.state.table.seats.findIndex((_, number) => !endedRound.out.includes(number))
    : -1;
  return h(
    "details",
    null,
    h("summary", null, "Haggis and deal"),
    h("h3", null, "In the haggis"),
    h(
      "div",
      { class: "spread" },
      sortCards(endedRound.haggis ?? []).map((code) => cardImage(code, { key: code })),
    ),
    seat >= 0
      ? h(
          "p",
          { class: "quiet" },
          `${view.labelOf(seat).name} ${view.labelOf(seat).me ? "were" : "was"} left with cards.`,
        )
      : null,
    h(
      "p",
      { class: "quiet" },
      `The link of this deal is ${endedRound.link?.slice(0, 16)}…. The replay verifies it.`,
    ),
  );
}
