/* The match lists of the lobby. */

import { matchLength, relativeTime, ruleSetName } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { seatName } from "../table/names.js";

const opponentNames = (match) =>
  match.seats
    .map((_, seat) => seat)
    .filter((seat) => seat !== match.my_seat)
    .map((seat) => seatName(match.seats, seat))
    .join(", ");
const matchTerms = (match) => `${ruleSetName(match.ruleset)}, ${matchLength(match)}`;
const matchScores = (match) => match.seats.map((seat) => seat.score).join(" – ");

const section = (title, rows, emptyText) =>
  rows.length || emptyText
    ? h(
        "section",
        { key: title },
        h("h2", null, title),
        rows.length ? h("ul", { class: "matches" }, rows) : h("p", { class: "quiet" }, emptyText),
      )
    : null;

function matchRow(match, href, { title, note, badge, button }) {
  return h(
    "li",
    { key: match.id, class: badge ? "urgent" : "" },
    h("a", { href, class: "match" }, h("b", null, title), h("span", { class: "quiet" }, note)),
    badge ? h("span", { class: "turn-mark" }, badge) : null,
    button ?? null,
  );
}

export function myList(view) {
  return section(
    "Your matches",
    view.state.mine.map((match) =>
      matchRow(match, `/matches/${match.id}`, {
        title: opponentNames(match),
        note:
          match.status === "open"
            ? `${matchTerms(match)} · waiting for players`
            : `${matchTerms(match)} · round ${match.round_number} · ${matchScores(match)}${match.deadline && match.my_turn ? ` · due ${relativeTime(match.deadline)}` : ""}`,
        badge: match.my_turn ? "Your turn" : match.status === "paused" ? "Paused" : null,
      }),
    ),
  );
}

export function invitationList(view) {
  return section(
    "Invitations",
    view.state.invitations.map((match) =>
      matchRow(match, `/matches/${match.id}`, {
        title: `${match.maker ?? "A player"} invites you to play`,
        note: matchTerms(match),
        badge: "Reply",
      }),
    ),
  );
}

export function openList(view) {
  const mine = new Set(view.state.mine.map((match) => match.id));
  const matches = view.state.open.filter((match) => !mine.has(match.id));
  return section(
    "Open matches",
    matches.map((match) =>
      matchRow(match, `/matches/${match.id}`, {
        title:
          match.seats
            .filter((seat) => seat.player || seat.level)
            .map((seat) => seatName(match.seats, seat.seat))
            .join(", ") || "No players yet",
        note: `${matchTerms(match)} · ${match.players} players, ${match.open_seats} ${match.open_seats === 1 ? "seat" : "seats"} free · ${relativeTime(match.created_at)}`,
        button: h("button", { type: "button", onclick: () => view.joinMatch(match) }, "Join"),
      }),
    ),
    view.state.loaded ? "No open matches right now. Create one, and others will find it here." : "…",
  );
}

export function finishedList(view) {
  return section(
    "Finished matches",
    view.state.finished.map((match) =>
      matchRow(match, `/matches/${match.id}/replay`, {
        title: match.seats.map((seat) => seatName(match.seats, seat.seat)).join(", "),
        note: `${matchTerms(match)} · ${matchScores(match)} · ${relativeTime(match.finished_at)}`,
      }),
    ),
  );
}
