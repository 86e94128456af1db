/* A table as it is known here: read once, then followed. */

import { all, get, getIfNew, isPassing, Problem } from "../lib/api.js";
import { forget } from "../lib/session.js";
import { play as sound } from "../lib/sound.js";
import { Feed } from "../lib/stream.js";
import { View } from "../lib/vdom.js";
import { tell } from "../lib/words.js";
import { learnNames, speaker } from "./names.js";

const LOG_LENGTH = 60;
const LOG_KEPT = 200;
const OVER = new Set(["finished", "cancelled"]);
const LONGEST_BREAK = 10_000;

export class FollowedTable extends View {
  state = {
    table: null,
    rounds: [],
    log: [],
    selected: new Set(),
    check: null,
    choice: null,
    plays: null,
    ended: null,
    problem: null,
    feed: "",
  };

  #starts = 0;
  #later = null;

  get version() {
    return this.state.table?.version ?? 0;
  }

  get of() {
    return speaker(this.state.table);
  }

  /** Seconds until the deadline by the service's clock. */
  secondsLeft() {
    return (Date.parse(this.state.table.round.deadline) - Date.now() - this.behind) / 1000;
  }

  /** Read everything anew and follow it; a later start takes the place of one that is still reading. */
  async start() {
    const mine = (this.#starts += 1);
    this.feed?.stop();
    try {
      const table = await getIfNew(this.path, { anyway: true });
      if (mine !== this.#starts) return;
      this.state.log = [];
      this.state.table = null;
      this.take(table);
      await Promise.all([this.readLog(table.version), this.readRounds()]);
      if (mine === this.#starts && !OVER.has(table.status)) this.follow(table.version);
    } catch (error) {
      if (error.code === "not_authenticated") return forget();
      this.update({ problem: error, lost: !this.state.table });
      if (!(error instanceof Problem)) setTimeout(() => this.isConnected && this.start(), 3000);
    }
  }

  follow(version) {
    this.feed = new Feed(this.matchId, version, {
      heard: (entries) => this.heard(entries),
      leapt: (table) => {
        this.take(table);
        Promise.all([this.readLog(table.version), this.readRounds()]).catch((problem) =>
          this.update({ problem }),
        );
      },
      state: (feed) => this.update({ feed }),
    });
  }

  /** Show a table, unless a later one is shown already. */
  take(table) {
    if (!table || (this.state.table && table.version < this.version)) return;
    this.behind = Date.parse(table.now) - Date.now();
    const before = this.state.table;
    const moved = !before || before.version !== table.version;
    const hand = table.round?.hands[table.you?.seat]?.cards ?? [];
    const selected = new Set([...this.state.selected].filter((code) => hand.includes(code)));
    this.update({
      table,
      selected,
      lost: false,
      ...(moved ? { plays: null, check: null, choice: null, hinted: null } : {}),
    });
    if (moved && selected.size) this.recheck();
    if (before && table.you?.to_act && !before.you?.to_act) sound("turn");
    if (moved) learnNames(table.seats).then((news) => news && this.update({}));
  }

  async readLog(version) {
    const page = await get(`${this.path}/moves?after=${Math.max(0, version - LOG_LENGTH)}&limit=100`);
    this.update({ log: page.results });
  }

  async readRounds() {
    const rounds = [];
    for await (const round of all(`${this.path}/rounds?limit=100`)) rounds.push(round);
    this.update({ rounds });
  }

  /** Read the table as it is now; a service that is away is asked again until it answers. */
  async refresh(breaks = 0) {
    clearTimeout(this.#later);
    try {
      this.take(await getIfNew(this.path));
      if (isPassing(this.state.problem)) this.update({ problem: null });
    } catch (error) {
      this.fail(error);
      if (!isPassing(error)) return;
      const wait = Math.min(LONGEST_BREAK, 500 * 2 ** breaks) * (0.5 + Math.random());
      this.#later = setTimeout(() => this.isConnected && this.refresh(breaks + 1), wait);
    }
  }

  async heard(entries) {
    const news = entries.filter((entry) => !this.state.log.some((known) => known.version === entry.version));
    if (news.length) this.note(news);
    if (entries.at(-1).version > this.version) await this.refresh();
  }

  /** Write entries into the log, say them, and show the end of a round. */
  note(news) {
    const events = news.flatMap((entry) => entry.then);
    const ended = events.findLast((event) => event.type === "round_end" && event.scores);
    this.update({
      log: [...this.state.log, ...news].slice(-LOG_KEPT),
      said: news.flatMap((entry) => tell(entry, this.of)).join(" "),
      ...(ended ? { ended } : {}),
    });
    if (ended) this.readRounds().catch(() => {});
    if (events.some((event) => event.type === "match_end")) sound("end");
    else if (events.some((event) => event.type === "trick_end")) sound("trick");
    else if (news.some((entry) => entry.type === "play")) sound("card");
  }

  fail(error) {
    if (
      error instanceof Problem &&
      ["stale_version", "not_your_turn", "deadline_passed"].includes(error.code)
    )
      this.refresh();
    this.update({ problem: error });
  }
}
