/* <haggis-offline>: on the page that stands in for one which could not be fetched, the way back to it. */

import { h, View } from "../lib/vdom.js";

const SECONDS_BETWEEN_TRIES = 5;

class Offline extends View {
  begin() {
    this.again = () => this.try();
    this.trying = setInterval(this.again, SECONDS_BETWEEN_TRIES * 1000);
    addEventListener("online", this.again);
  }

  end() {
    clearInterval(this.trying);
    removeEventListener("online", this.again);
  }

  /** Go to the page that was wanted, if the service answers again. */
  async try() {
    const wanted = location.pathname === "/offline" ? "/" : location.href;
    this.update({ busy: true });
    const answer = await fetch("/manifest.webmanifest", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) location.replace(wanted);
    else this.update({ busy: false, tried: true });
  }

  view() {
    const { busy, tried } = this.state;
    return [
      h(
        "button",
        { type: "button", class: "main", disabled: busy, onclick: this.again, key: "again" },
        "Try again",
      ),
      h(
        "p",
        { class: "quiet", role: "status", key: "said" },
        tried && !busy ? "Not yet. It is tried again every few seconds." : "",
      ),
    ];
  }
}

customElements.define("haggis-offline", Offline);
