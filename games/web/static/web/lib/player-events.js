/* Subscribe to events at all of a player's tables. Events only trigger a refresh: subscribers must poll as well, so
nothing is missed if streams are unavailable. */

import { post, ROOT } from "./api.js";
import { token } from "./session.js";

const RECONNECT_SECONDS = 20;
// Browsers limit the number of open connections, and visible tabs need them: hidden tabs poll instead.
const CLOSE_HIDDEN_SECONDS = 30;
const HIDDEN_POLL_SECONDS = 20;

export class PlayerEvents {
  #source = null;
  #timer = null;
  #stopped = false;

  constructor(onEvent) {
    this.onEvent = onEvent;
    document.addEventListener("visibilitychange", this.#onVisibilityChange);
    this.#open();
  }

  stop() {
    this.#stopped = true;
    document.removeEventListener("visibilitychange", this.#onVisibilityChange);
    clearTimeout(this.#timer);
    this.#source?.close();
  }

  async #open() {
    if (!token()) return;
    try {
      const { ticket } = await post("/auth/ticket");
      if (this.#stopped) return;
      this.#source?.close();
      this.#source = new EventSource(`${ROOT}/me/events?ticket=${encodeURIComponent(ticket)}`);
      this.#source.addEventListener("entry", () => this.onEvent());
      this.#source.onerror = () => {
        this.#source.close();
        this.#later(() => this.#open(), RECONNECT_SECONDS);
      };
    } catch {
      this.#later(() => this.#open(), RECONNECT_SECONDS);
    }
  }

  #onVisibilityChange = () => {
    if (document.hidden) this.#later(() => this.#poll(), CLOSE_HIDDEN_SECONDS);
    else if (this.#source?.readyState === EventSource.OPEN) clearTimeout(this.#timer);
    else this.#later(() => this.#open(), 0);
  };

  #poll() {
    this.#source?.close();
    this.onEvent();
    this.#later(() => this.#poll(), HIDDEN_POLL_SECONDS);
  }

  /** Act after some seconds, instead of what was planned before. */
  #later(act, seconds) {
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(act, seconds * 1000);
  }
}
