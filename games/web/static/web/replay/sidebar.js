/* The sidebar of a replay: scores, proof of the deals, and analysis. */

import { t, tx } from "../lib/i18n.js";
import { labelLink } from "../lib/players.js";
import { listText, matchLength, ruleSetName } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { analysisPart } from "./analysis.js";

export function sidebar(view) {
  const { record } = view.state;
  return h(
    "aside",
    { class: "side", "aria-label": t("Match details") },
    h(
      "div",
      null,
      h("h1", { class: "names" }, listText(view.state.names)),
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
            t("Download record"),
          )
        : h("a", { href: "/replay" }, t("Open another record")),
    ),
  );
}

const matchTerms = (record) =>
  [
    `${ruleSetName(record.ruleset)}, ${matchLength({ rounds: record.rounds_limit, target_score: record.target_score })}.`,
    record.result ? ` ${record.result.scores.join(" – ")}.` : "",
  ].join("");

function scores(view) {
  const { record, names } = view.state;
  const start = (number) =>
    view.state.steps.find((step) => step.kind === "deal" && step.round === number).index;
  return h(
    "table",
    { class: "scores" },
    h("caption", null, t("Rounds")),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, t("Round")),
        names.map((_, seat) =>
          h(
            "th",
            { scope: "col", key: seat, class: "name", title: view.labelOf(seat).name },
            labelLink(view.labelOf(seat)),
          ),
        ),
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
        h("th", { scope: "row" }, t("Match")),
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
    h("summary", null, allProven ? t("✓ Every deal is verified") : t("Some deals cannot be verified")),
    h(
      "p",
      { class: "small" },
      t(
        "Your browser checked the record itself: the chain of links down to the anchor, every shuffle and the first seat.",
      ),
      " ",
      h("a", { href: "/rules" }, t("Rules")),
    ),
    h(
      "ul",
      { class: "small" },
      findings.map((finding) =>
        h(
          "li",
          { key: finding.subject },
          finding.proven
            ? t("{subject}: verified, {reason}", finding)
            : t("{subject}: not verified, {reason}", finding),
        ),
      ),
    ),
    view.state.record.anchor
      ? h(
          "p",
          { class: "small anchor" },
          tx("Anchor {anchor}", { anchor: h("code", null, view.state.record.anchor) }),
        )
      : null,
  );
}
