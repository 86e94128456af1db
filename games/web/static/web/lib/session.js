/* The session of this browser: token and player, stored in localStorage. */

import { readStored, writeStored } from "./storage.js";

const STORAGE_KEY = "haggis.session";
const changes = new EventTarget();

let session = readStored(STORAGE_KEY);

export const token = () => session?.token ?? null;
export const me = () => session?.player ?? null;

/** Store the session: `{token, player}` as returned by the API, or null to log out. */
export function setSession(next) {
  session = next && { token: next.token ?? session?.token, player: next.player };
  writeStored(STORAGE_KEY, session);
  changes.dispatchEvent(new Event("change"));
}

export const clearSession = () => setSession(null);

/** Subscribe to logins and logouts in this or another tab. Returns a function to unsubscribe. */
export function onSessionChange(listener) {
  changes.addEventListener("change", listener);
  return () => changes.removeEventListener("change", listener);
}

addEventListener("storage", (event) => {
  if (event.key !== STORAGE_KEY && event.key !== null) return;
  session = readStored(STORAGE_KEY);
  changes.dispatchEvent(new Event("change"));
});
