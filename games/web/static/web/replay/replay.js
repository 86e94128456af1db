/* <haggis-replay>: step through the record of a match, with its deals verified in the browser. */

import { get, Problem, post, sleep } from "../lib/api.js";
import { ensureSymbols } from "../lib/card-art.js";
import { t } from "../lib/i18n.js";
import { cardPositions, glide } from "../lib/motion.js";
import { play as sound } from "../lib/sound.js";
import { h, View } from "../lib/vdom.js";
import { verifyDeals } from "../lib/verify.js";
import { loadDisplayNames, seatName } from "../table/names.js";
import { Analysis } from "./analysis.js";
import { board } from "./board.js";
import { controls } from "./controls.js";
import { sidebar } from "./sidebar.js";
import { buildSteps } from "./steps.js";
import { rejectionPanel, uploadPanel } from "./upload.js";

const STEP_MS = 900;
const POLL_MS = 1000;

/** Let the service replay a record; the verdict on a large one has to be polled. */
async function verifyPlay(record) {
  let answer = await post("/records/verify", { record });
  while (answer.status === "pending" || answer.status === "running") {
    await sleep(POLL_MS);
    answer = await get(`/records/verifications/${answer.id}`);
  }
  if (!("status" in answer)) return answer;
  return answer.verdict ?? { valid: false, where: "", detail: t("The record took too long to replay.") };
}

class HaggisReplay extends View {
  state = {
    record: null,
    steps: [],
    at: 0,
    viewpoint: "all",
    playing: false,
    checked: null,
    rejection: null,
    problem: null,
  };

  connected() {
    ensureSymbols();
    this.matchId = this.getAttribute("match");
    this.onHashChange = () => this.goToStep(fromHash(), { keepHash: true });
    this.onKeyDown = (event) => this.handleKey(event);
    addEventListener("hashchange", this.onHashChange);
    addEventListener("keydown", this.onKeyDown);
    if (this.matchId) this.fetch();
  }

  disconnected() {
    removeEventListener("hashchange", this.onHashChange);
    removeEventListener("keydown", this.onKeyDown);
    clearInterval(this.timer);
    this.analysis?.stop();
  }

  async fetch() {
    try {
      const [record, table] = await Promise.all([
        get(`/matches/${this.matchId}/record`),
        get(`/matches/${this.matchId}`),
      ]);
      await loadDisplayNames(table.seats);
      this.showRecord(
        record,
        table.seats.map((_, seat) => seatName(table.seats, seat)),
        table.seats.map((seat) => seat.player?.username),
      );
      if (table.status === "finished")
        this.analysis = new Analysis(this.matchId, (analysis) => this.update({ analysis }));
    } catch (problem) {
      this.update({ problem });
    }
  }

  /** Open a record from a file. Its deals are verified here, then its play by the engine of the service. */
  async openRecord(text) {
    try {
      const record = JSON.parse(text);
      const dealVerdict = verifyDeals(record);
      const verdict = dealVerdict.valid ? await verifyPlay(record) : dealVerdict;
      if (!verdict.valid) this.update({ rejection: verdict, record: null });
      else
        this.showRecord(
          record,
          record.seats ??
            Array.from({ length: record.players }, (_, seat) => t("Seat {number}", { number: seat + 1 })),
        );
    } catch (error) {
      const detail = error instanceof SyntaxError ? t("The file is not valid JSON.") : error.message;
      this.update({
        rejection: { where: error instanceof Problem ? error.code : "file", detail },
        record: null,
      });
    }
  }

  /** Show a record. The accounts of the players are known only for a match of this service. */
  showRecord(record, names, usernames = []) {
    const checked = verifyDeals(record);
    if (!checked.valid) return this.update({ rejection: checked, record: null });
    const matchSteps = buildSteps(record);
    this.update({
      record,
      names,
      usernames,
      steps: matchSteps,
      checked,
      rejection: null,
      at: Math.min(fromHash(), Math.max(0, matchSteps.length - 1)),
    });
  }

  get step() {
    return this.state.steps[this.state.at];
  }

  get labelOf() {
    return (seat) => ({
      name: this.state.names[seat],
      object: this.state.names[seat],
      me: false,
      username: this.state.usernames[seat],
    });
  }

  /** Go to a step and put it into the address, so it can be shared. */
  goToStep(at, { keepHash = false } = {}) {
    const next = Math.max(0, Math.min(this.state.steps.length - 1, at));
    if (next === this.state.at || !this.state.steps.length) return;
    this.update({ at: next, said: null });
    if (!keepHash) history.replaceState(null, "", `#${next}`);
    if (this.state.steps[next].action?.type === "play") sound("card");
  }

  /** Go to the start of the next round, or of the current or previous one. */
  goToRound(direction) {
    const starts = this.state.steps.filter((step) => step.kind === "deal").map((step) => step.index);
    const next =
      direction > 0
        ? starts.find((start) => start > this.state.at)
        : starts.findLast((start) => start < this.state.at);
    this.goToStep(next ?? (direction > 0 ? this.state.steps.length - 1 : 0));
  }

  setPlaying(playing) {
    clearInterval(this.timer);
    this.update({ playing });
    if (!playing) return;
    this.timer = setInterval(() => {
      if (this.state.at >= this.state.steps.length - 1) this.setPlaying(false);
      else this.goToStep(this.state.at + 1);
    }, STEP_MS);
  }

  /** Handle keys: arrows, Home, End and Page Up/Down navigate, the space bar starts and stops playback. */
  handleKey(event) {
    if (!this.state.record || event.ctrlKey || event.metaKey || event.altKey) return;
    if (handlesKey(event.target, event.key)) return;
    const action = {
      ArrowLeft: () => this.goToStep(this.state.at - 1),
      ArrowRight: () => this.goToStep(this.state.at + 1),
      Home: () => this.goToStep(0),
      End: () => this.goToStep(Infinity),
      PageUp: () => this.goToRound(-1),
      PageDown: () => this.goToRound(1),
      " ": () => this.setPlaying(!this.state.playing),
    }[event.key];
    if (!action) return;
    action();
    event.preventDefault();
  }

  beforeRender() {
    this.oldPositions = cardPositions(this);
  }

  afterRender() {
    glide(this, this.oldPositions);
  }

  view() {
    const { record, rejection, problem } = this.state;
    if (rejection) return rejectionPanel(this);
    if (record && this.state.steps.length) {
      return h(
        "div",
        { class: "match-layout", key: "layout" },
        h("div", { class: "felt replay" }, board(this), controls(this)),
        sidebar(this),
      );
    }
    if (problem)
      return h(
        "div",
        { class: "panel" },
        h("h1", null, t("Match not found")),
        h("p", null, problem.message),
        h("p", null, h("a", { class: "button main", href: "/" }, t("Back to the lobby"))),
      );
    if (record)
      return h(
        "div",
        { class: "panel" },
        h("h1", null, t("No round finished yet")),
        h("p", null, t("You can replay a match after its first round.")),
        h(
          "p",
          null,
          h("a", { class: "button main", href: `/matches/${this.matchId}` }, t("Back to the match")),
        ),
      );
    return this.matchId ? h("p", { class: "loading" }, t("Loading the replay…")) : uploadPanel(this);
  }
}

/** Return whether the focused element handles the key itself. */
const handlesKey = (element, key) =>
  /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ||
  (key === " " && /^(BUTTON|A|SUMMARY)$/.test(element.tagName));

const fromHash = () => Number.parseInt(location.hash.slice(1), 10) || 0;

customElements.define("haggis-replay", HaggisReplay);
