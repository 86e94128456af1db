/* <haggis-bar>: who plays here, and how they like it to look and sound. */

import { me, onChange } from "../lib/session.js";
import { apply, onSetting, set, setting } from "../lib/settings.js";
import { startWorker } from "../lib/starting.js";
import { h, View } from "../lib/vdom.js";

const THEMES = [
  ["system", "Auto"],
  ["light", "Light"],
  ["dark", "Dark"],
];
const GEAR =
  "M12 8.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM12 2.500v3M12 18.500v3M2.500 12h3M18.500 12h3M5.300 5.300l2.100 2.100M16.600 16.600l2.100 2.100M5.300 18.700l2.100-2.100M16.600 7.400l2.100-2.100";

class HaggisBar extends View {
  begin() {
    apply();
    this.stops = [onChange(() => this.update({})), onSetting(() => this.update({}))];
    this.leave = (event) => !this.contains(event.target) && this.state.shown && this.update({ shown: false });
    document.addEventListener("click", this.leave);
  }

  end() {
    for (const stop of this.stops) stop();
    document.removeEventListener("click", this.leave);
  }

  view() {
    const player = me();
    return [
      h("a", { class: "who", href: "/account" }, player ? player.display_name || player.username : "Log in"),
      h(
        "div",
        { class: "menu", onkeydown: (event) => event.key === "Escape" && this.close() },
        h(
          "button",
          {
            type: "button",
            class: "round",
            "aria-label": "Settings",
            "aria-expanded": String(Boolean(this.state.shown)),
            onclick: () => this.update({ shown: !this.state.shown }),
          },
          h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: GEAR })),
        ),
        this.state.shown ? this.menu() : null,
      ),
    ];
  }

  menu() {
    return h(
      "div",
      { class: "menu-list", role: "group", "aria-label": "Settings" },
      h(
        "fieldset",
        null,
        h("legend", null, "Colours"),
        h(
          "div",
          { class: "segments" },
          THEMES.map(([value, text]) =>
            h(
              "label",
              { key: value },
              h("input", {
                type: "radio",
                name: "theme",
                checked: setting("theme") === value,
                onchange: () => set("theme", value),
              }),
              h("span", null, text),
            ),
          ),
        ),
      ),
      this.toggle("sound", "Sound"),
      this.toggle("motion", "Motion"),
    );
  }

  toggle(name, text) {
    return h(
      "button",
      {
        type: "button",
        role: "switch",
        class: "switch",
        key: name,
        "aria-checked": String(setting(name)),
        onclick: () => set(name, !setting(name)),
      },
      text,
    );
  }

  close() {
    this.update({ shown: false });
    this.querySelector(".round").focus();
  }
}

customElements.define("haggis-bar", HaggisBar);
startWorker();
