/* A table that is loaded once and then kept up to date. */

import { get, getAll, getIfChanged, isTransient, Problem } from "../lib/api.js";
import { showTurn } from "../lib/attention.js";
import { t } from "../lib/i18n.js";
import { token } from "../lib/session.js";
import { play as sound } from "../lib/sound.js";
import { Feed } from "../lib/stream.js";
import { describeEntry } from "../lib/text.js";
import { View } from "../lib/vdom.js";
import { turnInstruction } from "./actions.js";
import { loadDisplayNames, seatLabels } from "./names.js";

const INITIAL_LOG_ENTRIES = 60;
const MAX_LOG_ENTRIES = 200;
const TURN_SHEETS = new Set(["readings", "plays", "confirm"]);
const FINAL_STATUSES = new Set(["finished", "cancelled"]);
const MAX_RETRY_MS = 10_000;
// Messages that arrive together are announced together: a screen reader would drop all but the last.
const ANNOUNCEMENT_DELAY_MS = 150;

export class LiveTable extends View {
  state = {
    table: null,
    rounds: [],
    log: [],
    selected: new Set(),
    check: null,
    choice: null,
    legalPlays: null,
    endedRound: null,
    problem: null,
    feed: "",
  };

  #startCount = 0;
  #retryTimer = null;
  #announcements = [];

  get version() {
    return this.state.table?.version ?? 0;
  }

  get labelOf() {
    return seatLabels(this.state.table);
  }

  /** Return the seconds until the deadline, by the clock of the service. */
  secondsLeft() {
    return (Date.parse(this.state.table.round.deadline) - Date.now() - this.clockOffset) / 1000;
  }

  /** Load everything and follow the match. A later call supersedes one that is still loading. */
  async start() {
    const startId = (this.#startCount += 1);
    this.feed?.stop();
    try {
      const table = await getIfChanged(this.path, { force: true });
      if (startId !== this.#startCount) return;
      this.state.log = [];
      this.state.table = null;
      this.state.problem = null;
      this.applyTable(table);
      await Promise.all([this.readLog(table.version), this.readRounds()]);
      if (startId === this.#startCount && !FINAL_STATUSES.has(table.status)) this.follow(table.version);
    } catch (error) {
      if (error.code === "not_authenticated" && !token()) return this.start();
      this.update({ problem: error, loadFailed: !this.state.table });
      if (!(error instanceof Problem)) setTimeout(() => this.isConnected && this.start(), 3000);
    }
  }

  follow(version) {
    this.feed = new Feed(this.matchId, version, {
      onEntries: (entries) => this.onEntries(entries),
      onReset: (table) => {
        this.applyTable(table);
        Promise.all([this.readLog(table.version), this.readRounds()]).catch((problem) =>
          this.update({ problem }),
        );
      },
      onStateChange: (feed) => this.onFeedStateChange(feed),
    });
  }

  /** Catch up after a lost connection: the selected cards may not have been checked. */
  onFeedStateChange(feed) {
    const wasOffline = this.state.feed === "offline";
    if (wasOffline === (feed === "offline")) return this.update({ feed });
    this.update({ feed, offline: !navigator.onLine });
    if (!wasOffline)
      return this.announce(t("The connection is lost. Your selected cards are checked later."));
    this.announce(t("You are connected again."));
    if (isTransient(this.state.problem)) this.update({ problem: null });
    if (this.state.selected.size) this.scheduleCheck();
    this.refresh();
  }

  /** Announce a message to screen readers. */
  announce(message) {
    this.#announcements.push(message);
    if (this.#announcements.length > 1) return;
    setTimeout(() => {
      const text = this.#announcements.splice(0).join(" ");
      // A repeated text must differ, or it would not be announced.
      this.update({ announcement: text === this.state.announcement ? `${text}\u00a0` : text });
    }, ANNOUNCEMENT_DELAY_MS);
  }

  /** Show a table, unless a later version is shown already. */
  applyTable(table) {
    if (!table || (this.state.table && table.version < this.version)) return;
    this.clockOffset = Date.parse(table.now) - Date.now();
    const previous = this.state.table;
    const versionChanged = !previous || previous.version !== table.version;
    const hand = table.round?.hands[table.you?.seat]?.cards ?? [];
    const selected = new Set([...this.state.selected].filter((code) => hand.includes(code)));
    this.update({
      table,
      selected,
      loadFailed: false,
      ...(versionChanged
        ? { legalPlays: null, check: null, choice: null, hintText: null, ...this.closedSheet() }
        : {}),
    });
    if (versionChanged && selected.size) this.scheduleCheck();
    this.onTurn(previous, table);
    if (versionChanged) loadDisplayNames(table.seats).then((changed) => changed && this.update({}));
  }

  /** Close a dialog about the turn when the table changes. */
  closedSheet() {
    return TURN_SHEETS.has(this.state.sheet) ? { sheet: null } : {};
  }

  /** Say whose turn it is: by sound, to screen readers, and in the title. */
  onTurn(previous, table) {
    const mine = Boolean(table.you?.to_act) && table.status === "active";
    showTurn(mine);
    if (!mine || (previous?.you?.to_act && previous.round?.expects === table.round?.expects)) return;
    this.announce(t("Your turn: {instruction}", { instruction: turnInstruction(table) }));
    if (previous) sound("turn");
  }

  async readLog(version) {
    const page = await get(
      `${this.path}/moves?after=${Math.max(0, version - INITIAL_LOG_ENTRIES)}&limit=100`,
    );
    this.update({ log: page.results });
  }

  async readRounds() {
    this.update({ rounds: await getAll(`${this.path}/rounds`) });
  }

  /** Reload the table, with retries while the service is unavailable. */
  async refresh(failures = 0) {
    clearTimeout(this.#retryTimer);
    try {
      this.applyTable(await getIfChanged(this.path));
      if (isTransient(this.state.problem)) this.update({ problem: null });
    } catch (error) {
      this.handleError(error);
      if (!isTransient(error)) return;
      const delay = Math.min(MAX_RETRY_MS, 500 * 2 ** failures) * (0.5 + Math.random());
      this.#retryTimer = setTimeout(() => this.isConnected && this.refresh(failures + 1), delay);
    }
  }

  async onEntries(entries) {
    const newEntries = entries.filter(
      (entry) => !this.state.log.some((known) => known.version === entry.version),
    );
    if (newEntries.length) this.appendToLog(newEntries);
    if (entries.at(-1).version > this.version) await this.refresh();
  }

  /** Append entries to the log, announce them, and show the end of a round. */
  appendToLog(newEntries) {
    const events = newEntries.flatMap((entry) => entry.then);
    const endedRound = events.findLast((event) => event.type === "round_end" && event.scores);
    this.update({
      log: [...this.state.log, ...newEntries].slice(-MAX_LOG_ENTRIES),
    });
    this.announce(newEntries.flatMap((entry) => describeEntry(entry, this.labelOf)).join(" "));
    if (endedRound) this.roundEnded(endedRound);
    if (events.some((event) => event.type === "match_end")) sound("end");
    else if (events.some((event) => event.type === "trick_end")) sound("trick");
    else if (newEntries.some((entry) => entry.type === "play")) sound("card");
  }

  /** Show the score sheet of a round that has just ended. */
  roundEnded(ended) {
    this.update({ endedRound: ended });
    this.readRounds().catch(() => {});
  }

  handleError(error) {
    if (
      error instanceof Problem &&
      ["stale_version", "not_your_turn", "deadline_passed"].includes(error.code)
    )
      this.refresh();
    this.update({ problem: error });
  }
}
