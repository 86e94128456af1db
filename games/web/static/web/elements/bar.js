/* <haggis-bar>: link to the account and the settings menu. */

import { registerWorkerOnLoad } from "../lib/register-worker.js";
import { me, onSessionChange } from "../lib/session.js";
import { apply, onSettingChange, setting, updateSetting } from "../lib/settings.js";
import { h, View } from "../lib/vdom.js";

const THEMES = [
  ["system", "Auto"],
  ["light", "Light"],
  ["dark", "Dark"],
];
const GEAR =
  "M12 8.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM12 2.500v3M12 18.500v3M2.500 12h3M18.500 12h3M5.300 5.300l2.100 2.100M16.600 16.600l2.100 2.100M5.300 18.700l2.100-2.100M16.600 7.400l2.100-2.100";

class HaggisBar extends View {
  connected() {
    apply();
    this.unsubscribers = [onSessionChange(() => this.update({})), onSettingChange(() => this.update({}))];
    this.closeOnOutsideClick = (event) =>
      !this.contains(event.target) && this.state.menuOpen && this.update({ menuOpen: false });
    document.addEventListener("click", this.closeOnOutsideClick);
  }

  disconnected() {
    for (const stop of this.unsubscribers) stop();
    document.removeEventListener("click", this.closeOnOutsideClick);
  }

  view() {
    const player = me();
    return [
      h(
        "a",
        { class: "account-link", href: "/account" },
        player ? player.display_name || player.username : "Log in",
      ),
      h(
        "div",
        { class: "menu", onkeydown: (event) => event.key === "Escape" && this.close() },
        h(
          "button",
          {
            type: "button",
            class: "round",
            "aria-label": "Settings",
            "aria-expanded": String(Boolean(this.state.menuOpen)),
            onclick: () => this.update({ menuOpen: !this.state.menuOpen }),
          },
          h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: GEAR })),
        ),
        this.state.menuOpen ? this.settingsMenu() : null,
      ),
    ];
  }

  settingsMenu() {
    return h(
      "div",
      { class: "menu-list", role: "group", "aria-label": "Settings" },
      h(
        "fieldset",
        null,
        h("legend", null, "Theme"),
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
                onchange: () => updateSetting("theme", value),
              }),
              h("span", null, text),
            ),
          ),
        ),
      ),
      this.toggle("sound", "Sound"),
      this.toggle("motion", "Animations"),
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
        onclick: () => updateSetting(name, !setting(name)),
      },
      text,
    );
  }

  close() {
    this.update({ menuOpen: false });
    this.querySelector(".round").focus();
  }
}

customElements.define("haggis-bar", HaggisBar);
registerWorkerOnLoad();
