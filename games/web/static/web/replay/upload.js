/* Upload of a record, and the error page for an invalid one. */

import { t } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";

const filePicker = (view) =>
  h(
    "div",
    { class: "field" },
    h("label", { for: "record" }, t("Record file (haggis-record/1, JSON)")),
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
    h("h1", null, t("Replay a record")),
    h(
      "p",
      { class: "lead" },
      t(
        "Download the record of any finished match and replay it here. Your browser verifies the deals, and the service verifies the play.",
      ),
    ),
    filePicker(view),
    h(
      "p",
      { class: "quiet small" },
      t("To download a record, open the replay of a match or use /api/v1/matches/…/record."),
    ),
  );
}

export function rejectionPanel(view) {
  const { rejection } = view.state;
  return h(
    "div",
    { class: "panel refused", role: "alert" },
    h("h1", null, t("This record is invalid")),
    h("p", null, h("code", null, rejection.where), " ", rejection.detail ?? ""),
    h(
      "p",
      { class: "quiet" },
      t("It cannot be replayed: it was changed, or the match was not played by the rules."),
    ),
    filePicker(view),
  );
}
