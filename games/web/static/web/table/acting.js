/* What a player does at a table: cards picked and looked at, plays, bets, and what is said of the match. */

import { get, getIfNew, post, put, remove } from "../lib/api.js";
import { asPlayer } from "../lib/entering.js";
import { usual } from "./actions.js";
import { FollowedTable } from "./following.js";

const CHECK_AFTER = 90;

export class PlayedTable extends FollowedTable {
  #checks = 0;

  pick(code) {
    const selected = new Set(this.state.selected);
    if (!selected.delete(code)) selected.add(code);
    this.update({ selected, focus: code, problem: null, plays: null });
    this.recheck();
  }

  pickAll(cards) {
    this.update({ selected: new Set(cards), plays: null, problem: null });
    this.recheck();
    this.focusSoon(".buttons .play");
  }

  /** Lead the keyboard on, once what it is led to is there. */
  focusSoon(place) {
    setTimeout(() => this.querySelector(place)?.focus(), 0);
  }

  unpick() {
    this.update({ selected: new Set(), check: null, choice: null, plays: null, problem: null });
  }

  /** Ask what the picked cards can be. Only the answer to the last question counts. */
  recheck() {
    const mine = (this.#checks += 1);
    this.update({ check: null, choice: null });
    const cards = [...this.state.selected];
    if (!cards.length) return;
    this.checked = new Promise((done) => {
      setTimeout(async () => {
        if (mine === this.#checks) await this.ask(cards, mine);
        done();
      }, CHECK_AFTER);
    });
  }

  async ask(cards, mine) {
    try {
      const check = await post(`${this.path}/moves/check`, { cards });
      if (mine !== this.#checks) return;
      const best = usual(check.readings);
      this.update({ check, choice: best ? check.readings.indexOf(best) : null });
    } catch (error) {
      if (mine === this.#checks) this.fail(error);
    }
  }

  async showPlays() {
    if (this.state.plays) return this.update({ plays: null });
    try {
      this.update({ selected: new Set(), check: null, plays: await get(`${this.path}/legal-moves`) });
      this.focusSoon(".plays .chip");
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ask what a strong player would do: cards are picked, anything else is said. */
  async hint() {
    try {
      const { move } = await get(`${this.path}/hint`);
      if (move.type === "play") return this.pickAll(move.cards);
      const told = {
        pass: () => "pass",
        bet: () => (move.amount ? `bet ${move.amount}` : "declare no bet"),
        award: () => `give it to ${this.of(move.to).object}`,
      };
      this.update({ hinted: `A strong player would ${told[move.type]()}.` });
    } catch (error) {
      this.fail(error);
    }
  }

  canPlay() {
    const { table, check, choice, busy } = this.state;
    return Boolean(table.you.to_act && check && choice !== null && !busy);
  }

  async play() {
    await this.checked;
    if (!this.state.selected.size) return;
    const reading = this.state.check?.readings[this.state.choice];
    if (!this.canPlay()) {
      if (this.state.check?.playable && this.state.table.you.to_act)
        this.update({ said: "Choose what the cards are to be." });
      return;
    }
    const { kind, top, width, length } = reading.combination;
    await this.act({ type: "play", cards: [...this.state.selected], as: { kind, top, width, length } });
  }

  async pass() {
    const { table } = this.state;
    if (table.you.to_act && table.round.expects === "play_or_pass") await this.act({ type: "pass" });
  }

  async act(action) {
    if (this.state.busy) return;
    this.update({ busy: true, problem: null });
    try {
      const answer = await post(`${this.path}/moves`, { version: this.version, ...action });
      if (action.type === "play") this.unpick();
      this.focusSoon(".hand [tabindex='0']");
      if (!this.state.log.some((entry) => entry.version === answer.move.version)) this.note([answer.move]);
      this.take(answer.match);
      this.channel.tell(answer.match.version);
    } catch (error) {
      this.fail(error);
    }
    this.update({ busy: false });
  }

  /** Something said of the match that is no card: its answer is the table. */
  async say(what, body = {}) {
    this.update({ problem: null });
    try {
      const table = await asPlayer(() => post(this.path + what, body));
      this.take(table);
      this.channel.tell(table.version);
      return table;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  /** Something said before, taken back. */
  async unsay(what) {
    try {
      this.take(await remove(this.path + what));
    } catch (error) {
      this.fail(error);
    }
  }

  join(seat) {
    return this.say("/join", { seat });
  }

  async fillWithAi(seat, level) {
    try {
      this.take(await put(`${this.path}/seats/${seat}`, { kind: "ai", level }));
    } catch (error) {
      this.fail(error);
    }
  }

  async standingOrder(wanted) {
    try {
      await (wanted ? put(`${this.path}/standing-order`) : remove(`${this.path}/standing-order`));
      this.take(await getIfNew(this.path, { anyway: true }));
    } catch (error) {
      this.fail(error);
    }
  }

  async rematch() {
    try {
      const next = await post(`${this.path}/rematch`);
      location.assign(`/matches/${next.id}`);
    } catch (error) {
      this.fail(error);
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
