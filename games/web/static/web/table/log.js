/* The log of the match, with the latest entry at the end. */

import { t } from "../lib/i18n.js";
import { linkNames } from "../lib/players.js";
import { describeEntry } from "../lib/text.js";
import { h } from "../lib/vdom.js";

const NEAR_END_PX = 8;

export function logList(view) {
  const people = view.state.table.seats.map((_, seat) => view.labelOf(seat));
  return h(
    "details",
    { class: "log", open: !view.state.narrow },
    h("summary", null, t("Match log")),
    h(
      "ol",
      { tabindex: 0, "aria-label": t("Match log") },
      view.state.log.map((entry) =>
        h("li", { key: entry.version }, linkNames(describeEntry(entry, view.labelOf).join(" "), people)),
      ),
    ),
  );
}

/** Return whether the end of the log is visible, so that it follows new entries. */
export function logIsAtEnd(root) {
  const list = root.querySelector(".log ol");
  return !list || list.scrollTop + list.clientHeight >= list.scrollHeight - NEAR_END_PX;
}

export function scrollLogToEnd(root) {
  const list = root.querySelector(".log ol");
  if (list) list.scrollTop = list.scrollHeight;
}
