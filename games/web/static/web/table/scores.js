/* The score sheet and the details of each round. */

import { cardImage } from "../lib/card-art.js";
import { sortCards } from "../lib/cards.js";
import { modalDialog } from "../lib/dialog.js";
import { t } from "../lib/i18n.js";
import { labelLink } from "../lib/players.js";
import { matchLength } from "../lib/text.js";
import { h } from "../lib/vdom.js";

const PARTS = [
  ["going_out", t("Going out")],
  ["first_out_bonus", t("First out")],
  ["captured", t("Captured")],
  ["bets", t("Bets")],
];

const nameHeader = (view, seat) =>
  h(
    "th",
    { scope: "col", key: seat, class: "name", title: view.labelOf(seat).name },
    labelLink(view.labelOf(seat)),
  );

/** The table of round totals. */
export function scoreSheet(view) {
  const { table, rounds } = view.state;
  const endedRounds = rounds.filter((round) => round.scores);
  return h(
    "table",
    { class: "scores" },
    h("caption", null, t("Score sheet")),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, t("Round")),
        table.seats.map((_, seat) => nameHeader(view, seat)),
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
                "aria-label": t("Round {number}: how it was scored", { number: round.number }),
                onclick: () => view.openRound(round),
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
            h("td", { class: "quiet", colspan: table.seats.length + 1 }, t("No round finished yet.")),
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
        scores.map((line) => nameHeader(view, line.seat)),
      ),
    ),
    h(
      "tbody",
      null,
      shownParts.map(([name, label]) => partRows(view, scores, name, label)),
    ),
    h(
      "tfoot",
      null,
      h(
        "tr",
        { key: "round" },
        h("th", { scope: "row" }, t("Round")),
        scores.map((line) => h("td", { key: line.seat }, h("b", null, line.total))),
      ),
      h(
        "tr",
        { key: "match" },
        h("th", { scope: "row" }, t("Match")),
        totals.map((total, seat) => h("td", { key: seat }, h("b", null, total))),
      ),
    ),
  );
}

/** A line of the score sheet, which opens to show the cards behind it. */
function partRows(view, scores, name, label) {
  const { story, scorePart } = view.state;
  const open = scorePart === name;
  return [
    h(
      "tr",
      { key: name },
      h(
        "th",
        { scope: "row" },
        story
          ? h(
              "button",
              {
                type: "button",
                class: "link part",
                "aria-expanded": String(open),
                onclick: () => view.update({ scorePart: open ? null : name }),
              },
              label,
            )
          : label,
      ),
      scores.map((line) => h("td", { key: line.seat }, line[name])),
    ),
    open && story
      ? h(
          "tr",
          { key: `${name}-cards` },
          h(
            "td",
            { class: "part-details", colspan: scores.length + 1 },
            view.details.explainPart(view, name),
          ),
        )
      : null,
  ];
}

/** The dialog at the end of a round: scores, leftover cards and the haggis. */
export function roundEndDialog(view) {
  const { endedRound, table } = view.state;
  if (!endedRound) return null;
  const isLast = table.status === "finished" || table.status === "cancelled";
  return modalDialog(
    {
      key: `end${endedRound.number}`,
      title: t("Round {number} is over", { number: endedRound.number }),
      onclose: () => view.update({ endedRound: null }),
    },
    endedRound.out?.length ? h("p", null, firstOutText(view.labelOf(endedRound.out[0]))) : null,
    roundScores(view, endedRound.scores, endedRound.totals),
    dealDetails(view, endedRound),
    h(
      "form",
      { method: "dialog" },
      h("button", { class: "main", autofocus: true }, isLast ? t("See the result") : t("Continue")),
    ),
  );
}

const firstOutText = ({ me, name }) =>
  me ? t("You went out first.") : t("{name} went out first.", { name });

/** The cards that nobody played: the haggis and the hand that was left. */
function dealDetails(view, endedRound) {
  const { story } = view.state;
  const left = story ? story.hands.findIndex((hand) => hand.length > 0) : -1;
  return h(
    "details",
    null,
    h("summary", null, t("Haggis and deal")),
    h("h3", null, t("In the haggis")),
    cardSpread(endedRound.haggis ?? []),
    left < 0
      ? null
      : [
          h("h3", { key: "left" }, leftText(view.labelOf(left))),
          h("div", { key: "cards" }, cardSpread(story.hands[left])),
        ],
    endedRound.link
      ? h(
          "p",
          { class: "quiet", key: "link" },
          t("The link of this deal is {link}…. The replay verifies it.", {
            link: endedRound.link.slice(0, 16),
          }),
        )
      : null,
  );
}

const leftText = ({ me, name }) =>
  me ? t("The cards left in your hand") : t("The cards left in {name}’s hand", { name });

const cardSpread = (cards) =>
  h(
    "div",
    { class: "spread" },
    sortCards(cards).map((code) => cardImage(code, { key: code })),
  );
