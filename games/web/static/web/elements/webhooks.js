/* <haggis-webhooks>: the webhook endpoints of the player and their deliveries. Programs create them; here their owner
sees whether they work, pauses and deletes them, and adds channels of Discord. */

import { get, patch, post, remove } from "../lib/api.js";
import { FormView } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { me, onSessionChange } from "../lib/session.js";
import { formatTime } from "../lib/times.js";
import { h } from "../lib/vdom.js";

const SHOWN = 10;
const STATUSES = { pending: t("Waiting"), delivered: t("Delivered"), failed: t("Failed") };

class Webhooks extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
  }

  async load() {
    if (!me()) return this.update({ webhooks: null });
    try {
      const { results } = await get("/me/webhooks?limit=100");
      this.update({ webhooks: results });
    } catch (problem) {
      this.update({ problem, place: "webhooks" });
    }
  }

  run = (action, done) =>
    this.submit(async () => {
      await action();
      await this.load();
    }, done);

  /** Load the latest deliveries to an endpoint, or hide them. */
  async toggleDeliveries(id) {
    if (this.state.opened === id) return this.update({ opened: null, deliveries: null });
    try {
      const { results } = await get(`/me/webhooks/${id}/deliveries?limit=${SHOWN}`);
      this.update({ opened: id, deliveries: results });
    } catch (problem) {
      this.update({ problem, place: "webhooks" });
    }
  }

  view() {
    const { webhooks } = this.state;
    if (!webhooks) return [];
    return h(
      "section",
      { class: "panel", id: "webhooks" },
      h("h2", null, t("Webhooks")),
      ...this.feedback("webhooks"),
      webhooks.length
        ? h(
            "ul",
            { class: "devices" },
            webhooks.map((webhook) => this.item(webhook)),
          )
        : null,
      this.channelForm(),
    );
  }

  /** The form that adds a channel of Discord. */
  channelForm() {
    return h(
      "form",
      {
        key: "channel",
        onsubmit: this.submit(async ({ url }) => {
          await post("/me/webhooks", { url, format: "discord" });
          this.update({ channelUrl: "" });
          await this.load();
        }, t("The channel has been added. Send a test to see that it works.")),
      },
      this.field("channel-url", t("Post your turns to a Discord channel"), {
        name: "url",
        type: "url",
        autocomplete: "off",
        pointer: "/url",
        value: this.state.channelUrl ?? "",
        hint: t(
          "In Discord, open the settings of the channel, create a webhook under “Integrations”, and copy its URL.",
        ),
        oninput: (event) => this.update({ channelUrl: event.target.value }),
      }),
      h("div", { class: "choices" }, h("button", null, t("Add channel"))),
    );
  }

  item(webhook) {
    const { id, url, active } = webhook;
    const isOpened = this.state.opened === id;
    const isChannel = webhook.format === "discord";
    const state = active
      ? webhook.failing_since
        ? t("Failing since {time}", { time: formatTime(webhook.failing_since) })
        : t("Active")
      : webhook.stopped_because
        ? t("Stopped, because deliveries failed")
        : t("Paused");
    return h(
      "li",
      { key: id },
      h(
        "span",
        { class: "item" },
        h("b", { class: "address" }, webhook.description || (isChannel ? t("Discord channel") : url)),
        h("span", { class: "quiet small address" }, url),
        h("span", { class: "quiet small" }, state),
      ),
      h(
        "span",
        { class: "choices" },
        h(
          "button",
          {
            type: "button",
            "aria-label": active ? t("Pause {url}", { url }) : t("Resume {url}", { url }),
            onclick: this.run(
              () => patch(`/me/webhooks/${id}`, { active: !active }),
              active ? t("The webhook is paused.") : t("The webhook is active."),
            ),
          },
          active ? t("Pause") : t("Resume"),
        ),
        active
          ? h(
              "button",
              {
                type: "button",
                "aria-label": t("Send a test to {url}", { url }),
                onclick: this.run(() => post(`/me/webhooks/${id}/test`), t("A test event is on its way.")),
              },
              t("Test"),
            )
          : null,
        h(
          "button",
          {
            type: "button",
            "aria-expanded": String(isOpened),
            "aria-label": t("Deliveries to {url}", { url }),
            onclick: () => this.toggleDeliveries(id),
          },
          t("Deliveries"),
        ),
        h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": t("Delete {name}", { name: url }),
            onclick: this.run(() => remove(`/me/webhooks/${id}`), t("The webhook has been deleted.")),
          },
          t("Delete"),
        ),
      ),
      isOpened ? this.deliveryList(this.state.deliveries) : null,
    );
  }

  deliveryList(deliveries) {
    if (!deliveries.length) return h("p", { class: "quiet" }, t("No deliveries yet."));
    return h(
      "ol",
      { class: "deliveries" },
      deliveries.map(({ id, type, status, created_at: created, attempts }) => {
        const last = attempts.at(-1);
        const values = {
          time: formatTime(created),
          type,
          status: STATUSES[status] ?? status,
          answer: last?.status ?? last?.error,
        };
        return h(
          "li",
          { key: id },
          values.answer
            ? t("{time} · {type} · {status} ({answer})", values)
            : t("{time} · {type} · {status}", values),
        );
      }),
    );
  }
}

customElements.define("haggis-webhooks", Webhooks);
