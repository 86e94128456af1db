/* Tabs of one browser tell each other what was done in them, so that they agree at once. */

export class TabChannel {
  #channel = "BroadcastChannel" in window ? new BroadcastChannel("haggis") : null;

  constructor(matchId, onVersion) {
    this.matchId = matchId;
    this.#channel?.addEventListener("message", ({ data }) => {
      if (data.matchId === matchId) onVersion(data.version);
    });
  }

  publish(version) {
    this.#channel?.postMessage({ matchId: this.matchId, version });
  }

  close() {
    this.#channel?.close();
  }
}
