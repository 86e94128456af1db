/* <haggis-puzzle>: a decision at the table of matches, and what every choice of it costs. */

import { get, isTransient, post } from "../lib/api.js";
import { cardText, sortCards } from "../lib/cards.js";
import { t, tn } from "../lib/i18n.js";
import { ruleSetName } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { actionDialog } from "../table/action-dialogs.js";
import { helpDialog } from "../table/help.js";
import { pileDialog } from "../table/seats.js";
import { HaggisTable } from "../table/table.js";
import { isSolvedToday, lastPuzzle, storeLast, storeSolvedDay, streak, today } from "./progress.js";

const RETRY_MS = 3000;

/** Return a table with the round of a puzzle, as the elements of the table expect it. */
function tableOf(puzzle) {
  const now = new Date().toISOString();
  const opponents = puzzle.players - 1;
  const nameOf = (seat) =>
    opponents === 1
      ? t("Opponent")
      : t("Opponent {number}", { number: (seat - puzzle.seat + puzzle.players) % puzzle.players });
  return {
    ...puzzle,
    status: "active",
    version: 1,
    now,
    clock: { turn_seconds: null, time_bank_seconds: 0 },
    seats: Array.from({ length: puzzle.players }, (_, seat) => ({
      seat,
      state: "playing",
      player: null,
      level: null,
      imported_name: nameOf(seat),
      score: 0,
      vacation: null,
    })),
    you: { seat: puzzle.seat, to_act: true, may_bet: false, bets: [], awards: [], standing_order: false },
  };
}

/** Describe a play or a pass by its cards. */
const choiceText = ({ cards }) => (cards?.length ? sortCards(cards).map(cardText).join(" ") : t("Pass"));

class HaggisPuzzle extends HaggisTable {
  cardsInOneRow = 11;

  get puzzlePath() {
    return `/puzzles/${this.state.puzzle.id}`;
  }

  async start() {
    const name = this.getAttribute("puzzle");
    const last = lastPuzzle();
    try {
      const puzzle = await get(`/puzzles/${name === "next" && last ? `next?after=${last}` : name}`);
      this.state.table = null;
      this.clearSelection();
      this.update({ puzzle, answer: null, problem: null, loadFailed: false });
      this.applyTable(tableOf(puzzle));
      storeLast(puzzle.id);
    } catch (problem) {
      this.update({ problem, loadFailed: true });
      if (isTransient(problem)) setTimeout(() => this.isConnected && this.start(), RETRY_MS);
    }
  }

  /** A puzzle does not change: there is no stream and no log. */
  refresh() {}

  readRounds() {
    return Promise.resolve();
  }

  requestReadings(cards) {
    return post(`${this.puzzlePath}/check`, { cards }, { attempts: 1 });
  }

  requestLegalMoves() {
    return get(`${this.puzzlePath}/legal-moves`);
  }

  async sendAction(action) {
    if (this.state.busy || this.state.answer) return;
    this.update({ busy: true, problem: null, sheet: null });
    try {
      const answer = await post(`${this.puzzlePath}/answer`, action);
      const { puzzle, table } = this.state;
      if (answer.best && puzzle.daily_on === today()) storeSolvedDay(puzzle.daily_on);
      this.clearSelection();
      this.update({ answer, table: { ...table, you: { ...table.you, to_act: false } } });
      this.announce(this.verdict());
      this.focusSoon(".coach .next");
    } catch (error) {
      this.handleError(error);
    }
    this.update({ busy: false });
  }

  tryAgain() {
    this.update({ answer: null });
    this.applyTable({ ...tableOf(this.state.puzzle), version: this.version + 1 });
    this.focusHand();
  }

  verdict() {
    const { best, cost } = this.state.answer;
    return best
      ? t("That is the best choice.")
      : t("This loses {points} points on average.", { points: cost });
  }

  heading() {
    return t("What would you play?");
  }

  notices() {
    return h("div", { class: "notices", key: "notices" }, this.problemAlert());
  }

  /** A puzzle is not one of the first matches. */
  tips() {
    return null;
  }

  sidebar() {
    return null;
  }

  view() {
    const { table, puzzle, loadFailed, problem } = this.state;
    if (loadFailed) return loadErrorPanel(problem);
    if (!table || !puzzle) return h("p", { class: "loading" }, t("Loading the puzzle…"));
    return [
      this.skipLink(),
      h("p", { class: "sr", role: "status", "aria-live": "polite", key: "said" }, this.state.announcement),
      h(
        "div",
        { class: `lesson${this.state.answer ? " done answered" : ""}`, key: "puzzle" },
        this.panel(),
        this.gameView(),
      ),
      pileDialog(this),
      actionDialog(this),
      helpDialog(this),
    ];
  }

  panel() {
    const { answer, puzzle } = this.state;
    return h(
      "section",
      { class: "coach", key: "panel", "aria-label": t("Puzzle") },
      h(
        "p",
        { class: "coach-place small quiet" },
        h(
          "a",
          { href: `/rules/${puzzle.ruleset}` },
          t("Rules: {name}", { name: ruleSetName(puzzle.ruleset) }),
        ),
        h("span", null, tn("{count} player", "{count} players", puzzle.players)),
        puzzle.daily_on === today() ? h("span", null, t("Puzzle of the day")) : null,
        isSolvedToday() ? h("span", null, t("Days in a row: {count}", { count: streak() })) : null,
      ),
      h(
        "div",
        { class: "coach-text" },
        answer
          ? this.result(answer)
          : h("p", { class: "task" }, t("What would you play? One choice is clearly the best.")),
      ),
      h("div", { class: "choices", key: "choices" }, answer ? this.choices(answer) : null),
    );
  }

  result({ best, best_action: bestAction, alternatives, line }) {
    return [
      h("p", { class: best ? "right" : "other", key: "verdict" }, this.verdict()),
      h("p", { key: "best" }, t("Best: {cards}", { cards: choiceText(bestAction) })),
      h("p", { key: "others", class: "small" }, t("What other choices lose on average:")),
      h(
        "ul",
        { key: "list", class: "small" },
        alternatives.map(({ action, cost }, at) =>
          h("li", { key: at }, t("{cards}: {points} points", { cards: choiceText(action), points: cost })),
        ),
      ),
      h("p", { key: "line", class: "small" }, t("It could continue like this:")),
      h(
        "ol",
        { key: "turns", class: "small" },
        line.map((turn, at) => h("li", { key: at }, `${this.labelOf(turn.seat).name}: ${choiceText(turn)}`)),
      ),
    ];
  }

  choices({ best }) {
    return [
      h("a", { class: "button main next", key: "next", href: "/puzzles" }, t("Next puzzle")),
      best
        ? null
        : h(
            "button",
            { type: "button", class: "plain", key: "again", onclick: () => this.tryAgain() },
            t("Again"),
          ),
    ];
  }
}

const loadErrorPanel = (problem) =>
  h(
    "div",
    { class: "panel" },
    h(
      "h1",
      null,
      problem.status === 404 ? t("There is no puzzle left here.") : t("The service cannot be reached"),
    ),
    h("p", null, h("a", { class: "button main", href: "/" }, t("Back to the lobby"))),
  );

customElements.define("haggis-puzzle", HaggisPuzzle);
