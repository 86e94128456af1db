/* The log of the match. */

import { describeEntry } from "../lib/text.js";
import { h } from "../lib/vdom.js";

const MAX_ENTRIES = 40;

export function logList(view) {
  const entries = view.state.log.slice(-MAX_ENTRIES).reverse();
  return h(
    "details",
    { class: "log", open: !view.state.narrow },
    h("summary", null, "Match log"),
    h(
      "ol",
      { reversed: true },
      entries.map((entry) => h("li", { key: entry.version }, describeEntry(entry, view.labelOf).join(" "))),
    ),
  );
}
