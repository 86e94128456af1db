/* A pause, which all who play have to want. */

import { h } from "../lib/vdom.js";
import { timeFromNow } from "../lib/words.js";

const names = (view, seats) => seats.map((seat) => view.of(seat).name).join(" and ");

/** That somebody asks for a pause, with the answer. */
export function pauseAsked(view) {
  const { pause, you } = view.state.table;
  if (!pause || pause.paused) return null;
  const mine = pause.asked_by.includes(you.seat);
  return h(
    "p",
    { class: "prompt quiet", key: "pause" },
    mine ? "You have asked for a pause. " : `${names(view, pause.asked_by)} asks for a pause. `,
    mine
      ? h("button", { type: "button", class: "chip", onclick: () => view.unsay("/pause") }, "Take it back")
      : h("button", { type: "button", class: "chip", onclick: () => view.say("/pause") }, "Agree"),
  );
}

/** The match stands still: until when, and who would go on. */
export function pausedPrompt(view) {
  const { pause, you } = view.state.table;
  const asked = pause?.asked_by ?? [];
  return h(
    "div",
    { class: "prompt", key: "paused" },
    h(
      "p",
      null,
      h("b", null, "The match is paused."),
      pause?.until ? ` It goes on ${timeFromNow(pause.until)} at the latest.` : "",
    ),
    asked.length ? h("p", { class: "quiet" }, `${names(view, asked)} would play on.`) : null,
    asked.includes(you.seat)
      ? null
      : h("button", { type: "button", class: "main", onclick: () => view.say("/resume") }, "Play on"),
  );
}

/** How to ask for a pause, where pauses were agreed on and nobody has asked. */
export function askForPause(view) {
  const { table } = view.state;
  if (!table.you || table.status !== "active" || !table.clock.pauses || table.pause) return null;
  return [
    " · ",
    h("button", { type: "button", class: "link", onclick: () => view.say("/pause") }, "Ask for a pause"),
  ];
}
