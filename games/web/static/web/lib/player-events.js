/* Subscribe to events at all of a player's tables. Events only trigger a refresh: subscribers must poll as well, so
nothing is missed if streams are unavailable. */

import { post, ROOT } from "./api.js";
import { token } from "./session.js";

const RECONNECT_SECONDS = 20;

export class PlayerEvents {
  #source = null;
  #reconnectTimer = null;
  #stopped = false;

  constructor(onEvent) {
    this.onEvent = onEvent;
    this.#open();
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#reconnectTimer);
    this.#source?.close();
  }

  async #open() {
    if (!token()) return;
    try {
      const { ticket } = await post("/auth/ticket");
      if (this.#stopped) return;
      this.#source = new EventSource(`${ROOT}/me/events?ticket=${encodeURIComponent(ticket)}`);
      this.#source.addEventListener("entry", () => this.onEvent());
      this.#source.onerror = () => this.#reconnectLater();
    } catch {
      this.#reconnectLater();
    }
  }

  #reconnectLater() {
    this.#source?.close();
    if (!this.#stopped) this.#reconnectTimer = setTimeout(() => this.#open(), RECONNECT_SECONDS * 1000);
  }
}
