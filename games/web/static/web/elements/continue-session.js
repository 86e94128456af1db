/* <haggis-continue-session>: on the page where players log in for an app, continues as the player of this browser. */

import { t } from "../lib/i18n.js";
import { me, onSessionChange, token } from "../lib/session.js";
import { h, View } from "../lib/vdom.js";

class ContinueSession extends View {
  connected() {
    this.unsubscribe = onSessionChange(() => this.update({}));
    this.update({ failed: false });
  }

  disconnected() {
    this.unsubscribe();
  }

  start = async () => {
    const response = await fetch("/oauth/session", {
      method: "POST",
      headers: { Authorization: `Bearer ${token()}` },
    }).catch(() => null);
    if (response?.ok) location.reload();
    else this.update({ failed: true });
  };

  view() {
    const player = me();
    if (!player || player.kind === "bot") return [];
    const name = player.display_name || player.username;
    return [
      h(
        "p",
        {},
        h(
          "button",
          { class: "main", type: "button", onclick: this.start },
          t("Continue as {name}", { name }),
        ),
      ),
      this.state.failed
        ? h("p", { class: "problem", role: "alert" }, t("That did not work. Please log in below."))
        : null,
      h("p", { class: "quiet" }, t("Or log in with another account:")),
    ];
  }
}

customElements.define("haggis-continue-session", ContinueSession);
