/* <haggis-bar>: link to the account and the settings menu. */

import { language, t } from "../lib/i18n.js";
import { registerWorkerOnLoad } from "../lib/register-worker.js";
import {
  askToLogIn,
  endedSession,
  me,
  onSessionChange,
  onSessionEnd,
  setLogInPrompt,
  token,
} from "../lib/session.js";
import { apply, onSettingChange, setting, updateSetting } from "../lib/settings.js";
import { h, View } from "../lib/vdom.js";

const THEMES = [
  ["system", t("Auto")],
  ["light", t("Light")],
  ["dark", t("Dark")],
];
const GEAR =
  "M12 8.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM12 2.500v3M12 18.500v3M2.500 12h3M18.500 12h3M5.300 5.300l2.100 2.100M16.600 16.600l2.100 2.100M5.300 18.700l2.100-2.100M16.600 7.400l2.100-2.100";

/** Return the name of a language in that language: "Deutsch". */
function nativeName(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code);
  return name[0].toLocaleUpperCase(code) + name.slice(1);
}

/** Return the address that shows this page in a language. */
function addressIn(code) {
  const parameters = new URLSearchParams(location.search);
  parameters.set("language", code);
  return `?${parameters}`;
}

/** Ask to log in again, unless this has happened in another tab. The dialog is loaded only when it is needed. */
setLogInPrompt(async () => {
  const { showLogInPrompt } = await import("./session-ended.js");
  return endedSession() ? showLogInPrompt() : Boolean(token());
});

class HaggisBar extends View {
  connected() {
    apply();
    this.unsubscribers = [
      onSessionChange(() => this.update({})),
      onSessionEnd(() => this.onSessionEnd()),
      onSettingChange(() => this.update({})),
    ];
    if (endedSession()) this.onSessionEnd();
    if (token()) import("./account-notices.js").then(({ checkNotices }) => checkNotices());
    this.closeOnOutsideClick = (event) =>
      !this.contains(event.target) && this.state.menuOpen && this.update({ menuOpen: false });
    document.addEventListener("click", this.closeOnOutsideClick);
  }

  disconnected() {
    for (const stop of this.unsubscribers) stop();
    document.removeEventListener("click", this.closeOnOutsideClick);
  }

  /** Say that the session has ended. */
  onSessionEnd() {
    this.update({});
    askToLogIn();
  }

  view() {
    const player = me();
    return [
      h(
        "a",
        { class: "account-link", href: "/account" },
        player ? player.display_name || player.username : t("Log in"),
      ),
      h(
        "div",
        { class: "menu", onkeydown: (event) => event.key === "Escape" && this.close() },
        h(
          "button",
          {
            type: "button",
            class: "round",
            "aria-label": t("Settings"),
            "aria-expanded": String(Boolean(this.state.menuOpen)),
            onclick: () => this.toggleMenu(),
          },
          h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: GEAR })),
        ),
        this.state.menuOpen ? this.settingsMenu() : null,
      ),
    ];
  }

  toggleMenu() {
    import("./languages.js");
    this.update({ menuOpen: !this.state.menuOpen });
  }

  /** The language switch, which the foot of other pages has as well. */
  languageSwitch() {
    return h(
      "fieldset",
      { class: "languages" },
      h("legend", null, t("Language")),
      h(
        "haggis-languages",
        null,
        (this.getAttribute("languages") ?? "").split(" ").map((code) =>
          h(
            "a",
            {
              key: code,
              href: addressIn(code),
              lang: code,
              hreflang: code,
              rel: "nofollow",
              "aria-current": code === language ? "true" : undefined,
            },
            nativeName(code),
          ),
        ),
      ),
    );
  }

  settingsMenu() {
    return h(
      "div",
      { class: "menu-list", role: "group", "aria-label": t("Settings") },
      h(
        "fieldset",
        null,
        h("legend", null, t("Theme")),
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
      this.languageSwitch(),
      this.toggle(t("Sound"), setting("sound"), (on) => updateSetting("sound", on)),
      this.toggle(t("Animations"), setting("animationSpeed") !== "off", (on) =>
        updateSetting("animationSpeed", on ? "normal" : "off"),
      ),
    );
  }

  toggle(text, on, onchange) {
    return h(
      "button",
      {
        type: "button",
        role: "switch",
        class: "switch",
        key: text,
        "aria-checked": String(on),
        onclick: () => onchange(!on),
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
