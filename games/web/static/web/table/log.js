/* What happened, in words: to read, and for a screen reader as it happens. */

import { h } from "../lib/vdom.js";
import { tell } from "../lib/words.js";

const SHOWN = 40;

export function logList(view) {
  const entries = view.state.log.slice(-SHOWN).reverse();
  return h(
    "details",
    { class: "log", open: !view.state.narrow },
    h("summary", null, "What happened"),
    h(
      "ol",
      { reversed: true },
      entries.map((entry) => h("li", { key: entry.version }, tell(entry, view.of).join(" "))),
    ),
  );
}
