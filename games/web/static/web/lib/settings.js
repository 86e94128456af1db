/* What a player likes here: light or dark, sound, motion, the order of the hand, whether to be
offered messages. Kept in this browser. */

const STORAGE_KEY = "haggis.settings";
const DEFAULTS = { theme: "system", sound: true, motion: true, order: "rank", offer: true };
const changes = new EventTarget();

function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORAGE_KEY)) };
  } catch {
    return { ...DEFAULTS };
  }
}

let settings = load();

export const setting = (name) => settings[name];

export function updateSetting(name, value) {
  settings = { ...settings, [name]: value };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
  } catch {
    // It holds until the page is closed.
  }
  apply();
  changes.dispatchEvent(new Event("change"));
}

export function onSettingChange(listener) {
  changes.addEventListener("change", listener);
  return () => changes.removeEventListener("change", listener);
}

/** Whether things may move: not where the player, or the system, would rather they did not. */
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
