/* The statistics of a player, as figures and bars. */

import { t, tn } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";

const percent = (part, whole) => (whole ? `${Math.round((100 * part) / whole)} %` : "–");
const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));
const perRound = (rounds) => signed(Math.round((10 * rounds.margin) / rounds.played) / 10);

const figure = (label, value, note) =>
  h(
    "div",
    { class: "figure", key: label },
    h("dt", null, label),
    h("dd", null, h("b", null, value), note ? h("span", { class: "quiet small" }, note) : null),
  );

/** The figures of the statistics. */
export function statisticsView({ matches, rounds, bets, bombs, streak, longest }) {
  return [
    h(
      "dl",
      { class: "figures", key: "figures" },
      figure(t("Matches"), matches.played, tn("{count} abandoned", "{count} abandoned", matches.abandoned)),
      figure(t("Won"), percent(matches.won, matches.played), t("{won} of {played}", matches)),
      figure(t("Winning streak"), streak.current, t("longest {best}", { best: streak.best })),
      figure(
        t("Rounds"),
        rounds.played,
        rounds.played ? t("{margin} points a round", { margin: perRound(rounds) }) : "",
      ),
      figure(t("Out first"), percent(rounds.out_first, rounds.played), t("of the rounds")),
      figure(
        t("Bets won"),
        percent(bets.won, bets.made),
        t("{won} of {made}, {points} points", { won: bets.won, made: bets.made, points: bets.points }),
      ),
      figure(t("Longest run"), longest.run || "–", longest.run ? t("ranks") : ""),
      figure(t("Longest stair"), longest.stair || "–", longest.stair ? t("ranks") : ""),
    ),
    bombs.played ? bombChart(bombs) : null,
  ];
}

function bombChart({ played, by_level: levels }) {
  const most = Math.max(...levels);
  return h(
    "table",
    { class: "bombs", key: "bombs" },
    h("caption", null, tn("{count} bomb played", "{count} bombs played", played)),
    h(
      "tbody",
      null,
      levels.map((count, at) =>
        h(
          "tr",
          { key: at },
          h("th", { scope: "row" }, t("Level {level}", { level: at + 1 })),
          h(
            "td",
            null,
            h("span", { class: "bomb-bar", vars: { "--part": count / most } }),
            h("b", null, count),
          ),
        ),
      ),
    ),
  );
}

/** The results of two players against each other, from the statistics of the first. */
export function headToHead(statistics, name) {
  const { played, won } = statistics.matches;
  if (!played) return h("p", { class: "quiet" }, t("You have not played against {name} yet.", { name }));
  return h(
    "p",
    null,
    tn(
      "You played {count} match together: you won {mine}, {name} won {theirs}.",
      "You played {count} matches together: you won {mine}, {name} won {theirs}.",
      played,
      { mine: statistics.mine, name, theirs: won },
    ),
  );
}
