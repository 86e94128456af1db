/* What happens at any of a player's tables, as a reason to look again. Where there is no stream, nothing is missed: who
uses this looks again by the clock too. */

import { post, ROOT } from "./api.js";
import { token } from "./session.js";

const AGAIN_SECONDS = 20;

export class Nudges {
  #source = null;
  #timer = null;
  #stopped = false;

  constructor(heard) {
    this.heard = heard;
    this.#open();
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#source?.close();
  }

  async #open() {
    if (!token()) return;
    try {
      const { ticket } = await post("/auth/ticket");
      if (this.#stopped) return;
      this.#source = new EventSource(`${ROOT}/me/events?ticket=${encodeURIComponent(ticket)}`);
      this.#source.addEventListener("entry", () => this.heard());
      this.#source.onerror = () => this.#later();
    } catch {
      this.#later();
    }
  }

  #later() {
    this.#source?.close();
    if (!this.#stopped) this.#timer = setTimeout(() => this.#open(), AGAIN_SECONDS * 1000);
  }
}
