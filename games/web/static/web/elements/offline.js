/* <haggis-offline>: retries the requested page from the offline fallback page. */

import { t } from "../lib/i18n.js";
import { h, View } from "../lib/vdom.js";

const RETRY_SECONDS = 5;

class OfflineNotice extends View {
  connected() {
    this.onRetry = () => this.retry();
    this.timer = setInterval(this.onRetry, RETRY_SECONDS * 1000);
    addEventListener("online", this.onRetry);
  }

  disconnected() {
    clearInterval(this.timer);
    removeEventListener("online", this.onRetry);
  }

  /** Reload the requested page if the service is reachable again. */
  async retry() {
    const target = location.pathname === "/offline" ? "/" : location.href;
    this.update({ busy: true });
    const response = await fetch("/manifest.webmanifest", { cache: "no-store" }).catch(() => null);
    if (response?.ok) location.replace(target);
    else this.update({ busy: false, tried: true });
  }

  view() {
    const { busy, tried } = this.state;
    return [
      h(
        "button",
        { type: "button", class: "main", disabled: busy, onclick: this.onRetry, key: "again" },
        t("Try again"),
      ),
      h(
        "p",
        { class: "quiet", role: "status", key: "said" },
        tried && !busy ? t("Still offline. Retrying every few seconds.") : "",
      ),
    ];
  }
}

customElements.define("haggis-offline", OfflineNotice);
