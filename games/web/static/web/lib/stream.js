/* What happens at a table, as it happens.

Three ways lead to the same log, and whichever works is taken: a stream of server-sent events, asking and being
answered when something happens, asking every few seconds. A version follows the last one without a gap in each of
them, so that nothing is lost by changing from one to another, or by being away for a while. */

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
const sleep = (number) => new Promise((resolve) => setTimeout(resolve, number * 1000));

/**
 * Follow a match from a version on. `heard` gets entries in order, `leapt` a table where too much was missed to tell,
 * `state` gets "live", "asking" or "away".
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
    this.#run();
  }

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
        await sleep(Math.min(MAX_RETRY_SECONDS, 0.5 * 2 ** this.#failures) * (0.5 + Math.random()));
      }
    }
  }

  /** One stream, until it is cut. A ticket opens one stream only, so each gets its own. */
  async #stream() {
    const address = new URL(`${ROOT}/matches/${this.matchId}/events`, location.origin);
    address.searchParams.set("after", this.version);
    if (token()) address.searchParams.set("ticket", (await post("/auth/ticket")).ticket);
    if (this.#stopped) return;
    const openSeconds = await this.#readStream(address);
    this.#streamFailures = openSeconds > MIN_STREAM_SECONDS ? 0 : this.#streamFailures + 1;
    if (this.#stopped) return;
    if (this.#streamFailures) await sleep(0.3);
    await this.#catchUp();
  }

  /** Hear a stream to its end. For how many seconds it was open. */
  #readStream(address) {
    return new Promise((resolve) => {
      let openedAt = Infinity;
      const source = (this.#source = new EventSource(address));
      const finish = () => {
        source.close();
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

  /** A tab that nobody looks at asks now and then: a browser keeps few connections open, and others need them. */
  async #pollInBackground() {
    await this.#catchUp();
    await Promise.race([sleep(HIDDEN_POLL_SECONDS), tabVisible()]);
  }

  #reset(table) {
    if (table.version <= this.version) return;
    this.version = table.version;
    this.onReset(table);
  }

  /** Ask; a service that can wait answers when something happens, any other at once. */
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

  /** Read what was missed. Whether there was anything. */
  async #catchUp(wait = 0) {
    const query = `after=${this.version}&limit=100${wait ? `&wait=${wait}` : ""}`;
    const page = await get(`/matches/${this.matchId}/moves?${query}`, { signal: this.#abort.signal });
    this.#deliver(page.results);
    return page.results.length > 0;
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

/** Resolved when the tab is looked at. */
const tabVisible = () =>
  new Promise((resolve) => {
    document.addEventListener("visibilitychange", resolve, { once: true });
  });

/** Act once the tab has been out of sight for a while, unless the stream is closed by then. */
function onHidden(act, source) {
  document.addEventListener("visibilitychange", function changed() {
    if (source.readyState === EventSource.CLOSED) document.removeEventListener("visibilitychange", changed);
    else if (document.hidden) setTimeout(() => document.hidden && act(), CLOSE_HIDDEN_SECONDS * 1000);
  });
}

const FINAL_TYPES = new Set(["cancelled", "annulled"]);
/** Whether nothing comes after an entry. */
const isFinal = (entry) =>
  FINAL_TYPES.has(entry.type) || entry.then.some((event) => event.type === "match_end");
