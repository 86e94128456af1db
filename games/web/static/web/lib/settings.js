/* Preferences of this browser: theme, sound, motion, hand order, and whether to offer push notifications. */

import { readStored, writeStored } from "./storage.js";

const STORAGE_KEY = "haggis.settings";
const DEFAULTS = { theme: "system", sound: true, motion: true, order: "rank", offer: true };
const changes = new EventTarget();

const load = () => ({ ...DEFAULTS, ...readStored(STORAGE_KEY) });

let settings = load();

export const setting = (name) => settings[name];

export function updateSetting(name, value) {
  settings = { ...settings, [name]: value };
  writeStored(STORAGE_KEY, settings);
  apply();
  changes.dispatchEvent(new Event("change"));
}

export function onSettingChange(listener) {
  changes.addEventListener("change", listener);
  return () => changes.removeEventListener("change", listener);
}

/** Return whether animations are allowed by the player's setting and by the system's. */
export const motionAllowed = () => settings.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;

export function apply() {
  const { dataset } = document.documentElement;
  if (settings.theme === "system") delete dataset.theme;
  else dataset.theme = settings.theme;
  dataset.motion = settings.motion ? "on" : "off";
}

addEventListener("storage", (event) => {
  if (event.key !== STORAGE_KEY) return;
  settings = load();
  apply();
  changes.dispatchEvent(new Event("change"));
});
