/* Preferences of this browser: theme, sound, animations, cards, confirmation, and whether to offer push notifications. */

import { readStored, writeStored } from "./storage.js";

const STORAGE_KEY = "haggis.settings";

/** The values of the preferences that are choices, in the order to offer them. */
export const CARD_SIZES = ["small", "medium", "large"];
export const ANIMATION_SPEEDS = ["off", "slow", "normal", "fast"];
export const MAX_VOLUME = 100;

const DEFAULTS = {
  theme: "system",
  sound: true,
  volume: MAX_VOLUME,
  animationSpeed: "normal",
  cardSize: "medium",
  confirmPlay: false,
  order: "rank",
  offer: true,
};

const isBoolean = (value) => typeof value === "boolean";
const isOneOf = (values) => (value) => values.includes(value);

/** Stored values may be old or changed by hand: a value that its test refuses is replaced by the default. */
const VALID = {
  theme: isOneOf(["system", "light", "dark"]),
  sound: isBoolean,
  volume: (value) => Number.isFinite(value) && value >= 0 && value <= MAX_VOLUME,
  animationSpeed: isOneOf(ANIMATION_SPEEDS),
  cardSize: isOneOf(CARD_SIZES),
  confirmPlay: isBoolean,
  order: isOneOf(["rank", "suit"]),
  offer: isBoolean,
};

const changes = new EventTarget();

/** Return the settings from stored values. Before there were speeds, `motion: false` switched animations off. */
export function settingsFrom(stored) {
  const values = { ...(stored?.motion === false ? { animationSpeed: "off" } : {}), ...stored };
  return Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, value]) => [name, VALID[name](values[name]) ? values[name] : value]),
  );
}

const load = () => settingsFrom(readStored(STORAGE_KEY));

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
export const motionAllowed = () =>
  settings.animationSpeed !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;

const TIME_FACTORS = { slow: 2.2, normal: 1, fast: 0.5 };

/** Return how long an animation of this many milliseconds takes at the chosen speed; 0 without animations. */
export const motionTime = (ms) => (motionAllowed() ? ms * TIME_FACTORS[settings.animationSpeed] : 0);

/** Return the volume of sounds, from 0 to 1. */
export const loudness = () => (settings.sound ? settings.volume / MAX_VOLUME : 0);

export function apply() {
  const { dataset } = document.documentElement;
  if (settings.theme === "system") delete dataset.theme;
  else dataset.theme = settings.theme;
  dataset.motion = settings.animationSpeed;
  dataset.cardSize = settings.cardSize;
}

addEventListener("storage", (event) => {
  if (event.key !== STORAGE_KEY) return;
  settings = load();
  apply();
  changes.dispatchEvent(new Event("change"));
});
