/* The coach beside the table of a lesson: what to do, what to know, and help. */

import { withTerms } from "../lib/glossary.js";
import { t } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";
import { helpButtons } from "../table/help.js";

export function coach(view) {
  const { lesson, position } = view.state;
  return h(
    "section",
    { class: "coach", key: "coach", "aria-label": t("Coach") },
    h(
      "p",
      { class: "coach-place small quiet" },
      h("a", { href: "/learn" }, t("Lessons")),
      h("span", null, lesson.title),
      lesson.steps && !position.done
        ? h("span", null, t("Step {step} of {count}", { step: position.step + 1, count: lesson.steps }))
        : null,
      helpButtons(view),
    ),
    h("div", { class: "coach-text", tabindex: 0 }, coachText(view)),
    h("div", { class: "choices", key: "choices" }, coachButtons(view)),
  );
}

/** The texts of the moment: the introduction, or the comment on the last action and the next task. */
function coachText({ state: { lesson, position, comment, accepted, introduced } }) {
  if (!introduced) return h("p", { key: "introduction" }, withTerms(lesson.introduction));
  return [
    comment
      ? h("p", { class: accepted ? "right" : "other", key: `comment${comment}` }, withTerms(comment))
      : null,
    position.done
      ? h("p", { class: "conclusion", key: "conclusion" }, withTerms(lesson.conclusion))
      : h("p", { class: "task", key: `task${position.step}` }, withTerms(position.task)),
  ];
}

function coachButtons(view) {
  const { lesson, position, introduced, shown, busy } = view.state;
  if (!introduced)
    return [
      h(
        "button",
        { type: "button", class: "main", key: "continue", onclick: () => view.introduce() },
        t("Continue"),
      ),
      skipLink(lesson),
    ];
  if (position.done) return [nextButton(view), scoreButton(view), againButton(view)];
  return [
    h(
      "button",
      {
        type: "button",
        class: "plain",
        key: "show",
        "aria-disabled": busy ? "true" : undefined,
        onclick: () => (shown ? view.skipStep() : view.showSolution()),
      },
      shown ? t("Do it for me") : t("Show me"),
    ),
    skipLink(lesson),
  ];
}

function nextButton(view) {
  const { next } = view.state.lesson;
  return next
    ? h("a", { class: "button main next", key: "next", href: `/learn/${next}` }, t("Next lesson"))
    : h(
        "button",
        { type: "button", class: "main next", key: "first", onclick: () => view.playFirstMatch() },
        t("Your first real match"),
      );
}

/** Open the score sheet again, if the lesson has ended its round. */
function scoreButton(view) {
  const { scored } = view.state;
  if (!scored) return null;
  const open = () => view.openRound(scored);
  return h("button", { type: "button", class: "plain", key: "score", onclick: open }, t("Score sheet"));
}

const againButton = (view) =>
  h("button", { type: "button", class: "plain", key: "again", onclick: () => view.restart() }, t("Again"));

const skipLink = ({ next }) =>
  h(
    "a",
    { class: "button plain", key: "skip", href: next ? `/learn/${next}` : "/learn" },
    t("Skip this lesson"),
  );
