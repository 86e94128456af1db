/* What a player likes here: light or dark, sound, motion, the order of the hand, whether to be
offered messages. Kept in this browser. */

const KEY = "haggis.settings";
const USUAL = { theme: "system", sound: true, motion: true, order: "rank", offer: true };
const changed = new EventTarget();

function load() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return { ...USUAL };
  }
}

let settings = load();

export const setting = (name) => settings[name];

export function set(name, value) {
  settings = { ...settings, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // It holds until the page is closed.
  }
  apply();
  changed.dispatchEvent(new Event("change"));
}

export function onSetting(listener) {
  changed.addEventListener("change", listener);
  return () => changed.removeEventListener("change", listener);
}

/** Whether things may move: not where the player, or the system, would rather they did not. */
export const mayMove = () => settings.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;

export function apply() {
  const { dataset } = document.documentElement;
  if (settings.theme === "system") delete dataset.theme;
  else dataset.theme = settings.theme;
  dataset.motion = settings.motion ? "on" : "off";
}

addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  settings = load();
  apply();
  changed.dispatchEvent(new Event("change"));
});
