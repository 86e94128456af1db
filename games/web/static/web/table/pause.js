/* Pausing a match, which all players must agree to. */

import { relativeTime } from "../lib/text.js";
import { h } from "../lib/vdom.js";

const seatNames = (view, seats) => seats.map((seat) => view.labelOf(seat).name).join(" and ");

/** The request for a pause, with a button to agree or to withdraw it. */
export function pauseRequest(view) {
  const { pause, you } = view.state.table;
  if (!pause || pause.paused) return null;
  const askedByMe = pause.asked_by.includes(you.seat);
  return h(
    "p",
    { class: "prompt quiet", key: "pause" },
    askedByMe ? "You asked for a pause. " : `${seatNames(view, pause.asked_by)} asked for a pause. `,
    askedByMe
      ? h(
          "button",
          { type: "button", class: "chip", onclick: () => view.deleteAction("/pause") },
          "Withdraw request",
        )
      : h("button", { type: "button", class: "chip", onclick: () => view.postAction("/pause") }, "Agree"),
  );
}

/** The notice of a paused match: until when, and who wants to resume. */
export function pausedPrompt(view) {
  const { pause, you } = view.state.table;
  const resumeSeats = pause?.asked_by ?? [];
  return h(
    "div",
    { class: "prompt", key: "paused" },
    h(
      "p",
      null,
      h("b", null, "The match is paused."),
      pause?.until ? ` It resumes ${relativeTime(pause.until)} at the latest.` : "",
    ),
    resumeSeats.length
      ? h("p", { class: "quiet" }, `Ready to resume: ${seatNames(view, resumeSeats)}.`)
      : null,
    resumeSeats.includes(you.seat)
      ? null
      : h(
          "button",
          { type: "button", class: "main", onclick: () => view.postAction("/resume") },
          "Resume match",
        ),
  );
}

/** The button to request a pause, if the match allows pauses and nobody has requested one. */
export function pauseButton(view) {
  const { table } = view.state;
  if (!table.you || table.status !== "active" || !table.clock.pauses || table.pause) return null;
  return [
    " · ",
    h(
      "button",
      { type: "button", class: "link", onclick: () => view.postAction("/pause") },
      "Ask for a pause",
    ),
  ];
}
