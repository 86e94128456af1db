/* The match lists of the lobby. */

import { t, tn } from "../lib/i18n.js";
import { linkNames } from "../lib/players.js";
import { me } from "../lib/session.js";
import { matchLength, relativeTime, ruleSetName } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { isFilled, seatName } from "../table/names.js";

const seatNames = (match, isShown = () => true) =>
  match.seats
    .filter(isShown)
    .map((seat) => seatName(match.seats, seat.seat))
    .join(", ");
const opponentNames = (match) => seatNames(match, (seat) => seat.seat !== match.my_seat);
const scores = (match) => match.seats.map((seat) => seat.score).join(" – ");
const terms = (match) => ({ rules: ruleSetName(match.ruleset), length: matchLength(match) });

/** Return whether the player can end a match alone: only AIs play on, and two of them only for its maker. */
const canEnd = (match) =>
  match.seats.every((seat) => seat.seat === match.my_seat || seat.level) &&
  (match.seats.length === 2 || match.maker === me()?.username);

const section = (title, rows, { explanation, emptyText } = {}) =>
  rows.length || emptyText
    ? h(
        "section",
        { key: title },
        h("h2", null, title),
        explanation && rows.length ? h("p", { class: "quiet" }, explanation) : null,
        rows.length ? h("ul", { class: "matches" }, rows) : h("p", { class: "quiet" }, emptyText),
      )
    : null;

/** The players of a match, so that their names in a title can be links. */
const people = (match) => [
  ...match.seats.map((seat) => ({
    name: seatName(match.seats, seat.seat),
    username: seat.player?.username,
    me: seat.seat === match.my_seat,
  })),
  { name: match.maker, username: match.maker },
];

/** The row of a match. All of it opens the match, except the names, which open the pages of the players. */
function matchRow(match, href, { title, note, badge, button }) {
  return h(
    "li",
    { key: match.id, class: badge ? "urgent" : "" },
    h(
      "div",
      { class: "match" },
      h("b", null, linkNames(title, people(match))),
      h("a", { href, class: "quiet row-link" }, h("span", { class: "sr" }, `${title}: `), note),
    ),
    badge ? h("span", { class: "turn-mark" }, badge) : null,
    button ?? null,
  );
}

function myNote(match) {
  if (match.status === "open") {
    return isFilled(match)
      ? t("{rules}, {length} · ready to start", terms(match))
      : t("{rules}, {length} · waiting for players", terms(match));
  }
  const values = {
    ...terms(match),
    round: match.round_number,
    scores: scores(match),
    due: match.deadline && relativeTime(match.deadline),
  };
  return match.deadline && match.my_turn
    ? t("{rules}, {length} · round {round} · {scores} · due {due}", values)
    : t("{rules}, {length} · round {round} · {scores}", values);
}

export function myList(view) {
  return section(
    t("Your matches"),
    view.state.mine.map((match) =>
      matchRow(match, `/matches/${match.id}`, {
        title: opponentNames(match),
        note: myNote(match),
        badge: match.my_turn ? t("Your turn") : match.status === "paused" ? t("Paused") : null,
        button:
          match.status !== "open" && canEnd(match)
            ? h(
                "button",
                {
                  type: "button",
                  class: "plain",
                  "aria-label": t("End match against {names}", { names: opponentNames(match) }),
                  onclick: () => view.update({ matchToEnd: match }),
                },
                t("End match"),
              )
            : null,
      }),
    ),
  );
}

export function invitationList(view) {
  return section(
    t("Invitations"),
    view.state.invitations.map((match) =>
      matchRow(match, `/matches/${match.id}`, {
        title: t("{name} invites you to play", { name: match.maker ?? t("A player") }),
        note: t("{rules}, {length}", terms(match)),
        badge: t("Reply"),
      }),
    ),
  );
}

export function openList(view) {
  const mine = new Set(view.state.mine.map((match) => match.id));
  const matches = view.state.open.filter((match) => !mine.has(match.id));
  return section(
    t("Open matches"),
    matches.map((match) =>
      matchRow(match, `/matches/${match.id}`, {
        title: seatNames(match, (seat) => seat.player || seat.level) || t("No players yet"),
        note: tn(
          "{rules}, {length} · {players} players, {count} seat free · {when}",
          "{rules}, {length} · {players} players, {count} seats free · {when}",
          match.open_seats,
          { ...terms(match), players: match.players, when: relativeTime(match.created_at) },
        ),
        button: h(
          "button",
          {
            type: "button",
            "aria-label": t("Join the match of {name}", { name: match.maker ?? t("A player") }),
            onclick: () => view.joinMatch(match),
          },
          t("Join"),
        ),
      }),
    ),
    {
      explanation: t("Matches that wait for more players. Anyone can join."),
      emptyText: view.state.loaded
        ? t("No open matches right now. Create one, and other players will find it here.")
        : "…",
    },
  );
}

/** Some public matches that are being played. */
export function watchList(view) {
  const mine = new Set(view.state.mine.map((match) => match.id));
  return section(
    t("Matches to watch"),
    view.state.running
      .filter((match) => !mine.has(match.id))
      .map((match) =>
        matchRow(match, `/matches/${match.id}`, {
          title: seatNames(match),
          note: t("{rules}, {length} · round {round} · {scores}", {
            ...terms(match),
            round: match.round_number,
            scores: scores(match),
          }),
        }),
      ),
    { explanation: h("a", { href: "/watch" }, t("All matches that are being played")) },
  );
}

/** The latest finished matches: those of the player, else public ones of other players. */
export function finishedList(view) {
  const { finished, strangers } = view.state;
  const rows = (finished.length ? finished : strangers).map((match) =>
    matchRow(match, `/matches/${match.id}/replay`, {
      title: seatNames(match),
      note: t("{rules}, {length} · {scores} · {when}", {
        ...terms(match),
        scores: scores(match),
        when: relativeTime(match.finished_at),
      }),
    }),
  );
  return finished.length
    ? section(t("Your finished matches"), rows, {
        explanation: h("a", { href: "/@me" }, t("All your matches and your statistics")),
      })
    : section(t("Matches of other players"), rows, {
        explanation: t("Public matches that other players have finished. Open one to see its replay."),
      });
}
