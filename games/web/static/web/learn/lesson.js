/* <haggis-lesson>: a lesson at the table of matches, with explanations by a coach. */

import { get, isTransient, Problem, post, sleep } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { motionTime } from "../lib/settings.js";
import { h } from "../lib/vdom.js";
import { actionDialog } from "../table/action-dialogs.js";
import { helpDialog } from "../table/help.js";
import { roundEndDialog } from "../table/scores.js";
import { pileDialog } from "../table/seats.js";
import { HaggisTable } from "../table/table.js";
import { coach } from "./coach.js";
import { startFirstMatch } from "./first-match.js";
import { acceptedActions, storeProgress } from "./progress.js";

// How long the learner sees each play before the next one.
const REPLY_DELAY_MS = 900;
const RETRY_MS = 3000;

class HaggisLesson extends HaggisTable {
  actions = [];
  cardsInOneRow = 11;

  get lessonPath() {
    return `/lessons/${this.getAttribute("lesson")}`;
  }

  /** Load the lesson, and continue where this browser left it. */
  async start() {
    try {
      const lesson = await get(this.lessonPath);
      this.show(lesson, await this.resume(lesson, acceptedActions(lesson.key)));
      document.title = `${lesson.title} · Haggis`;
      this.loadDetails();
    } catch (problem) {
      this.update({ problem, loadFailed: true });
      if (isTransient(problem)) setTimeout(() => this.isConnected && this.start(), RETRY_MS);
    }
  }

  /** Return the state after stored actions, or the start if they do not fit, as after a change of the lesson. */
  async resume({ log, position }, actions) {
    const start = { actions: [], log, position };
    let resumed = start;
    try {
      for (const action of actions) {
        const tried = [...resumed.actions, action];
        const answer = await post(`${this.lessonPath}/act`, { actions: tried });
        if (!answer.accepted || answer.position.done) return start;
        const entries = answer.moves.map(({ move }) => move);
        resumed = { actions: tried, log: [...resumed.log, ...entries], position: answer.position };
      }
    } catch (error) {
      if (!(error instanceof Problem) || isTransient(error)) throw error;
      return start;
    }
    return resumed;
  }

  show(lesson, { actions, log, position }) {
    this.actions = actions;
    Object.assign(this.state, { table: null, lastPlay: null });
    this.clearSelection();
    this.update({
      lesson,
      position,
      introduced: actions.length > 0,
      comment: null,
      shown: false,
      endedRound: null,
      scored: null,
      log,
      problem: null,
    });
    this.applyTable(position.match);
    this.announceCoach();
  }

  introduce() {
    this.update({ introduced: true });
    this.announceCoach();
    this.focusHand();
  }

  restart() {
    const { lesson } = this.state;
    this.show(lesson, { actions: [], log: lesson.log, position: lesson.position });
  }

  /** The coach says what to do: the table itself announces nothing more, has no stream and reads no log. */
  onTurn() {}

  refresh() {}

  readRounds() {
    return Promise.resolve();
  }

  /** Open the score sheet of the round; the coach can open it again. */
  openRound(round) {
    this.update({ scored: round });
    return super.openRound(round);
  }

  announceCoach() {
    setTimeout(() => {
      const texts = [...this.querySelectorAll(".coach-text p")].map((each) => each.textContent);
      this.announce(texts.join(" "));
    }, 0);
  }

  requestReadings(cards) {
    return post(`${this.lessonPath}/check`, { actions: this.actions, cards }, { attempts: 1 });
  }

  requestLegalMoves() {
    return Promise.resolve(this.state.position.legal_moves);
  }

  /** Send an action with those before it, then show it and the replies one after the other. */
  async sendAction(action) {
    if (this.state.busy || this.state.position.done) return;
    this.update({ busy: true, problem: null, sheet: null, introduced: true });
    try {
      const actions = [...this.actions, action];
      const answer = await post(`${this.lessonPath}/act`, { actions });
      if (answer.accepted) await this.showMoves(actions, answer);
      this.update({ comment: answer.comment, accepted: answer.accepted });
      this.announceCoach();
    } catch (error) {
      this.handleError(error);
    }
    this.update({ busy: false });
    if (!this.state.lastPlay) this.focusHand();
  }

  async showMoves(actions, { moves, position }) {
    this.actions = actions;
    storeProgress(this.state.lesson.key, actions, position.done);
    this.clearSelection();
    for (const [at, { move, match }] of moves.entries()) {
      if (at > 0) await sleep(Math.max(motionTime(REPLY_DELAY_MS), 1));
      this.appendToLog([move]);
      this.applyTable(match);
    }
    this.update({ position, shown: false });
  }

  /** Select the cards of the solution, or point to the button that does it. */
  showSolution() {
    const { solution } = this.state.position;
    this.update({ shown: true });
    if (solution.type === "play") this.selectCards(solution.cards);
    else if (solution.type === "pass") this.focusSoon(".buttons .pass");
    else this.focusSoon(".option-stack button:last-of-type");
  }

  skipStep() {
    return this.sendAction(this.state.position.solution);
  }

  async playFirstMatch() {
    try {
      await startFirstMatch();
    } catch (problem) {
      this.update({ problem });
    }
  }

  focusHand() {
    if (this.state.position?.done) this.focusSoon(".coach .next");
    else super.focusHand();
  }

  heading() {
    return this.state.lesson.title;
  }

  /** The coach gives the tips. */
  tips() {
    return null;
  }

  sidebar() {
    return null;
  }

  view() {
    const { table, lesson, position, lastPlay, loadFailed, problem } = this.state;
    if (loadFailed) return loadErrorPanel(problem);
    if (!table || !lesson) return h("p", { class: "loading" }, t("Loading the lesson…"));
    const isOver = position.done && !lastPlay;
    return [
      this.skipLink(),
      h("p", { class: "sr", role: "status", "aria-live": "polite", key: "said" }, this.state.announcement),
      h(
        "div",
        { class: `lesson${isOver ? " done" : ""}`, key: "lesson" },
        coach(this),
        h("div", { class: "lesson-table", inert: isOver }, this.gameView()),
      ),
      roundEndDialog(this),
      pileDialog(this),
      actionDialog(this),
      helpDialog(this),
    ];
  }
}

const loadErrorPanel = (problem) =>
  h(
    "div",
    { class: "panel" },
    h("h1", null, problem.status === 404 ? t("Lesson not found") : t("The service cannot be reached")),
    h("p", null, h("a", { class: "button main", href: "/learn" }, t("All lessons"))),
  );

customElements.define("haggis-lesson", HaggisLesson);
