/* The waiting room before a match starts, and the result after it ends. */

import { cardImage } from "../lib/card-art.js";
import { FACES } from "../lib/cards.js";
import { capitalize, levelName, matchLength, relativeTime, ruleSetName } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { ownSeat } from "./names.js";

const STATES = {
  open: "",
  invited: "invited, no reply yet",
  declined: "declined",
  playing: "joined",
};

export function waitingRoom(view) {
  const { table, copied } = view.state;
  const cancelled = table.status === "cancelled";
  return h(
    "div",
    { class: "waiting panel" },
    h(
      "h1",
      null,
      cancelled ? "This match was cancelled" : table.you ? "Waiting for players" : "Join this match?",
    ),
    h(
      "p",
      { class: "lead" },
      `${ruleSetName(table.ruleset)}, ${table.players} players, ${matchLength(table)}.`,
      turnTimeText(table.clock),
    ),
    h(
      "ol",
      { class: "seat-list" },
      table.seats.map((seat, number) => seatRow(view, seat, number)),
    ),
    cancelled
      ? h("p", null, h("a", { class: "button", href: "/" }, "Back to the lobby"))
      : h("div", { class: "choices" }, waitingActions(view)),
    cancelled || table.visibility === "private"
      ? null
      : h(
          "div",
          { class: "share" },
          h("label", { for: "share" }, "Share this link to invite players:"),
          h(
            "div",
            { class: "field-row" },
            h("input", {
              id: "share",
              readonly: true,
              value: location.origin + location.pathname,
              onfocus: (event) => event.target.select(),
            }),
            h("button", { type: "button", onclick: () => view.copyLink() }, copied ? "Copied" : "Copy"),
          ),
        ),
    h(
      "p",
      { class: "quiet small" },
      `The deals are already fixed and can be verified later. Anchor: ${table.anchor.slice(0, 16)}…`,
    ),
  );
}

const turnTimeText = (clock) =>
  clock.turn_seconds ? ` ${capitalize(durationText(clock.turn_seconds))} per turn.` : " No clock.";
const durationText = (seconds) =>
  relativeTime(new Date(Date.now() + seconds * 1000 + 500).toISOString())
    .replace(/^in /, "")
    .replace("tomorrow", "1 day");

function seatRow(view, seat, number) {
  const { table } = view.state;
  const isFree = seat.state === "open" || seat.state === "declined";
  const isMaker = table.you && table.maker === view.myName();
  return h(
    "li",
    { key: number, class: `${seat.state}${table.you?.seat === number ? " me" : ""}` },
    h("b", null, view.labelOf(number).name),
    " ",
    h("span", { class: "quiet" }, seat.level ? "ready" : (STATES[seat.state] ?? seat.state)),
    isFree && !table.you
      ? h("button", { type: "button", class: "main", onclick: () => view.join(number) }, "Join")
      : null,
    isFree && isMaker ? aiSelect(view, number) : null,
  );
}

function aiSelect(view, number) {
  const levels = view.getAttribute("levels").split(" ");
  return h(
    "select",
    {
      "aria-label": `Seat ${number + 1}: add an AI`,
      onchange: (event) => event.target.value && view.fillWithAi(number, event.target.value),
    },
    h("option", { value: "" }, "Add an AI…"),
    levels.map((level) => h("option", { value: level, key: level }, levelName(level))),
  );
}

function waitingActions(view) {
  const { table } = view.state;
  const isMaker = table.you && table.maker === view.myName();
  const invited = table.seats.some(
    (seat) => seat.state === "invited" && seat.player?.username === view.myName(),
  );
  const allSeatsTaken = table.seats.every((seat) => seat.state === "playing");
  return [
    invited
      ? h(
          "button",
          { type: "button", class: "main", key: "accept", onclick: () => view.postAction("/accept") },
          "Accept invitation",
        )
      : null,
    invited
      ? h("button", { type: "button", key: "decline", onclick: () => view.postAction("/decline") }, "Decline")
      : null,
    isMaker && table.hold && allSeatsTaken
      ? h(
          "button",
          { type: "button", class: "main", key: "start", onclick: () => view.postAction("/start") },
          "Start match",
        )
      : null,
    isMaker
      ? h(
          "button",
          { type: "button", class: "plain", key: "cancel", onclick: () => view.postAction("/cancel") },
          "Cancel match",
        )
      : null,
    table.you && !isMaker
      ? h(
          "button",
          { type: "button", class: "plain", key: "leave", onclick: () => view.postAction("/leave") },
          "Leave match",
        )
      : null,
  ];
}

const REASONS = {
  target: "by points",
  rounds: "by points",
  resigned: "by resignation",
  forfeit: "on time",
  annulled: "annulled",
};

/** The result of a match. */
export function resultPanel(view) {
  const { table } = view.state;
  const { winners, scores, reason } = table.result;
  const names = winners.map((seat) => view.labelOf(seat));
  const wonByMe = names.some((who) => who.me);
  const title =
    reason === "annulled"
      ? "The match was annulled"
      : wonByMe
        ? "You won!"
        : `${names.map((who) => who.name).join(" and ")} won`;
  return h(
    "div",
    { class: "result panel", "data-result": reason },
    h(
      "div",
      { class: "flourish", "aria-hidden": "true" },
      FACES.map((face) => cardImage(face, { key: face })),
    ),
    h("h1", null, title),
    h("p", { class: "lead" }, `${scores.join(" to ")}, ${REASONS[reason] ?? reason}.`),
    h(
      "div",
      { class: "choices" },
      ownSeat(table) !== null
        ? h(
            "button",
            { type: "button", class: "main", onclick: () => view.rematch() },
            table.next_match ? "Join the rematch" : "Play again",
          )
        : table.next_match
          ? h("a", { class: "button main", href: `/matches/${table.next_match}` }, "Next match")
          : null,
      h("a", { class: "button", href: `/matches/${table.id}/replay` }, "Replay"),
      h("a", { class: "button plain", href: "/" }, "Lobby"),
    ),
  );
}
