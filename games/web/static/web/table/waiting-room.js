/* The waiting room before a match starts, and the result after it ends. */

import { cardImage } from "../lib/card-art.js";
import { FACES } from "../lib/cards.js";
import { t, tn } from "../lib/i18n.js";
import { labelLink, linkNames } from "../lib/players.js";
import { durationText, levelName, listText, matchLength, ruleSetName, scoreText } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { isFilled, ownSeat } from "./names.js";

const STATES = {
  open: "",
  invited: t("invited, no reply yet"),
  declined: t("declined"),
  playing: t("joined"),
};

export function waitingRoom(view) {
  const { table, copied } = view.state;
  const cancelled = table.status === "cancelled";
  const waitsForPlayers = !cancelled && !isFilled(table);
  return h(
    "div",
    { class: "waiting panel" },
    h(
      "h1",
      null,
      cancelled
        ? t("This match was cancelled")
        : table.you
          ? waitsForPlayers
            ? t("Waiting for players")
            : t("Ready to start")
          : t("Join this match?"),
    ),
    h(
      "p",
      { class: "lead" },
      tn("{ruleset}, {count} player, {length}.", "{ruleset}, {count} players, {length}.", table.players, {
        ruleset: ruleSetName(table.ruleset),
        length: matchLength(table),
      }),
      " ",
      turnTimeText(table.clock),
    ),
    h(
      "ol",
      { class: "seat-list" },
      table.seats.map((seat, number) => seatRow(view, seat, number)),
    ),
    cancelled
      ? h("p", null, h("a", { class: "button", href: "/" }, t("Back to the lobby")))
      : h("div", { class: "choices" }, waitingActions(view)),
    !waitsForPlayers || table.visibility === "private"
      ? null
      : h(
          "div",
          { class: "share" },
          h("label", { for: "share" }, t("Share this link to invite players:")),
          h(
            "div",
            { class: "field-row" },
            h("input", {
              id: "share",
              readonly: true,
              value: location.origin + location.pathname,
              onfocus: (event) => event.target.select(),
            }),
            h("button", { type: "button", onclick: () => view.copyLink() }, copied ? t("Copied") : t("Copy")),
          ),
        ),
    h(
      "p",
      { class: "quiet small" },
      t("The deals are already fixed and can be verified later. Anchor: {anchor}…", {
        anchor: table.anchor.slice(0, 16),
      }),
    ),
  );
}

const turnTimeText = (clock) =>
  clock.turn_seconds
    ? t("Time per turn: {time}.", { time: durationText(clock.turn_seconds) })
    : t("No time limit.");

function seatRow(view, seat, number) {
  const { table } = view.state;
  const isFree = seat.state === "open" || seat.state === "declined";
  const isMaker = table.you && table.maker === view.myName();
  return h(
    "li",
    { key: number, class: `${seat.state}${table.you?.seat === number ? " me" : ""}` },
    h("b", null, labelLink(view.labelOf(number))),
    " ",
    h("span", { class: "quiet" }, seat.level ? t("ready") : (STATES[seat.state] ?? seat.state)),
    isFree && !table.you
      ? h("button", { type: "button", class: "main", onclick: () => view.join(number) }, t("Join"))
      : null,
    isFree && isMaker ? aiSelect(view, number) : null,
  );
}

function aiSelect(view, number) {
  const levels = view.getAttribute("levels").split(" ");
  return h(
    "select",
    {
      "aria-label": t("Seat {number}: add an AI…", { number: number + 1 }),
      onchange: (event) => event.target.value && view.fillWithAi(number, event.target.value),
    },
    h("option", { value: "" }, t("Add an AI…")),
    levels.map((level) => h("option", { value: level, key: level }, levelName(level))),
  );
}

function waitingActions(view) {
  const { table } = view.state;
  const isMaker = table.you && table.maker === view.myName();
  const invited = table.seats.some(
    (seat) => seat.state === "invited" && seat.player?.username === view.myName(),
  );
  return [
    invited
      ? h(
          "button",
          { type: "button", class: "main", key: "accept", onclick: () => view.postAction("/accept") },
          t("Accept invitation"),
        )
      : null,
    invited
      ? h(
          "button",
          { type: "button", key: "decline", onclick: () => view.postAction("/decline") },
          t("Decline"),
        )
      : null,
    isMaker && table.hold && isFilled(table)
      ? h(
          "button",
          { type: "button", class: "main", key: "start", onclick: () => view.postAction("/start") },
          t("Start match"),
        )
      : null,
    isMaker
      ? h(
          "button",
          { type: "button", class: "plain", key: "cancel", onclick: () => view.postAction("/cancel") },
          t("Cancel match"),
        )
      : null,
    table.you && !isMaker
      ? h(
          "button",
          { type: "button", class: "plain", key: "leave", onclick: () => view.postAction("/leave") },
          t("Leave match"),
        )
      : null,
  ];
}

const REASONS = {
  target: (scores) => t("{scores}, by points.", { scores }),
  rounds: (scores) => t("{scores}, by points.", { scores }),
  resigned: (scores) => t("{scores}, by resignation.", { scores }),
  forfeit: (scores) => t("{scores}, on time.", { scores }),
  annulled: (scores) => t("{scores}, annulled.", { scores }),
};

/** The result of a match. */
export function resultPanel(view) {
  const { table } = view.state;
  const { winners, scores, reason } = table.result;
  const names = winners.map((seat) => view.labelOf(seat));
  const wonByMe = names.some((who) => who.me);
  const title =
    reason === "annulled"
      ? t("The match was annulled")
      : wonByMe
        ? t("You won!")
        : t("{names} won", { names: listText(names.map((who) => who.name)) });
  return h(
    "div",
    { class: "result panel", "data-result": reason },
    h(
      "div",
      { class: "flourish", "aria-hidden": "true" },
      FACES.map((face) => cardImage(face, { key: face })),
    ),
    h("h1", { tabindex: -1 }, linkNames(title, names)),
    h("p", { class: "lead" }, REASONS[reason]?.(scoreText(scores)) ?? scoreText(scores)),
    h("p", { class: "rematch-offer", role: "status", key: "offer" }, rematchOffer(view)),
    h(
      "div",
      { class: "choices" },
      ownSeat(table) !== null
        ? h(
            "button",
            { type: "button", class: "main", onclick: () => view.rematch() },
            table.next_match ? t("Join the rematch") : t("Play again"),
          )
        : table.next_match
          ? h("a", { class: "button main", href: `/matches/${table.next_match}` }, t("Next match"))
          : null,
      h("a", { class: "button", href: `/matches/${table.id}/replay` }, t("Replay")),
      h("a", { class: "button plain", href: "/" }, t("Lobby")),
    ),
  );
}

/** Say that there is a rematch; screen readers announce it when it is offered. */
function rematchOffer({ state: { table } }) {
  if (!table.next_match) return "";
  return ownSeat(table) === null
    ? t("The players have started another match.")
    : t("A rematch has been started. You can join it.");
}
