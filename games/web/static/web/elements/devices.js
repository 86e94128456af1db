/* <haggis-devices>: what one is told on this device and others while no page is open, where the service offers it. */

import { get, patch } from "../lib/api.js";
import { devices, forgetDevice, sendTest, standing, turnOff, turnOn } from "../lib/push.js";
import { me, onChange } from "../lib/session.js";
import { h, View } from "../lib/vdom.js";

const KINDS = [
  ["your_turn", "My turn"],
  ["reminder", "My time is running out"],
  ["invitation", "Invitations"],
  ["caretaker", "An AI plays for me"],
  ["match_end", "A match is over"],
];
const WHY_NOT = {
  impossible:
    "This browser can be told nothing while no page is open. On an iPhone or iPad, add the page to the home screen first, and open it from there.",
  forbidden: "Your browser lets this site tell you nothing. Its settings for this site can change that.",
};

class Devices extends View {
  begin() {
    this.stop = onChange(() => this.load());
    this.load();
  }

  end() {
    this.stop();
  }

  load = () =>
    this.doing(async () => {
      const how = me() ? await standing() : "not offered";
      if (how === "not offered") return { how };
      return { how, list: await devices(), told: (await get("/me")).notifications.push };
    });

  /** Do something, then show what came of it. */
  async doing(act) {
    this.update({ busy: true, problem: null });
    try {
      this.update({ ...(await act()), busy: false });
    } catch (problem) {
      this.update({ problem, busy: false });
    }
  }

  change = (act, done) => () =>
    this.doing(async () => {
      const how = await act();
      return { ...(how ? { how } : { how: await standing() }), list: await devices(), done };
    });

  choose = (kind, wanted) =>
    this.doing(async () => {
      const push = [...this.state.told.filter((each) => each !== kind), ...(wanted ? [kind] : [])];
      this.update({ told: push });
      return { told: (await patch("/me", { notifications: { push } })).notifications.push, done: "Kept." };
    });

  view() {
    const { how, busy, problem, done } = this.state;
    if (!how || how === "not offered") return [];
    return h(
      "section",
      { class: "panel", "aria-busy": String(Boolean(busy)) },
      h("h2", { key: "title" }, "On your devices"),
      problem ? h("p", { class: "problem", role: "alert", key: "problem" }, problem.message) : null,
      h("p", { class: "done", role: "status", key: "done" }, done ?? ""),
      how in WHY_NOT ? h("p", { class: "quiet", key: "why" }, WHY_NOT[how]) : this.here(),
      this.state.list?.length ? [this.kinds(), this.others()] : null,
    );
  }

  here() {
    const { how, busy } = this.state;
    if (how === "off")
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
            onclick: this.change(turnOn, "You are told here from now on."),
          },
          "Tell me on this device",
        ),
      );
    return h(
      "div",
      { class: "choices", key: "on" },
      h(
        "button",
        { type: "button", disabled: busy, onclick: this.change(this.test, "A test is on its way.") },
        "Send a test",
      ),
      h(
        "button",
        {
          type: "button",
          class: "plain",
          disabled: busy,
          onclick: this.change(turnOff, "You are told nothing here any more."),
        },
        "Nothing on this device",
      ),
    );
  }

  test = async () => {
    await sendTest();
    return "on";
  };

  kinds() {
    const { told, busy } = this.state;
    return h(
      "fieldset",
      { class: "told", key: "kinds" },
      h("legend", null, "What you are told"),
      KINDS.map(([kind, title]) =>
        h(
          "label",
          { key: kind },
          h("input", {
            type: "checkbox",
            name: kind,
            checked: told.includes(kind),
            disabled: busy,
            onchange: (event) => this.choose(kind, event.target.checked),
          }),
          h("span", null, title),
        ),
      ),
    );
  }

  others() {
    const others = this.state.list.filter((device) => !device.here);
    if (!others.length) return null;
    return h(
      "ul",
      { class: "devices", key: "others", "aria-label": "Your other devices" },
      others.map((device) =>
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
              onclick: this.change(() => forgetDevice(device.id), "It is told nothing more."),
            },
            "Remove",
          ),
        ),
      ),
    );
  }
}

customElements.define("haggis-devices", Devices);
