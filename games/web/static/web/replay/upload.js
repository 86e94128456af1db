/* Upload of a record, and the error page for an invalid one. */

import { h } from "../lib/vdom.js";

const filePicker = (view) =>
  h(
    "div",
    { class: "field" },
    h("label", { for: "record" }, "A record as JSON (haggis-record/1)"),
    h("input", {
      id: "record",
      type: "file",
      accept: ".json,application/json",
      onchange: (event) => openFile(view, event.target.files[0]),
    }),
  );

async function openFile(view, file) {
  if (file) await view.openRecord(await file.text());
}

export function uploadPanel(view) {
  return h(
    "div",
    { class: "panel" },
    h("h1", null, "Look at a record"),
    h(
      "p",
      { class: "lead" },
      "Every finished match can be taken away as a record, and played again here. Its deals are checked in your browser, its play by the engine.",
    ),
    filePicker(view),
    h(
      "p",
      { class: "quiet small" },
      "The record of a match is at /api/v1/matches/…/record; the replay of a match links to it.",
    ),
  );
}

export function rejectionPanel(view) {
  const { rejection } = view.state;
  return h(
    "div",
    { class: "panel refused", role: "alert" },
    h("h1", null, "This record does not hold"),
    h("p", null, h("code", null, rejection.where), " ", rejection.detail ?? ""),
    h(
      "p",
      { class: "quiet" },
      "So it is not shown. Either it was changed, or it was not written by the rules.",
    ),
    filePicker(view),
  );
}
