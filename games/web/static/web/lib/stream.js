/* What happens at a table, as it happens.

Three ways lead to the same log, and whichever works is taken: a stream of server-sent events, asking and being
answered when something happens, asking every few seconds. A version follows the last one without a gap in each of
them, so that nothing is lost by changing from one to another, or by being away for a while. */

import { get, Problem, post, ROOT } from "./api.js";
import { token } from "./session.js";

const WAIT_SECONDS = 25;
const POLL_SECONDS = 2;
const HIDDEN_SECONDS = 30;
const HIDDEN_POLL_SECONDS = 10;
const LONGEST_BREAK = 15;
const STREAM_FAULTS = 3;
const SHORTEST_LIFE = 2;
const ASKED_BEFORE_STREAM = 30;
const seconds = (number) => new Promise((done) => setTimeout(done, number * 1000));

/**
 * Follow a match from a version on. `heard` gets entries in order, `leapt` a table where too much was missed to tell,
 * `state` gets "live", "asking" or "away".
 */
export class Feed {
  #stopped = false;
  #source = null;
  #faults = 0;
  #breaks = 0;
  #canWait = true;
  #asked = 0;
  #abort = new AbortController();

  constructor(matchId, version, { heard, leapt = () => {}, state = () => {} }) {
    Object.assign(this, { matchId, version, heard, leapt, state });
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
        if (document.hidden) await this.#quietly();
        else if (this.#faults < STREAM_FAULTS) await this.#stream();
        else await this.#ask();
        this.#breaks = 0;
      } catch (error) {
        if (this.#stopped) return;
        if (error instanceof Problem && [401, 403, 404].includes(error.status)) return;
        this.state("away");
        this.#breaks += 1;
        await seconds(Math.min(LONGEST_BREAK, 0.5 * 2 ** this.#breaks) * (0.5 + Math.random()));
      }
    }
  }

  /** One stream, until it is cut. A ticket opens one stream only, so each gets its own. */
  async #stream() {
    const address = new URL(`${ROOT}/matches/${this.matchId}/events`, location.origin);
    address.searchParams.set("after", this.version);
    if (token()) address.searchParams.set("ticket", (await post("/auth/ticket")).ticket);
    if (this.#stopped) return;
    const lived = await this.#listen(address);
    this.#faults = lived > SHORTEST_LIFE ? 0 : this.#faults + 1;
    if (this.#stopped) return;
    if (this.#faults) await seconds(0.3);
    await this.#catchUp();
  }

  /** Hear a stream to its end. For how many seconds it was open. */
  #listen(address) {
    return new Promise((done) => {
      let opened = Infinity;
      const source = (this.#source = new EventSource(address));
      const end = () => {
        source.close();
        done(Math.max(0, (performance.now() - opened) / 1000));
      };
      source.onopen = () => {
        opened = performance.now();
        this.state("live");
      };
      source.onerror = end;
      source.addEventListener("entry", (event) => this.#take([JSON.parse(event.data)]));
      source.addEventListener("table", (event) => this.#leap(JSON.parse(event.data)));
      this.#abort.signal.addEventListener("abort", end, { once: true });
      unseen(end, source);
    });
  }

  /** A tab that nobody looks at asks now and then: a browser keeps few connections open, and others need them. */
  async #quietly() {
    await this.#catchUp();
    await Promise.race([seconds(HIDDEN_POLL_SECONDS), seen()]);
  }

  #leap(table) {
    if (table.version <= this.version) return;
    this.version = table.version;
    this.leapt(table);
  }

  /** Ask; a service that can wait answers when something happens, any other at once. */
  async #ask() {
    const began = performance.now();
    const some = await this.#catchUp(this.#canWait ? WAIT_SECONDS : 0);
    this.state("asking");
    this.#asked += 1;
    if (this.#asked % ASKED_BEFORE_STREAM === 0) this.#faults = STREAM_FAULTS - 1;
    if (some) return;
    if (performance.now() - began < 1000) this.#canWait = false;
    if (!this.#canWait) await seconds(POLL_SECONDS);
  }

  /** Read what was missed. Whether there was anything. */
  async #catchUp(wait = 0) {
    const query = `after=${this.version}&limit=100${wait ? `&wait=${wait}` : ""}`;
    const page = await get(`/matches/${this.matchId}/moves?${query}`, { signal: this.#abort.signal });
    this.#take(page.results);
    return page.results.length > 0;
  }

  #take(entries) {
    const news = entries
      .filter((entry) => entry.version > this.version)
      .sort((a, b) => a.version - b.version);
    if (!news.length) return;
    this.version = news.at(-1).version;
    if (news.some(isLast)) this.stop();
    this.heard(news);
  }
}

/** Resolved when the tab is looked at. */
const seen = () =>
  new Promise((done) => {
    document.addEventListener("visibilitychange", done, { once: true });
  });

/** Act once the tab has been out of sight for a while, unless the stream is closed by then. */
function unseen(act, source) {
  document.addEventListener("visibilitychange", function changed() {
    if (source.readyState === EventSource.CLOSED) document.removeEventListener("visibilitychange", changed);
    else if (document.hidden) setTimeout(() => document.hidden && act(), HIDDEN_SECONDS * 1000);
  });
}

const ENDS = new Set(["cancelled", "annulled"]);
/** Whether nothing comes after an entry. */
const isLast = (entry) => ENDS.has(entry.type) || entry.then.some((event) => event.type === "match_end");
