/* The actions of a player at a table: selecting and checking cards, playing, betting, and managing the match. */

import { get, getIfChanged, post, put, remove } from "../lib/api.js";
import { asPlayer } from "../lib/auth.js";
import { defaultReading } from "./actions.js";
import { LiveTable } from "./live-table.js";

const CHECK_DELAY_MS = 90;

export class PlayableTable extends LiveTable {
  #checks = 0;

  toggleCard(code) {
    const selected = new Set(this.state.selected);
    if (!selected.delete(code)) selected.add(code);
    this.update({ selected, focus: code, problem: null, legalPlays: null });
    this.scheduleCheck();
  }

  selectCards(cards) {
    this.update({ selected: new Set(cards), legalPlays: null, problem: null });
    this.scheduleCheck();
    this.focusSoon(".buttons .play");
  }

  /** Move the focus after the next render. */
  focusSoon(selector) {
    setTimeout(() => this.querySelector(selector)?.focus(), 0);
  }

  clearSelection() {
    this.update({ selected: new Set(), check: null, choice: null, legalPlays: null, problem: null });
  }

  /** Ask the service what the selected cards can form. Only the latest response counts. */
  scheduleCheck() {
    const checkId = (this.#checks += 1);
    this.update({ check: null, choice: null });
    const cards = [...this.state.selected];
    if (!cards.length) return;
    this.pendingCheck = new Promise((done) => {
      setTimeout(async () => {
        if (checkId === this.#checks) await this.checkCards(cards, checkId);
        done();
      }, CHECK_DELAY_MS);
    });
  }

  async checkCards(cards, checkId) {
    try {
      const check = await post(`${this.path}/moves/check`, { cards });
      if (checkId !== this.#checks) return;
      const reading = defaultReading(check.readings);
      this.update({ check, choice: reading ? check.readings.indexOf(reading) : null });
    } catch (error) {
      if (checkId === this.#checks) this.handleError(error);
    }
  }

  async toggleLegalPlays() {
    if (this.state.legalPlays) return this.update({ legalPlays: null });
    try {
      this.update({ selected: new Set(), check: null, legalPlays: await get(`${this.path}/legal-moves`) });
      this.focusSoon(".plays .chip");
    } catch (error) {
      this.handleError(error);
    }
  }

  /** Request a hint. A play is selected in the hand, any other move is shown as text. */
  async hint() {
    try {
      const { move } = await get(`${this.path}/hint`);
      if (move.type === "play") return this.selectCards(move.cards);
      const descriptions = {
        pass: () => "pass",
        bet: () => (move.amount ? `bet ${move.amount}` : "declare no bet"),
        award: () => `give the trick to ${this.labelOf(move.to).object}`,
      };
      this.update({ hintText: `A strong player would ${descriptions[move.type]()}.` });
    } catch (error) {
      this.handleError(error);
    }
  }

  canPlay() {
    const { table, check, choice, busy } = this.state;
    return Boolean(table.you.to_act && check && choice !== null && !busy);
  }

  async play() {
    await this.pendingCheck;
    if (!this.state.selected.size) return;
    const reading = this.state.check?.readings[this.state.choice];
    if (!this.canPlay()) {
      if (this.state.check?.playable && this.state.table.you.to_act)
        this.update({ announcement: "Choose which combination to play." });
      return;
    }
    const { kind, top, width, length } = reading.combination;
    await this.sendAction({
      type: "play",
      cards: [...this.state.selected],
      as: { kind, top, width, length },
    });
  }

  async pass() {
    const { table } = this.state;
    if (table.you.to_act && table.round.expects === "play_or_pass") await this.sendAction({ type: "pass" });
  }

  async sendAction(action) {
    if (this.state.busy) return;
    this.update({ busy: true, problem: null });
    try {
      const response = await post(`${this.path}/moves`, { version: this.version, ...action });
      if (action.type === "play") this.clearSelection();
      this.focusSoon(".hand [tabindex='0']");
      if (!this.state.log.some((entry) => entry.version === response.move.version))
        this.appendToLog([response.move]);
      this.applyTable(response.match);
      this.channel.publish(response.match.version);
    } catch (error) {
      this.handleError(error);
    }
    this.update({ busy: false });
  }

  /** POST to a subresource of the match, and show the table in the response. */
  async postAction(what, body = {}) {
    this.update({ problem: null });
    try {
      const table = await asPlayer(() => post(this.path + what, body));
      this.applyTable(table);
      this.channel.publish(table.version);
      return table;
    } catch (error) {
      this.handleError(error);
      return null;
    }
  }

  /** DELETE a subresource of the match, and show the table in the response. */
  async deleteAction(what) {
    try {
      this.applyTable(await remove(this.path + what));
    } catch (error) {
      this.handleError(error);
    }
  }

  join(seat) {
    return this.postAction("/join", { seat });
  }

  async fillWithAi(seat, level) {
    try {
      this.applyTable(await put(`${this.path}/seats/${seat}`, { kind: "ai", level }));
    } catch (error) {
      this.handleError(error);
    }
  }

  async setStandingOrder(enabled) {
    try {
      await (enabled ? put(`${this.path}/standing-order`) : remove(`${this.path}/standing-order`));
      this.applyTable(await getIfChanged(this.path, { force: true }));
    } catch (error) {
      this.handleError(error);
    }
  }

  async rematch() {
    try {
      const next = await post(`${this.path}/rematch`);
      location.assign(`/matches/${next.id}`);
    } catch (error) {
      this.handleError(error);
    }
  }

  async copyLink() {
    const input = this.querySelector("#share");
    input.select();
    try {
      await navigator.clipboard.writeText(input.value);
    } catch {
      document.execCommand("copy");
    }
    this.update({ copied: true });
  }
}
