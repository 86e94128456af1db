/* Notify other tabs of this browser of actions, so they refresh immediately. */

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
