/* A live feed of the log of a match.

Uses server-sent events, long polling or plain polling, whichever works. Every transport continues after the last
version, so nothing is lost by switching between them or by being offline for a while. */

import { get, Problem, post, ROOT } from "./api.js";
import { token } from "./session.js";

const LONG_POLL_SECONDS = 25;
const POLL_SECONDS = 2;
const CLOSE_HIDDEN_SECONDS = 30;
const HIDDEN_POLL_SECONDS = 10;
const MAX_RETRY_SECONDS = 15;
const MAX_STREAM_FAILURES = 3;
const MIN_STREAM_SECONDS = 2;
const POLLS_BEFORE_STREAM = 30;
// A connection can break without an event. The server answers a poll at once, unless it is asked to wait.
const SILENT_STREAM_SECONDS = 40;
const POLL_TIMEOUT_SECONDS = 10;
const sleep = (number) => new Promise((resolve) => setTimeout(resolve, number * 1000));

/**
 * Follow a match from a version on. `onEntries` receives new log entries in order, `onReset` a whole table if too many
 * entries were missed, and `onStateChange` receives "live", "polling" or "offline".
 */
export class Feed {
  #stopped = false;
  #source = null;
  #streamFailures = 0;
  #failures = 0;
  #canLongPoll = true;
  #pollCount = 0;
  #abort = new AbortController();

  constructor(matchId, version, { onEntries, onReset = () => {}, onStateChange = () => {} }) {
    Object.assign(this, { matchId, version, onEntries, onReset, onStateChange });
    addEventListener("offline", this.#onOffline, { signal: this.#abort.signal });
    this.#run();
  }

  /** Report a lost connection at once, instead of when the next request fails. */
  #onOffline = () => {
    this.onStateChange("offline");
    this.#source?.close();
    this.#source?.onerror?.();
  };

  stop() {
    this.#stopped = true;
    this.#source?.close();
    this.#abort.abort();
  }

  async #run() {
    while (!this.#stopped) {
      try {
        if (document.hidden) await this.#pollInBackground();
        else if (this.#streamFailures < MAX_STREAM_FAILURES) await this.#stream();
        else await this.#poll();
        this.#failures = 0;
      } catch (error) {
        if (this.#stopped) return;
        if (error instanceof Problem && [401, 403, 404].includes(error.status)) return;
        this.onStateChange("offline");
        this.#failures += 1;
        const delay = Math.min(MAX_RETRY_SECONDS, 0.5 * 2 ** this.#failures) * (0.5 + Math.random());
        await Promise.race([sleep(delay), backOnline()]);
      }
    }
  }

  /** Read one stream until it closes. Each stream needs its own ticket. */
  async #stream() {
    const address = new URL(`${ROOT}/matches/${this.matchId}/events`, location.origin);
    address.searchParams.set("after", this.version);
    if (token()) {
      const { ticket } = await post("/auth/ticket", {}, { attempts: 1, signal: this.#timeout() });
      address.searchParams.set("ticket", ticket);
    }
    if (this.#stopped) return;
    const openSeconds = await this.#readStream(address);
    this.#streamFailures = openSeconds > MIN_STREAM_SECONDS ? 0 : this.#streamFailures + 1;
    if (this.#stopped) return;
    if (this.#streamFailures) await sleep(0.3);
    await this.#catchUp();
  }

  /** Read a stream until it closes. Return how many seconds it was open. */
  #readStream(address) {
    return new Promise((resolve) => {
      let openedAt = Infinity;
      const source = (this.#source = new EventSource(address));
      const check = setInterval(() => this.#catchUp().catch(finish), SILENT_STREAM_SECONDS * 1000);
      const finish = () => {
        source.close();
        clearInterval(check);
        resolve(Math.max(0, (performance.now() - openedAt) / 1000));
      };
      source.onopen = () => {
        openedAt = performance.now();
        this.onStateChange("live");
      };
      source.onerror = finish;
      source.addEventListener("entry", (event) => this.#deliver([JSON.parse(event.data)]));
      source.addEventListener("table", (event) => this.#reset(JSON.parse(event.data)));
      this.#abort.signal.addEventListener("abort", finish, { once: true });
      onHidden(finish, source);
    });
  }

  /** Poll slowly in a hidden tab: browsers limit the number of open connections, and visible tabs need them. */
  async #pollInBackground() {
    await this.#catchUp();
    this.onStateChange("polling");
    await Promise.race([sleep(HIDDEN_POLL_SECONDS), tabVisible()]);
  }

  #reset(table) {
    if (table.version <= this.version) return;
    this.version = table.version;
    this.onReset(table);
  }

  /** Poll once. The server may hold the request until there are new entries, or respond immediately. */
  async #poll() {
    const startedAt = performance.now();
    const hasNew = await this.#catchUp(this.#canLongPoll ? LONG_POLL_SECONDS : 0);
    this.onStateChange("polling");
    this.#pollCount += 1;
    if (this.#pollCount % POLLS_BEFORE_STREAM === 0) this.#streamFailures = MAX_STREAM_FAILURES - 1;
    if (hasNew) return;
    if (performance.now() - startedAt < 1000) this.#canLongPoll = false;
    if (!this.#canLongPoll) await sleep(POLL_SECONDS);
  }

  /** Fetch missed entries. Return whether there were any. */
  async #catchUp(wait = 0) {
    const query = `after=${this.version}&limit=100${wait ? `&wait=${wait}` : ""}`;
    const page = await get(`/matches/${this.matchId}/moves?${query}`, { signal: this.#timeout(wait) });
    this.#deliver(page.results);
    return page.results.length > 0;
  }

  /** Return a signal that aborts a request when the feed stops or when a response is overdue. */
  #timeout(wait = 0) {
    const timeout = AbortSignal.timeout((wait + POLL_TIMEOUT_SECONDS) * 1000);
    return AbortSignal.any ? AbortSignal.any([this.#abort.signal, timeout]) : this.#abort.signal;
  }

  #deliver(entries) {
    const newEntries = entries
      .filter((entry) => entry.version > this.version)
      .sort((a, b) => a.version - b.version);
    if (!newEntries.length) return;
    this.version = newEntries.at(-1).version;
    if (newEntries.some(isFinal)) this.stop();
    this.onEntries(newEntries);
  }
}

/** Resolve when the device has a connection again. */
const backOnline = () =>
  new Promise((resolve) => {
    addEventListener("online", resolve, { once: true });
  });

/** Resolve when the visibility of the tab changes. */
const tabVisible = () =>
  new Promise((resolve) => {
    document.addEventListener("visibilitychange", resolve, { once: true });
  });

/** Call `act` once the tab has been hidden for a while, unless the stream is closed by then. */
function onHidden(act, source) {
  document.addEventListener("visibilitychange", function changed() {
    if (source.readyState === EventSource.CLOSED) document.removeEventListener("visibilitychange", changed);
    else if (document.hidden) setTimeout(() => document.hidden && act(), CLOSE_HIDDEN_SECONDS * 1000);
  });
}

const FINAL_TYPES = new Set(["cancelled", "annulled"]);
/** Return whether an entry is the last of its match. */
const isFinal = (entry) =>
  FINAL_TYPES.has(entry.type) || entry.then.some((event) => event.type === "match_end");
