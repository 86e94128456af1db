/* The actions of a player at a table: selecting and checking cards, playing, betting, and managing the match. */

import { get, getIfChanged, isTransient, post, put, remove } from "../lib/api.js";
import { asPlayer } from "../lib/auth.js";
import { t } from "../lib/i18n.js";
import { setting } from "../lib/settings.js";
import { defaultReading, readingsAnnouncement } from "./actions.js";
import { LiveTable } from "./live-table.js";

const CHECK_DELAY_MS = 90;
const CHECK_RETRY_MS = 3000;

/** Return what a strong player would do instead of playing cards. */
function hintSentence(move, labelOf) {
  if (move.type === "pass") return t("A strong player would pass.");
  if (move.type === "award")
    return t("A strong player would give the trick to {name}.", { name: labelOf(move.to).object });
  return move.amount
    ? t("A strong player would bet {amount}.", { amount: move.amount })
    : t("A strong player would declare no bet.");
}

export class PlayableTable extends LiveTable {
  #checks = 0;

  /** The requests of a player at this table. Lessons, which are no matches, replace them. */
  requestReadings(cards) {
    return post(`${this.path}/moves/check`, { cards }, { attempts: 1 });
  }

  requestLegalMoves() {
    return get(`${this.path}/legal-moves`);
  }

  requestHint() {
    return get(`${this.path}/hint`);
  }

  requestAction(action) {
    return post(`${this.path}/moves`, { version: this.version, ...action });
  }

  toggleCard(code) {
    const selected = new Set(this.state.selected);
    if (!selected.delete(code)) selected.add(code);
    this.update({ selected, focus: code, problem: null, legalPlays: null, hintText: null });
    this.scheduleCheck();
  }

  selectCards(cards) {
    this.update({ selected: new Set(cards), legalPlays: null, problem: null, hintText: null, sheet: null });
    this.scheduleCheck();
    this.focusSoon(".buttons .play");
  }

  /** Move the focus after the next render. */
  focusSoon(selector) {
    setTimeout(() => this.querySelector(selector)?.focus(), 0);
  }

  /** Move the focus to the hand, or to the prompt if there are no cards left. */
  focusHand() {
    const targets = [".hand [tabindex='0']", ".prompt[tabindex]", "h1[tabindex]"];
    setTimeout(
      () =>
        targets
          .map((each) => this.querySelector(each))
          .find(Boolean)
          ?.focus(),
      0,
    );
  }

  clearSelection() {
    this.#checks += 1;
    this.update({ selected: new Set(), check: null, checkFailed: false, choice: null });
    this.update({ legalPlays: null, problem: null, hintText: null });
  }

  /** Ask the service what the selected cards can form. Only the latest response counts. */
  scheduleCheck() {
    const checkId = (this.#checks += 1);
    this.update({ check: null, checkFailed: false, choice: null });
    const cards = [...this.state.selected];
    this.pendingCheck = null;
    if (!cards.length || this.state.feed === "offline") return;
    this.pendingCheck = new Promise((done) => {
      setTimeout(async () => {
        if (checkId === this.#checks) await this.checkCards(cards, checkId);
        done();
      }, CHECK_DELAY_MS);
    });
  }

  async checkCards(cards, checkId) {
    try {
      const check = await this.requestReadings(cards);
      if (checkId !== this.#checks) return;
      const reading = defaultReading(check.readings);
      this.update({ check, choice: reading ? check.readings.indexOf(reading) : null });
      this.announce(readingsAnnouncement(check));
    } catch (error) {
      if (checkId !== this.#checks) return;
      this.update({ checkFailed: true });
      if (!isTransient(error)) return this.handleError(error);
      setTimeout(() => checkId === this.#checks && this.isConnected && this.scheduleCheck(), CHECK_RETRY_MS);
    }
  }

  async toggleLegalPlays() {
    if (!this.state.table.you.to_act) return;
    try {
      const legalPlays = await this.requestLegalMoves();
      this.clearSelection();
      this.update({ legalPlays, sheet: "plays" });
      if (legalPlays.combinations.length) this.focusSoon(".plays .chip");
      else this.announce(t("You cannot beat this play."));
    } catch (error) {
      this.handleError(error);
    }
  }

  /** Request a hint. A play is selected in the hand, any other move is shown as text. */
  async hint() {
    try {
      const { move } = await this.requestHint();
      if (move.type === "play") return this.selectCards(move.cards);
      const hintText = hintSentence(move, this.labelOf);
      this.clearSelection();
      this.update({ hintText });
      this.announce(hintText);
    } catch (error) {
      this.handleError(error);
    }
  }

  canPlay() {
    const { table, check, choice, busy } = this.state;
    return Boolean(table.you.to_act && check && choice !== null && !busy);
  }

  /** Return whether pressing Play leads to a play, perhaps after a choice between readings. */
  canPressPlay() {
    const { table, check, busy } = this.state;
    return Boolean(table.you.to_act && check?.readings.some((reading) => reading.playable) && !busy);
  }

  /** Play the selected cards. Ask first which combination they are, if they can be several. */
  async play() {
    await this.pendingCheck;
    const { selected, check, choice } = this.state;
    if (!selected.size || !check) return;
    if (this.canPlay()) return this.playReading(check.readings[choice]);
    if (this.canPressPlay()) return this.update({ sheet: "readings" });
    this.announce(this.state.table.you.to_act ? readingsAnnouncement(check) : t("It is not your turn yet."));
  }

  async playReading(reading) {
    const { kind, top, width, length } = reading.combination;
    const action = { type: "play", cards: [...this.state.selected], as: { kind, top, width, length } };
    await this.confirmAction(action, reading);
  }

  async pass() {
    const { table } = this.state;
    if (table.you.to_act && table.round.expects === "play_or_pass")
      await this.confirmAction({ type: "pass" });
  }

  /** Send an action, after a confirmation if the player has set that. */
  async confirmAction(action, reading = null) {
    if (setting("confirmPlay")) this.update({ sheet: "confirm", confirming: { action, reading } });
    else await this.sendAction(action);
  }

  async sendAction(action) {
    if (this.state.busy) return;
    this.update({ busy: true, problem: null, sheet: null });
    try {
      const response = await this.requestAction(action);
      if (action.type === "play") this.clearSelection();
      if (!this.state.log.some((entry) => entry.version === response.move.version))
        this.appendToLog([response.move]);
      this.applyTable(response.match);
      this.channel.publish(response.match.version);
    } catch (error) {
      this.handleError(error);
    }
    this.update({ busy: false });
    this.focusHand();
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
