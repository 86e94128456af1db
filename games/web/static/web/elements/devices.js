/* <haggis-devices>: push notification settings for this and other devices. Empty if the service offers no push. */

import { get, patch } from "../lib/api.js";
import { problemAlert, resultStatus } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import {
  disablePush,
  enablePush,
  listDevices,
  pushStatus,
  removeDevice,
  sendTestNotification,
} from "../lib/push.js";
import { me, onSessionChange } from "../lib/session.js";
import { PUSH_KINDS } from "../lib/text.js";
import { h, View } from "../lib/vdom.js";

const UNAVAILABLE = {
  unsupported: t(
    "This browser does not support push notifications here. On an iPhone or iPad, add this site to the home screen and open it from there.",
  ),
  denied: t("Notifications are blocked. Allow them in your browser's settings for this site."),
};

class Devices extends View {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
  }

  load = () =>
    this.run(async () => {
      const status = me() ? await pushStatus() : "unavailable";
      if (status === "unavailable") return { status };
      return { status, deviceList: await listDevices(), enabledKinds: (await get("/me")).notifications.push };
    });

  /** Run an action and merge the state that it returns. */
  async run(action) {
    this.update({ busy: true, problem: null });
    try {
      this.update({ ...(await action()), busy: false });
    } catch (problem) {
      this.update({ problem, busy: false });
    }
  }

  runAndReload = (action, message) => () =>
    this.run(async () => {
      const status = await action();
      return {
        ...(status ? { status } : { status: await pushStatus() }),
        deviceList: await listDevices(),
        message,
      };
    });

  setKind = (kind, enabled) =>
    this.run(async () => {
      const push = [...this.state.enabledKinds.filter((each) => each !== kind), ...(enabled ? [kind] : [])];
      this.update({ enabledKinds: push });
      return {
        enabledKinds: (await patch("/me", { notifications: { push } })).notifications.push,
        message: t("Saved."),
      };
    });

  view() {
    const { status, busy, problem, message } = this.state;
    if (!status || status === "unavailable") return [];
    return h(
      "section",
      { class: "panel", id: "push", "aria-busy": String(Boolean(busy)) },
      h("h2", { key: "title" }, t("Push notifications")),
      problemAlert(problem),
      resultStatus(message),
      status in UNAVAILABLE ? h("p", { class: "quiet", key: "why" }, UNAVAILABLE[status]) : this.thisDevice(),
      this.state.deviceList?.length ? [this.kindFields(), this.otherDevices()] : null,
    );
  }

  thisDevice() {
    const { status, busy } = this.state;
    if (status === "off")
      return h(
        "div",
        { key: "off" },
        h(
          "p",
          { class: "quiet" },
          t(
            "Get notified when it is your turn, even if this site is not open. Notifications never show cards.",
          ),
        ),
        h(
          "button",
          {
            type: "button",
            class: "main",
            disabled: busy,
            onclick: this.runAndReload(enablePush, t("Notifications are on for this device.")),
          },
          t("Enable on this device"),
        ),
      );
    return h(
      "div",
      { class: "choices", key: "on" },
      h(
        "button",
        {
          type: "button",
          disabled: busy,
          onclick: this.runAndReload(this.sendTest, t("Test notification sent.")),
        },
        t("Send test notification"),
      ),
      h(
        "button",
        {
          type: "button",
          class: "plain",
          disabled: busy,
          onclick: this.runAndReload(disablePush, t("Notifications are off for this device.")),
        },
        t("Disable on this device"),
      ),
    );
  }

  sendTest = async () => {
    await sendTestNotification();
    return "on";
  };

  kindFields() {
    const { enabledKinds, busy } = this.state;
    return h(
      "fieldset",
      { class: "notification-kinds", key: "kinds" },
      h("legend", null, t("Notify me about")),
      PUSH_KINDS.map(([kind, title]) =>
        h(
          "label",
          { key: kind },
          h("input", {
            type: "checkbox",
            name: kind,
            checked: enabledKinds.includes(kind),
            disabled: busy,
            onchange: (event) => this.setKind(kind, event.target.checked),
          }),
          h("span", null, title),
        ),
      ),
    );
  }

  otherDevices() {
    const otherDevices = this.state.deviceList.filter((device) => !device.isCurrent);
    if (!otherDevices.length) return null;
    return h(
      "ul",
      { class: "devices", key: "others", "aria-label": t("Your other devices") },
      otherDevices.map((device) =>
        h(
          "li",
          { key: device.id },
          device.name || device.service,
          device.failing_since ? h("span", { class: "quiet" }, ` ${t("(not reachable right now)")}`) : null,
          h(
            "button",
            {
              type: "button",
              class: "plain",
              "aria-label": t("Remove {name}", { name: device.name || device.service }),
              onclick: this.runAndReload(() => removeDevice(device.id), t("Device removed.")),
            },
            t("Remove"),
          ),
        ),
      ),
    );
  }
}

customElements.define("haggis-devices", Devices);
