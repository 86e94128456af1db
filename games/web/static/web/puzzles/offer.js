/* The link to the daily puzzle on the front page. */

import { t, tn } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";
import { isSolvedToday, streak } from "./progress.js";

export const puzzleOffer = () =>
  h(
    "p",
    { class: "puzzle-offer", key: "puzzle" },
    h("a", { href: "/puzzles/daily" }, t("Puzzle of the day")),
    h(
      "span",
      { class: "quiet" },
      isSolvedToday()
        ? tn("Solved. {count} day in a row.", "Solved. {count} days in a row.", streak())
        : t("What would you play?"),
    ),
  );
