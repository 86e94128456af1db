/* <haggis-lessons>: the list of lessons with the progress of this browser, and the first real match. */

import { get } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { h, View } from "../lib/vdom.js";
import { startFirstMatch } from "./first-match.js";
import { acceptedActions, completedLessons } from "./progress.js";

class HaggisLessons extends View {
  state = { lessons: null, problem: null };

  async connected() {
    this.onShow = () => this.update({});
    addEventListener("pageshow", this.onShow);
    try {
      this.update({ lessons: (await get("/lessons?limit=100")).results });
    } catch (problem) {
      this.update({ problem });
    }
  }

  disconnected() {
    removeEventListener("pageshow", this.onShow);
  }

  async play() {
    if (this.state.busy) return;
    this.update({ busy: true, problem: null });
    try {
      await startFirstMatch();
    } catch (problem) {
      this.update({ problem });
    }
    this.update({ busy: false });
  }

  view() {
    const { lessons, problem } = this.state;
    return [
      problem ? h("p", { class: "problem", role: "alert", key: "problem" }, problem.message) : null,
      lessons
        ? this.lessonList(lessons)
        : problem
          ? null
          : h("p", { class: "quiet", key: "wait" }, t("Loading…")),
    ];
  }

  lessonList(lessons) {
    const done = completedLessons();
    const next = lessons.find(({ key }) => !done.has(key));
    return [
      h(
        "p",
        { class: "choices", key: "start" },
        next ? this.startLink(next, done) : null,
        h(
          "button",
          { type: "button", class: next ? "plain" : "main", onclick: () => this.play() },
          next ? t("Skip to a first match") : t("Your first real match"),
        ),
      ),
      h(
        "p",
        { class: "quiet", key: "progress" },
        t("{done} of {count} lessons completed.", { done: done.size, count: lessons.length }),
      ),
      h(
        "ol",
        { class: "lesson-list", key: "list" },
        lessons.map((lesson, at) => lessonItem(lesson, at + 1, done.has(lesson.key))),
      ),
    ];
  }

  startLink({ key, title }, done) {
    const started = done.size > 0 || acceptedActions(key).length > 0;
    return h(
      "a",
      { class: "button main", href: `/learn/${key}` },
      started ? t("Continue: {lesson}", { lesson: title }) : t("Start"),
    );
  }
}

function lessonItem({ key, title, summary }, number, isDone) {
  const state = isDone ? t("Completed") : acceptedActions(key).length ? t("Started") : "";
  return h(
    "li",
    { key, class: isDone ? "done" : "" },
    h("span", { class: "number", "aria-hidden": "true" }, isDone ? "✓" : number),
    h(
      "div",
      null,
      h("a", { href: `/learn/${key}` }, title),
      h("p", { class: "quiet" }, summary),
      state ? h("small", { class: "state" }, state) : null,
    ),
  );
}

customElements.define("haggis-lessons", HaggisLessons);
