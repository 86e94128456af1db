/* Who plays in this browser: one token, kept where the browser keeps what belongs to this site. */

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

/** Remember who plays here: `{token, player}` as the API gives it, or null. */
export function setSession(next) {
  session = next && { token: next.token ?? session?.token, player: next.player };
  try {
    if (session) localStorage.setItem(STORAGE_KEY, JSON.stringify(session));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // A browser that keeps nothing: the player is a guest until the page is closed.
  }
  changes.dispatchEvent(new Event("change"));
}

export const clearSession = () => setSession(null);

/** Tell when somebody comes or goes, in this tab or another. Gives back how to stop. */
export function onSessionChange(listener) {
  changes.addEventListener("change", listener);
  return () => changes.removeEventListener("change", listener);
}

addEventListener("storage", (event) => {
  if (event.key !== STORAGE_KEY && event.key !== null) return;
  session = load();
  changes.dispatchEvent(new Event("change"));
});
