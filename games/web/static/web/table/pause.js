/* Pausing a match, which all players must agree to. */

import { t } from "../lib/i18n.js";
import { listText, relativeTime } from "../lib/text.js";
import { h } from "../lib/vdom.js";

const seatNames = (view, seats) => listText(seats.map((seat) => view.labelOf(seat).name));

/** The request for a pause, with a button to agree or to withdraw it. */
export function pauseRequest(view) {
  const { pause, you } = view.state.table;
  if (!pause || pause.paused) return null;
  const askedByMe = pause.asked_by.includes(you.seat);
  return h(
    "p",
    { class: "prompt quiet", key: "pause" },
    askedByMe
      ? t("You asked for a pause.")
      : t("{names} asked for a pause.", { names: seatNames(view, pause.asked_by) }),
    " ",
    askedByMe
      ? h(
          "button",
          { type: "button", class: "chip", onclick: () => view.deleteAction("/pause") },
          t("Withdraw request"),
        )
      : h("button", { type: "button", class: "chip", onclick: () => view.postAction("/pause") }, t("Agree")),
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
      h("b", null, t("The match is paused.")),
      " ",
      pause?.until ? t("It resumes {time} at the latest.", { time: relativeTime(pause.until) }) : "",
    ),
    resumeSeats.length
      ? h("p", { class: "quiet" }, t("Ready to resume: {names}.", { names: seatNames(view, resumeSeats) }))
      : null,
    resumeSeats.includes(you.seat)
      ? null
      : h(
          "button",
          { type: "button", class: "main", onclick: () => view.postAction("/resume") },
          t("Resume match"),
        ),
  );
}

/** The button to request a pause, if the match allows pauses and nobody has requested one. */
export function pauseButton(view) {
  const { table } = view.state;
  if (!table.you || table.status !== "active" || !table.clock.pauses || table.pause) return null;
  return h(
    "button",
    { type: "button", class: "link", onclick: () => view.postAction("/pause") },
    t("Ask for a pause"),
  );
}
