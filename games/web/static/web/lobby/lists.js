/* The lists of the lobby. */

import { h } from "../lib/vdom.js";
import { lengthOf, ruleSetName, timeFromNow } from "../lib/words.js";
import { seatName } from "../table/names.js";

const withOthers = (match) =>
  match.seats
    .map((_, seat) => seat)
    .filter((seat) => seat !== match.my_seat)
    .map((seat) => seatName(match.seats, seat))
    .join(", ");
const terms = (match) => `${ruleSetName(match.ruleset)}, ${lengthOf(match)}`;
const totals = (match) => match.seats.map((seat) => seat.score).join(" – ");

const section = (title, rows, none) =>
  rows.length || none
    ? h(
        "section",
        { key: title },
        h("h2", null, title),
        rows.length ? h("ul", { class: "matches" }, rows) : h("p", { class: "quiet" }, none),
      )
    : null;

function row(match, href, { title, note, mark, button }) {
  return h(
    "li",
    { key: match.id, class: mark ? "urgent" : "" },
    h("a", { href, class: "match" }, h("b", null, title), h("span", { class: "quiet" }, note)),
    mark ? h("span", { class: "turn-mark" }, mark) : null,
    button ?? null,
  );
}

export function myList(view) {
  return section(
    "Your matches",
    view.state.mine.map((match) =>
      row(match, `/matches/${match.id}`, {
        title: withOthers(match),
        note:
          match.status === "open"
            ? `${terms(match)} · waiting for players`
            : `${terms(match)} · round ${match.round_number} · ${totals(match)}${match.deadline && match.my_turn ? ` · due ${timeFromNow(match.deadline)}` : ""}`,
        mark: match.my_turn ? "Your turn" : match.status === "paused" ? "Paused" : null,
      }),
    ),
  );
}

export function invitationList(view) {
  return section(
    "Invitations",
    view.state.invitations.map((match) =>
      row(match, `/matches/${match.id}`, {
        title: `${match.maker ?? "Somebody"} asks you to play`,
        note: terms(match),
        mark: "Answer",
      }),
    ),
  );
}

export function openList(view) {
  const mine = new Set(view.state.mine.map((match) => match.id));
  const tables = view.state.open.filter((match) => !mine.has(match.id));
  return section(
    "Open tables",
    tables.map((match) =>
      row(match, `/matches/${match.id}`, {
        title:
          match.seats
            .filter((seat) => seat.player || seat.level)
            .map((seat) => seatName(match.seats, seat.seat))
            .join(", ") || "An empty table",
        note: `${terms(match)} · ${match.players} players, ${match.open_seats} ${match.open_seats === 1 ? "seat" : "seats"} free · ${timeFromNow(match.created_at)}`,
        button: h("button", { type: "button", onclick: () => view.sit(match) }, "Sit down"),
      }),
    ),
    view.state.loaded ? "Nobody is waiting just now. Open a table, and others will find it here." : "…",
  );
}

export function finishedList(view) {
  return section(
    "Played",
    view.state.finished.map((match) =>
      row(match, `/matches/${match.id}/replay`, {
        title: match.seats.map((seat) => seatName(match.seats, seat.seat)).join(", "),
        note: `${terms(match)} · ${totals(match)} · ${timeFromNow(match.finished_at)}`,
      }),
    ),
  );
}
