/* The analysis of a match: what the strongest AI would have done with only the information that the player had. */

import { get, Problem, post } from "../lib/api.js";
import { asPlayer } from "../lib/auth.js";
import { t } from "../lib/i18n.js";
import { combinationText } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { chanceChart } from "./chance-chart.js";
import { decisionsByStep } from "./steps.js";

const POLL_MS = 2000;
const NEGLIGIBLE_COST = 0.5;

/** Loads, requests and polls the analysis of a match. */
export class Analysis {
  constructor(matchId, show) {
    Object.assign(this, { path: `/matches/${matchId}/analysis`, show });
    this.read();
  }

  stop() {
    clearTimeout(this.timer);
  }

  async read() {
    try {
      this.apply(await get(this.path));
    } catch (error) {
      this.show(error instanceof Problem && error.code === "not_analysed" ? { status: "none" } : null);
    }
  }

  async request() {
    try {
      this.apply(await asPlayer(() => post(this.path)));
    } catch (error) {
      this.show({ status: "failed", detail: error.message });
    }
  }

  apply(analysis) {
    this.show(analysis);
    if (analysis.status === "running") this.timer = setTimeout(() => this.read(), POLL_MS);
  }
}

/** The analysis section of the sidebar. */
export function analysisPart(view) {
  const { analysis } = view.state;
  if (!analysis) return null;
  return h(
    "section",
    { class: "analysis", "aria-label": t("Analysis"), key: "analysis" },
    h("h2", null, t("Analysis")),
    analysisContent(view, analysis),
  );
}

function analysisContent(view, analysis) {
  if (analysis.status === "none") return requestPanel(view);
  if (analysis.status === "failed")
    return h("p", { class: "quiet" }, analysis.detail ?? t("The analysis failed. Try again later."));
  const decisions = decisionsByStep(view.state.steps, analysis);
  const round = analysis.rounds.find(({ number }) => number === view.step.round);
  return [
    analysis.status === "running" ? progress(analysis) : null,
    verdictText(decisions.get(view.step.index)),
    round
      ? [chanceChart(view, round, decisions), costSummary(view, round)]
      : h("p", { class: "quiet" }, t("This round has not been analysed yet.")),
  ];
}

const requestPanel = (view) => [
  h(
    "p",
    { class: "small quiet" },
    t("See what the strongest AI would have done with only the information each player had."),
  ),
  h("button", { type: "button", onclick: () => view.analysis.request() }, t("Analyse this match")),
];

const progress = ({ done, total }) =>
  h(
    "p",
    { class: "small" },
    h("progress", { max: total, value: done, "aria-label": t("Progress") }),
    " ",
    t("{done} of {total} turns analysed", { done, total }),
  );

const moveText = (move) => (move.type === "pass" ? t("pass") : combinationText(move.combination));

/** The verdict on the current step. */
function verdictText(decision) {
  if (!decision)
    return h(
      "p",
      { class: "verdict quiet", key: "verdict" },
      t("Go to a play or a pass to see how good it was."),
    );
  const chance = t("Chance of going out first: {percent}%.", { percent: Math.round(decision.chance * 100) });
  if (decision.cost < NEGLIGIBLE_COST)
    return h("p", { class: "verdict good", key: "verdict" }, `${t("There was no better move.")} ${chance}`);
  return h(
    "p",
    { class: "verdict", key: "verdict" },
    h("b", null, t("Better: {move}.", { move: moveText(decision.best) })),
    ` ${t("It cost {points} points.", { points: decision.cost })} ${chance}`,
    decision.best.cards ? h("span", { class: "small quiet" }, ` (${decision.best.cards.join(" ")})`) : null,
  );
}

const costSummary = (view, round) =>
  h(
    "p",
    { class: "small", key: "costs" },
    t("Points lost in this round: {costs}.", {
      costs: round.costs.map(({ seat, cost }) => `${view.labelOf(seat).name} ${cost}`).join(", "),
    }),
  );
