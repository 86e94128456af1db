/* Tabs of one browser tell each other what was done in them, so that they agree at once. */

export class Channel {
  #channel = "BroadcastChannel" in window ? new BroadcastChannel("haggis") : null;

  constructor(matchId, heard) {
    this.matchId = matchId;
    this.#channel?.addEventListener("message", ({ data }) => data.matchId === matchId && heard(data.version));
  }

  tell(version) {
    this.#channel?.postMessage({ matchId: this.matchId, version });
  }

  close() {
    this.#channel?.close();
  }
}
