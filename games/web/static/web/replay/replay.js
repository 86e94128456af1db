/* <haggis-replay>: a match from its record, step by step, with its deals checked here. */

import { get, Problem, post } from "../lib/api.js";
import { ensureShapes } from "../lib/card-art.js";
import { glide, places } from "../lib/motion.js";
import { play as sound } from "../lib/sound.js";
import { h, View } from "../lib/vdom.js";
import { verifyDeals } from "../lib/verify.js";
import { learnNames, seatName } from "../table/names.js";
import { Analysis } from "./analysis.js";
import { aside } from "./aside.js";
import { board } from "./board.js";
import { controls } from "./controls.js";
import { steps } from "./course.js";
import { refusedPanel, uploadPanel } from "./upload.js";

const AT_ONCE = 900;

class HaggisReplay extends View {
  state = {
    record: null,
    steps: [],
    at: 0,
    eyes: "all",
    playing: false,
    checked: null,
    refused: null,
    problem: null,
  };

  begin() {
    ensureShapes();
    this.matchId = this.getAttribute("match");
    this.moved = () => this.go(fromHash(), { quietly: true });
    this.keys = (event) => this.key(event);
    addEventListener("hashchange", this.moved);
    addEventListener("keydown", this.keys);
    if (this.matchId) this.fetch();
  }

  end() {
    removeEventListener("hashchange", this.moved);
    removeEventListener("keydown", this.keys);
    clearInterval(this.timer);
    this.analysis?.stop();
  }

  async fetch() {
    try {
      const [record, table] = await Promise.all([
        get(`/matches/${this.matchId}/record`),
        get(`/matches/${this.matchId}`),
      ]);
      await learnNames(table.seats);
      this.tell(
        record,
        table.seats.map((_, seat) => seatName(table.seats, seat)),
      );
      if (table.status === "finished")
        this.analysis = new Analysis(this.matchId, (analysis) => this.update({ analysis }));
    } catch (problem) {
      this.update({ problem });
    }
  }

  /** Look at a record that somebody has: first its deals, here; then its play, by the service's engine. */
  async open(text) {
    try {
      const record = JSON.parse(text);
      const here = verifyDeals(record);
      const there = here.valid ? await post("/records/verify", { record }) : here;
      if (!there.valid) this.update({ refused: there, record: null });
      else
        this.tell(
          record,
          record.seats ?? Array.from({ length: record.players }, (_, seat) => `Seat ${seat + 1}`),
        );
    } catch (error) {
      const detail = error instanceof SyntaxError ? "This is not JSON that can be read." : error.message;
      this.update({
        refused: { where: error instanceof Problem ? error.code : "file", detail },
        record: null,
      });
    }
  }

  tell(record, names) {
    const checked = verifyDeals(record);
    if (!checked.valid) return this.update({ refused: checked, record: null });
    const course = steps(record);
    this.update({
      record,
      names,
      steps: course,
      checked,
      refused: null,
      at: Math.min(fromHash(), Math.max(0, course.length - 1)),
    });
  }

  get step() {
    return this.state.steps[this.state.at];
  }

  get of() {
    return (seat) => ({ name: this.state.names[seat], object: this.state.names[seat], me: false });
  }

  /** Go to a step. The address names it, so that it can be shared. */
  go(at, { quietly = false } = {}) {
    const next = Math.max(0, Math.min(this.state.steps.length - 1, at));
    if (next === this.state.at || !this.state.steps.length) return;
    this.update({ at: next, said: null });
    if (!quietly) history.replaceState(null, "", `#${next}`);
    if (this.state.steps[next].action?.type === "play") sound("card");
  }

  /** To the beginning of the next round, or of this one and the one before. */
  goRound(by) {
    const starts = this.state.steps.filter((step) => step.kind === "deal").map((step) => step.index);
    const next =
      by > 0
        ? starts.find((start) => start > this.state.at)
        : starts.findLast((start) => start < this.state.at);
    this.go(next ?? (by > 0 ? this.state.steps.length - 1 : 0));
  }

  run(playing) {
    clearInterval(this.timer);
    this.update({ playing });
    if (!playing) return;
    this.timer = setInterval(() => {
      if (this.state.at >= this.state.steps.length - 1) this.run(false);
      else this.go(this.state.at + 1);
    }, AT_ONCE);
  }

  /** Arrows, Home, End and the page keys go through the match, the space bar plays it. */
  key(event) {
    if (!this.state.record || event.ctrlKey || event.metaKey || event.altKey) return;
    if (usesKeys(event.target, event.key)) return;
    const act = {
      ArrowLeft: () => this.go(this.state.at - 1),
      ArrowRight: () => this.go(this.state.at + 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      PageUp: () => this.goRound(-1),
      PageDown: () => this.goRound(1),
      " ": () => this.run(!this.state.playing),
    }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  }

  before() {
    this.places = places(this);
  }

  after() {
    glide(this, this.places);
  }

  view() {
    const { record, refused, problem } = this.state;
    if (refused) return refusedPanel(this);
    if (record && this.state.steps.length) {
      return h(
        "div",
        { class: "around", key: "around" },
        h("div", { class: "felt replay" }, board(this), controls(this)),
        aside(this),
      );
    }
    if (problem)
      return h(
        "div",
        { class: "panel" },
        h("h1", null, "There is no such match"),
        h("p", null, problem.message),
        h("p", null, h("a", { class: "button main", href: "/" }, "To the lobby")),
      );
    if (record)
      return h(
        "div",
        { class: "panel" },
        h("h1", null, "No round has ended yet"),
        h("p", null, "A replay shows what is over."),
        h("p", null, h("a", { class: "button main", href: `/matches/${this.matchId}` }, "To the table")),
      );
    return this.matchId ? h("p", { class: "loading" }, "The cards are being sorted…") : uploadPanel(this);
  }
}

/** Whether what has the focus does something of its own with a key. */
const usesKeys = (element, key) =>
  /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ||
  (key === " " && /^(BUTTON|A|SUMMARY)$/.test(element.tagName));

const fromHash = () => Number.parseInt(location.hash.slice(1), 10) || 0;

customElements.define("haggis-replay", HaggisReplay);
