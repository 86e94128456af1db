/* Lists of matches on the pages of players and of matches to watch. */

import { t, tx } from "../lib/i18n.js";
import { playerLink } from "../lib/players.js";
import { matchLength, relativeTime, ruleSetName } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { isFilled, seatName } from "../table/names.js";
import { watchersText } from "../watch/watcher-count.js";

/** The names of the seats, each a link to the page of its player. */
export const seatLinks = (match, seats = match.seats) =>
  seats.map((seat, at) => [
    at ? ", " : "",
    playerLink(seat.player?.username, seatName(match.seats, seat.seat), { key: seat.seat }),
  ]);

const RESULTS = {
  won: () => t("Won"),
  lost: () => t("Lost"),
  abandoned: () => t("Abandoned"),
};

/** How a match ended for a player: "won", "lost", "abandoned" or null. */
export function resultOf(match, username) {
  const seat = match.seats.find((each) => each.player?.username === username);
  if (!seat || match.status !== "finished" || match.result.reason === "annulled") return null;
  if (match.result.winners.includes(seat.seat)) return "won";
  return ["resigned", "caretaker"].includes(seat.state) ? "abandoned" : "lost";
}

const STATES = {
  open: (match) => (isFilled(match) ? t("Ready to start") : t("Waiting for players")),
  active: () => t("Being played"),
  paused: () => t("Paused"),
  cancelled: () => t("Cancelled"),
};

function matchState(match, username) {
  if (match.status !== "finished") return (STATES[match.status] ?? (() => match.status))(match);
  const result = resultOf(match, username);
  return result ? RESULTS[result]() : t("Annulled");
}

const scoreText = (seats) => seats.map((seat) => seat.score).join(" – ");

/** One match of a player: the result, the opponents, the score, and a link to its replay or table. */
export function historyRow(match, username) {
  const own = match.seats.filter((seat) => seat.player?.username === username);
  const others = match.seats.filter((seat) => !own.includes(seat));
  const finished = match.status === "finished";
  const result = resultOf(match, username);
  return h(
    "li",
    { key: match.id, class: "history-row" },
    h("span", { class: `outcome${result ? ` ${result}` : ""}` }, matchState(match, username)),
    h(
      "span",
      { class: "history-names" },
      others.length ? tx("against {names}", { names: seatLinks(match, others) }) : t("alone"),
    ),
    h(
      "a",
      { class: "history-link", href: finished ? `/matches/${match.id}/replay` : `/matches/${match.id}` },
      h("b", null, match.started_at ? scoreText([...own, ...others]) : t("No score")),
      " ",
      h("span", { class: "sr" }, finished ? t("Replay") : t("Open the match")),
    ),
    h(
      "span",
      { class: "quiet history-note" },
      t("{rules}, {length} · {time}", {
        rules: ruleSetName(match.ruleset),
        length: matchLength(match),
        time: relativeTime(match.finished_at ?? match.started_at ?? match.created_at),
      }),
    ),
  );
}

/** One match to watch. */
export function watchRow(match) {
  return h(
    "li",
    { key: match.id, class: "history-row" },
    h("span", { class: "history-names" }, seatLinks(match)),
    h(
      "a",
      { class: "history-link", href: `/matches/${match.id}` },
      h("b", null, scoreText(match.seats)),
      " ",
      h("span", { class: "sr" }, t("Watch the match")),
    ),
    h(
      "span",
      { class: "quiet history-note" },
      t("{rules}, {length} · round {round}", {
        rules: ruleSetName(match.ruleset),
        length: matchLength(match),
        round: match.round_number,
      }),
      match.watchers ? ` · ${watchersText(match.watchers)}` : "",
    ),
  );
}
