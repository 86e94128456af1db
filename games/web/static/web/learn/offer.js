/* The link to the lessons on the front page, for people who have not completed them. */

import { t, tx } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";
import { completedLessons, hasStarted } from "./progress.js";

// A player who has completed the last lesson knows the rules.
const LAST_LESSON = "practice";

export const hasCompletedLessons = () => completedLessons().has(LAST_LESSON);

/** Offer the lessons to newcomers; players with matches are offered only what they have begun. */
export function learnOffer(hasMatches) {
  if (hasCompletedLessons() || (hasMatches && !hasStarted())) return null;
  return h(
    "p",
    { class: "learn-offer", key: "learn" },
    hasStarted()
      ? h("a", { href: "/learn" }, t("Continue to learn by playing"))
      : tx("New to Haggis? {learn} in ten minutes, or read the {rules}.", {
          learn: h("a", { href: "/learn" }, t("Learn by playing")),
          rules: h("a", { href: "/rules" }, t("rules on one page")),
        }),
  );
}
