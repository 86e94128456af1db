/* <haggis-notification-log>: which mails and push messages the service has sent to the player, and whether they were
accepted. The service stores no contents. */

import { get } from "../lib/api.js";
import { problemAlert } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { me, onSessionChange } from "../lib/session.js";
import { PUSH_KINDS } from "../lib/text.js";
import { formatTime } from "../lib/times.js";
import { h, View } from "../lib/vdom.js";

const SHOWN = 20;
const CHANNELS = { email: t("E-mail"), digest: t("Daily digest"), push: t("Push message") };
const KINDS = {
  ...Object.fromEntries(PUSH_KINDS),
  test: t("Test"),
  webhook_stopped: t("Webhook stopped"),
};
const STATUSES = {
  sent: t("Accepted"),
  retrying: t("Failed, will be tried again"),
  failed: t("Failed"),
};

class NotificationLog extends View {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
  }

  load = async () => {
    if (!me()) return this.update({ attempts: null });
    this.update({ busy: true });
    try {
      const { results } = await get(`/me/notifications/deliveries?limit=${SHOWN}`);
      this.update({ attempts: results, problem: null, busy: false });
    } catch (problem) {
      this.update({ problem, busy: false });
    }
  };

  view() {
    const { attempts, problem, busy } = this.state;
    if (!attempts) return [];
    return h(
      "section",
      { class: "panel", id: "sent", "aria-busy": String(Boolean(busy)) },
      h("h2", { key: "title" }, t("Sent notifications")),
      problemAlert(problem),
      attempts.length
        ? h(
            "div",
            {
              class: "scrolls",
              key: "table",
              tabindex: 0,
              role: "group",
              "aria-label": t("Sent notifications"),
            },
            this.table(attempts),
          )
        : h("p", { class: "quiet", key: "none" }, t("No notification was sent to you in the last 30 days.")),
      h("button", { type: "button", key: "again", disabled: busy, onclick: this.load }, t("Refresh")),
    );
  }

  table(attempts) {
    return h(
      "table",
      { class: "log-table" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          [t("Time"), t("Notification"), t("Sent by"), t("Result")].map((title) =>
            h("th", { scope: "col", key: title }, title),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        attempts.map((attempt, number) => this.row(attempt, number)),
      ),
    );
  }

  row({ at, channel, kind, match, status, response }, number) {
    const name = KINDS[kind] ?? kind;
    const result = STATUSES[status] ?? status;
    return h(
      "tr",
      { key: number, class: status },
      h("td", null, h("time", { datetime: at }, formatTime(at))),
      h("td", null, match ? h("a", { href: `/matches/${match}` }, name) : name),
      h("td", null, CHANNELS[channel] ?? channel),
      h(
        "td",
        null,
        response && status !== "sent" ? t("{result} ({code})", { result, code: response }) : result,
      ),
    );
  }
}

customElements.define("haggis-notification-log", NotificationLog);
