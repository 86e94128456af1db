/* The session of this browser: token and player, stored in localStorage. */

const STORAGE_KEY = "haggis.session";
const changes = new EventTarget();

function load() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? null;
  } catch {
    return null;
  }
}

let session = load();

export const token = () => session?.token ?? null;
export const me = () => session?.player ?? null;

/** Store the session: `{token, player}` as returned by the API, or null to log out. */
export function setSession(next) {
  session = next && { token: next.token ?? session?.token, player: next.player };
  try {
    if (session) localStorage.setItem(STORAGE_KEY, JSON.stringify(session));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage the session lasts until the page is closed.
  }
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
  session = load();
  changes.dispatchEvent(new Event("change"));
});
