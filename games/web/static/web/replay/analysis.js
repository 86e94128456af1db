/* What the strongest AI would have done, knowing only what the player knew: asked for, followed, and shown. */

import { get, Problem, post } from "../lib/api.js";
import { asPlayer } from "../lib/entering.js";
import { h } from "../lib/vdom.js";
import { chances } from "./chances.js";
import { decisionsByStep } from "./course.js";

const AGAIN = 2000;
const SMALL = 0.5;

/** The analysis of a match: read where it is, asked for where it is wanted, followed until it is whole. */
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
      this.take(await get(this.path));
    } catch (error) {
      this.show(error instanceof Problem && error.code === "not_analysed" ? { status: "none" } : null);
    }
  }

  async ask() {
    try {
      this.take(await asPlayer(() => post(this.path)));
    } catch (error) {
      this.show({ status: "failed", detail: error.message });
    }
  }

  take(analysis) {
    this.show(analysis);
    if (analysis.status === "running") this.timer = setTimeout(() => this.read(), AGAIN);
  }
}

/** The part of the page about it. */
export function analysisPart(view) {
  const { analysis } = view.state;
  if (!analysis) return null;
  return h(
    "section",
    { class: "analysis", "aria-label": "Analysis", key: "analysis" },
    h("h2", null, "Analysis"),
    content(view, analysis),
  );
}

function content(view, analysis) {
  if (analysis.status === "none") return asking(view);
  if (analysis.status === "failed")
    return h("p", { class: "quiet" }, analysis.detail ?? "It could not be made.");
  const decisions = decisionsByStep(view.state.steps, analysis);
  const round = analysis.rounds.find(({ number }) => number === view.step.round);
  return [
    analysis.status === "running" ? progress(analysis) : null,
    verdict(decisions.get(view.step.index)),
    round
      ? [chances(view, round, decisions), costs(view, round)]
      : h("p", { class: "quiet" }, "This round has not been looked at yet."),
  ];
}

const asking = (view) => [
  h(
    "p",
    { class: "small quiet" },
    "What would the strongest AI have done, knowing only what each player knew?",
  ),
  h("button", { type: "button", onclick: () => view.analysis.ask() }, "Analyse this match"),
];

const progress = ({ done, total }) =>
  h(
    "p",
    { class: "small" },
    h("progress", { max: total, value: done, "aria-label": "How far it is" }),
    ` ${done} of ${total} turns`,
  );

const moveText = (move) => (move.type === "pass" ? "pass" : move.combination.text);

/** What is to be said of the step that is shown. */
function verdict(decision) {
  if (!decision)
    return h(
      "p",
      { class: "verdict quiet", key: "verdict" },
      "Go to a play or a pass to see what it was worth.",
    );
  const chance = `Chance of going out first: ${Math.round(decision.chance * 100)} %.`;
  if (decision.cost < SMALL)
    return h("p", { class: "verdict good", key: "verdict" }, `Nothing was better. ${chance}`);
  return h(
    "p",
    { class: "verdict", key: "verdict" },
    h("b", null, `Better: ${moveText(decision.best)}. `),
    `It cost ${decision.cost} points. ${chance}`,
    decision.best.cards ? h("span", { class: "small quiet" }, ` (${decision.best.cards.join(" ")})`) : null,
  );
}

const costs = (view, round) =>
  h(
    "p",
    { class: "small", key: "costs" },
    "Given away in this round: ",
    round.costs.map(({ seat, cost }) => `${view.of(seat).name} ${cost}`).join(", "),
    ".",
  );
