/* The sidebar of a replay: scores, proof of the deals, and analysis. */

import { matchLength, ruleSetName } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { analysisPart } from "./analysis.js";

export function sidebar(view) {
  const { record } = view.state;
  return h(
    "aside",
    { class: "side", "aria-label": "Match details" },
    h(
      "div",
      null,
      h("h1", { class: "names" }, view.state.names.join(" and ")),
      h("p", { class: "quiet" }, matchTerms(record)),
    ),
    scores(view),
    dealProof(view),
    analysisPart(view),
    h(
      "p",
      { class: "small quiet" },
      view.matchId
        ? h(
            "a",
            { href: `/api/v1/matches/${view.matchId}/record`, download: `${view.matchId}.json` },
            "Download record",
          )
        : h("a", { href: "/replay" }, "Open another record"),
    ),
  );
}

const matchTerms = (record) =>
  `${ruleSetName(record.ruleset)}, ${matchLength({ rounds: record.rounds_limit, target_score: record.target_score })}${record.result ? `. ${record.result.scores.join(" to ")}` : ""}.`;

function scores(view) {
  const { record, names } = view.state;
  const start = (number) =>
    view.state.steps.find((step) => step.kind === "deal" && step.round === number).index;
  return h(
    "table",
    { class: "scores" },
    h("caption", null, "Rounds"),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, "Round"),
        names.map((name, seat) => h("th", { scope: "col", key: seat }, name)),
      ),
    ),
    h(
      "tbody",
      null,
      record.rounds.map((round) =>
        h(
          "tr",
          { key: round.number, class: round.number === view.step.round ? "now" : "" },
          h("th", { scope: "row" }, h("a", { href: `#${start(round.number)}` }, round.number)),
          names.map((_, seat) =>
            h(
              "td",
              { key: seat },
              round.scores ? round.scores.find((line) => line.seat === seat).total : "–",
            ),
          ),
        ),
      ),
    ),
    h(
      "tfoot",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "row" }, "Match"),
        names.map((_, seat) =>
          h(
            "td",
            { key: seat },
            h("b", null, (record.result?.scores ?? record.rounds.at(-1).totals ?? [])[seat] ?? "–"),
          ),
        ),
      ),
    ),
  );
}

function dealProof(view) {
  const { findings } = view.state.checked;
  const allProven = findings.every((finding) => finding.proven);
  return h(
    "details",
    { class: `proof ${allProven ? "proven" : ""}` },
    h("summary", null, allProven ? "✓ Every deal is verified" : "Some deals cannot be verified"),
    h(
      "p",
      { class: "small" },
      "Your browser checked the record itself: the chain of links down to the anchor, every shuffle and the first seat. ",
      h("a", { href: "/rules" }, "Rules"),
    ),
    h(
      "ul",
      { class: "small" },
      findings.map((finding) =>
        h(
          "li",
          { key: finding.subject },
          `${finding.subject}: ${finding.proven ? "verified, " : "not verified, "}${finding.reason}`,
        ),
      ),
    ),
    view.state.record.anchor
      ? h("p", { class: "small anchor" }, "Anchor ", h("code", null, view.state.record.anchor))
      : null,
  );
}
