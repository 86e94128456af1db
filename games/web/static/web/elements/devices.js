/* <haggis-devices>: push notification settings for this and other devices. Empty if the service offers no push. */

import { get, patch } from "../lib/api.js";
import {
  disablePush,
  enablePush,
  listDevices,
  pushStatus,
  removeDevice,
  sendTestNotification,
} from "../lib/push.js";
import { me, onSessionChange } from "../lib/session.js";
import { h, View } from "../lib/vdom.js";

const KINDS = [
  ["your_turn", "My turn"],
  ["reminder", "My time is running out"],
  ["invitation", "Invitations"],
  ["caretaker", "An AI plays for me"],
  ["match_end", "A match is over"],
];
const UNAVAILABLE = {
  unsupported:
    "This browser can be told nothing while no page is open. On an iPhone or iPad, add the page to the home screen first, and open it from there.",
  denied: "Your browser lets this site tell you nothing. Its settings for this site can change that.",
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
        message: "Kept.",
      };
    });

  view() {
    const { status, busy, problem, message } = this.state;
    if (!status || status === "unavailable") return [];
    return h(
      "section",
      { class: "panel", "aria-busy": String(Boolean(busy)) },
      h("h2", { key: "title" }, "On your devices"),
      problem ? h("p", { class: "problem", role: "alert", key: "problem" }, problem.message) : null,
      h("p", { class: "done", role: "status", key: "done" }, message ?? ""),
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
          "Be told that it is your turn while no page of this is open. No cards are shown.",
        ),
        h(
          "button",
          {
            type: "button",
            class: "main",
            disabled: busy,
            onclick: this.runAndReload(enablePush, "You are told here from now on."),
          },
          "Tell me on this device",
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
          onclick: this.runAndReload(this.sendTest, "A test is on its way."),
        },
        "Send a test",
      ),
      h(
        "button",
        {
          type: "button",
          class: "plain",
          disabled: busy,
          onclick: this.runAndReload(disablePush, "You are told nothing here any more."),
        },
        "Nothing on this device",
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
      h("legend", null, "What you are told"),
      KINDS.map(([kind, title]) =>
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
      { class: "devices", key: "others", "aria-label": "Your other devices" },
      otherDevices.map((device) =>
        h(
          "li",
          { key: device.id },
          device.name || device.service,
          device.failing_since ? h("span", { class: "quiet" }, ", cannot be reached just now") : null,
          h(
            "button",
            {
              type: "button",
              class: "plain",
              "aria-label": `Nothing more on ${device.name || device.service}`,
              onclick: this.runAndReload(() => removeDevice(device.id), "It is told nothing more."),
            },
            "Remove",
          ),
        ),
      ),
    );
  }
}

customElements.define("haggis-devices", Devices);
