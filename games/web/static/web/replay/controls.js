/* The controls of a replay: navigation and viewpoint. */

import { t } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";

const ICONS = {
  first: "M6 5v14M19 5l-10 7 10 7z",
  back: "M17 5L7 12l10 7z",
  on: "M7 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  run: "M4 5l8 7-8 7zM12 5l8 7-8 7z",
  stop: "M8 5v14M16 5v14",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  copied: "M5 13l5 5 9-11",
};

const button = (label, icon, onclick, props = {}) =>
  h(
    "button",
    { type: "button", "aria-label": label, title: label, onclick, key: label, ...props },
    h(
      "svg",
      { class: `icon ${icon}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
      h("path", { d: ICONS[icon] }),
    ),
  );

export function controls(view) {
  const { at, steps, playing, copied } = view.state;
  return h(
    "div",
    { class: "controls", key: "controls" },
    h("input", {
      type: "range",
      min: 0,
      max: steps.length - 1,
      value: at,
      "aria-label": t("Step"),
      "aria-valuetext": t("Step {step} of {steps}, round {round}", {
        step: at + 1,
        steps: steps.length,
        round: view.step.round,
      }),
      oninput: (event) => view.goToStep(Number(event.target.value)),
    }),
    h(
      "div",
      { class: "choices" },
      button(t("Previous round"), "first", () => view.goToRound(-1)),
      button(t("Previous step"), "back", () => view.goToStep(at - 1)),
      button(playing ? t("Pause") : t("Play"), playing ? "stop" : "run", () => view.setPlaying(!playing), {
        class: "main",
      }),
      button(t("Next step"), "on", () => view.goToStep(at + 1)),
      button(t("Next round"), "last", () => view.goToRound(1)),
      h("span", { class: "quiet counter" }, `${at + 1} / ${steps.length}`),
      viewpointSelect(view),
      view.matchId
        ? button(t("Copy link to this step"), copied === at ? "copied" : "link", () => copyLink(view))
        : null,
    ),
  );
}

function viewpointSelect(view) {
  return h(
    "label",
    { class: "viewpoint" },
    h("span", null, t("View")),
    h(
      "select",
      {
        onchange: (event) =>
          view.update({ viewpoint: event.target.value === "all" ? "all" : Number(event.target.value) }),
      },
      h("option", { value: "all", selected: view.state.viewpoint === "all" }, t("all hands")),
      view.state.names.map((name, seat) =>
        h(
          "option",
          { value: seat, key: seat, selected: view.state.viewpoint === seat },
          t("as {name}", { name }),
        ),
      ),
    ),
  );
}

async function copyLink(view) {
  const url = `${location.origin}${location.pathname}#${view.state.at}`;
  history.replaceState(null, "", `#${view.state.at}`);
  try {
    await navigator.clipboard.writeText(url);
    view.update({ copied: view.state.at });
  } catch {
    view.update({ copied: null });
  }
}
