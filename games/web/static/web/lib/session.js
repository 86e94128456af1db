/* The session of this browser: token and player, stored in localStorage.

A session ends when the service refuses its token. It then has no token, but remembers the player and the reason until
somebody logs in or chooses to continue without this account: a player never becomes a new guest unasked. */

import { readStored, writeStored } from "./storage.js";

const STORAGE_KEY = "haggis.session";
const changes = new EventTarget();

let session = readStored(STORAGE_KEY);

export const token = () => session?.token ?? null;
export const me = () => (session?.token ? session.player : null);

/** Return the session that the service has ended, as `{player, code, detail}`, or null. */
export const endedSession = () => (session?.ended ? { player: session.player, ...session.ended } : null);

/** Store the session: `{token, player}` as returned by the API, or null to log out. */
export function setSession(next) {
  if (next && !next.token && !session?.token) return; // The session has ended while the player was being changed.
  session = next && { token: next.token ?? session.token, player: next.player };
  writeStored(STORAGE_KEY, session);
  notify();
}

export const clearSession = () => setSession(null);

/** Record that the service has refused the token, with the code and the sentence of its error. */
export function endSession({ code, detail }) {
  session = { token: null, player: session.player, ended: { code, detail } };
  writeStored(STORAGE_KEY, session);
  notify();
}

const notify = () => changes.dispatchEvent(new Event(session?.ended ? "end" : "change"));

function listen(type, listener) {
  changes.addEventListener(type, listener);
  return () => changes.removeEventListener(type, listener);
}

/** Subscribe to logins and logouts in this or another tab. Returns a function to unsubscribe. */
export const onSessionChange = (listener) => listen("change", listener);

/** Subscribe to sessions that the service has ended. Returns a function to unsubscribe. */
export const onSessionEnd = (listener) => listen("end", listener);

let logInPrompt = async () => false;

/** Define how the page asks a player to log in again: a function that resolves to whether somebody is logged in. */
export function setLogInPrompt(prompt) {
  logInPrompt = prompt;
}

/** Ask the player to log in again. Resolves to whether somebody is logged in then. */
export const askToLogIn = () => logInPrompt();

addEventListener("storage", (event) => {
  if (event.key !== STORAGE_KEY && event.key !== null) return;
  session = readStored(STORAGE_KEY);
  notify();
});
