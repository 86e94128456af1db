/* <haggis-preferences>: how the table looks and sounds in this browser. */

import { t } from "../lib/i18n.js";
import {
  ANIMATION_SPEEDS,
  CARD_SIZES,
  MAX_VOLUME,
  onSettingChange,
  setting,
  updateSetting,
} from "../lib/settings.js";
import { h, View } from "../lib/vdom.js";

const SIZE_NAMES = { small: t("Small"), medium: t("Medium"), large: t("Large") };
const SPEED_NAMES = { off: t("Off"), slow: t("Slow"), normal: t("Normal"), fast: t("Fast") };
const VOLUME_STEP = 5;

class Preferences extends View {
  connected() {
    this.unsubscribe = onSettingChange(() => this.update({}));
  }

  disconnected() {
    this.unsubscribe();
  }

  view() {
    return h(
      "section",
      { class: "panel", id: "preferences" },
      h("h2", null, t("Table")),
      h("p", { class: "quiet" }, t("These settings apply to this browser only.")),
      this.choice("cardSize", t("Card size"), CARD_SIZES, SIZE_NAMES),
      this.choice("animationSpeed", t("Animations"), ANIMATION_SPEEDS, SPEED_NAMES),
      h(
        "label",
        { class: "check", key: "confirm" },
        h("input", {
          type: "checkbox",
          checked: setting("confirmPlay"),
          onchange: (event) => updateSetting("confirmPlay", event.target.checked),
        }),
        h("span", null, t("Ask before each play")),
      ),
      h(
        "label",
        { class: "check", key: "sound" },
        h("input", {
          type: "checkbox",
          checked: setting("sound"),
          onchange: (event) => updateSetting("sound", event.target.checked),
        }),
        h("span", null, t("Sound")),
      ),
      h(
        "div",
        { class: "field", key: "volume" },
        h("label", { for: "volume" }, t("Volume: {percent} %", { percent: setting("volume") })),
        h("input", {
          id: "volume",
          type: "range",
          min: 0,
          max: MAX_VOLUME,
          step: VOLUME_STEP,
          value: setting("volume"),
          disabled: !setting("sound"),
          oninput: (event) => updateSetting("volume", Number(event.target.value)),
        }),
      ),
    );
  }

  choice(name, title, values, names) {
    return h(
      "div",
      { class: "field", key: name },
      h("label", { for: name }, title),
      h(
        "select",
        { id: name, onchange: (event) => updateSetting(name, event.target.value) },
        values.map((value) =>
          h("option", { value, key: value, selected: setting(name) === value }, names[value]),
        ),
      ),
    );
  }
}

customElements.define("haggis-preferences", Preferences);
