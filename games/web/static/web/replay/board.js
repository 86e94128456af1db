/* The board of a replay: all seats with their hands, the trick, and the last action. */

import { cardBack, cardImage } from "../lib/card-art.js";
import { cardPoints, isFace, sortCards } from "../lib/cards.js";
import { t, tn, tx } from "../lib/i18n.js";
import { labelLink } from "../lib/players.js";
import { combinationText, describeEntry } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { capturedText, publicBadges } from "../table/seats.js";
import { trickView } from "../table/trick.js";

export function board(view) {
  const { record } = view.state;
  return [
    h(
      "div",
      { class: "seats", "data-players": record.players, key: "seats" },
      Array.from({ length: record.players }, (_, seat) => seatPanel(view, seat)),
    ),
    h(
      "div",
      { class: "trick-area", key: "trick" },
      view.step.kind === "score" ? roundScores(view) : trickArea(view),
    ),
    h(
      "p",
      { class: "caption", role: "status", key: "caption" },
      h("span", null, h("b", null, t("Round {number}", { number: view.step.round })), ` · ${caption(view)}`),
    ),
  ];
}

function seatPanel(view, seat) {
  const { step } = view;
  const hand = sortCards(step.hands[seat]);
  const visible = view.state.viewpoint === "all" || view.state.viewpoint === seat || step.kind === "score";
  const turn = step.toAct === seat && step.kind !== "score";
  return h(
    "section",
    {
      class: `seat${turn ? " turn" : ""}`,
      "data-seat": seat,
      "aria-label": view.labelOf(seat).name,
      key: seat,
    },
    h(
      "header",
      null,
      h("h2", null, labelLink(view.labelOf(seat))),
      h("span", { class: "score" }, step.totals[seat]),
    ),
    h(
      "div",
      { class: "open-hand", vars: { "--n": Math.max(2, hand.length) } },
      hand.map((code) =>
        visible || isFace(code)
          ? cardImage(code, { key: code, cardId: isFace(code) ? `${seat}:${code}` : code })
          : h("span", { class: "card", key: code }, cardBack()),
      ),
    ),
    h(
      "p",
      { class: "facts" },
      h("span", { class: "in-hand" }, tx("{count} in hand", { count: h("b", null, hand.length) })),
      ...publicBadges({
        bet: step.bets[seat],
        out: step.out,
        isDealer: step.dealer === seat,
        seat,
      }),
      step.captured[seat].length ? capturedMark(step.captured[seat]) : null,
    ),
  );
}

const capturedMark = (cards) =>
  h(
    "span",
    { class: "mark", title: capturedText(cards) },
    tn("{count} pt", "{count} pts", cardPoints(cards)),
  );

function trickArea(view) {
  const { step } = view;
  const finished = !step.trick.length && step.lastTrick && step.kind === "action";
  const entries = finished ? step.lastTrick.entries : step.trick;
  const plays = entries.filter((entry) => entry.type === "play");
  if (!plays.length)
    return h("div", { class: "trick empty" }, h("p", null, step.kind === "deal" ? leadsText(view) : ""));
  const { combination } = plays.at(-1);
  return trickView(view, plays, {
    finished,
    combination: combination ? combinationText(combination) : null,
    note: finished
      ? t("{name} captures the trick.", { name: view.labelOf(step.lastTrick.captor).name })
      : null,
  });
}

const PARTS = [
  ["going_out", t("going out")],
  ["first_out_bonus", t("first out")],
  ["captured", t("captured")],
  ["bets", t("bets")],
];

function roundScores(view) {
  const { scores, totals } = view.step;
  return h(
    "table",
    { class: "scores panel-table" },
    h("caption", null, t("Round {number}", { number: view.step.round })),
    h(
      "tbody",
      null,
      scores.map((line) =>
        h(
          "tr",
          { key: line.seat },
          h("th", { scope: "row" }, view.labelOf(line.seat).name),
          h(
            "td",
            null,
            PARTS.filter(([name]) => line[name])
              .map(([name, label]) => `${label} ${line[name]}`)
              .join(", ") || t("nothing"),
          ),
          h("td", null, h("b", null, `+${line.total}`)),
          h("td", null, totals[line.seat]),
        ),
      ),
    ),
  );
}

const leadsText = ({ labelOf, step }) => t("{name} leads.", { name: labelOf(step.leader).name });

/** Describe the current step. */
function caption(view) {
  const { step } = view;
  if (step.kind === "deal") return leadsText(view);
  if (step.kind === "score")
    return step.scores
      .map((line) => `${view.labelOf(line.seat).name} ${line.total >= 0 ? "+" : ""}${line.total}`)
      .join(", ");
  const { action } = step;
  const combination = action.as && { text: combinationText(action.as) };
  return describeEntry({ ...action, combination, then: [] }, view.labelOf)[0];
}
