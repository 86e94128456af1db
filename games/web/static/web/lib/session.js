/* Who plays in this browser: one token, kept where the browser keeps what belongs to this site. */

const KEY = "haggis.session";
const changed = new EventTarget();

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? null;
  } catch {
    return null;
  }
}

let session = load();

export const token = () => session?.token ?? null;
export const me = () => session?.player ?? null;

/** Remember who plays here: `{token, player}` as the API gives it, or null. */
export function remember(next) {
  session = next && { token: next.token ?? session?.token, player: next.player };
  try {
    if (session) localStorage.setItem(KEY, JSON.stringify(session));
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing: the player is a guest until the page is closed.
  }
  changed.dispatchEvent(new Event("change"));
}

export const forget = () => remember(null);

/** Tell when somebody comes or goes, in this tab or another. Gives back how to stop. */
export function onChange(listener) {
  changed.addEventListener("change", listener);
  return () => changed.removeEventListener("change", listener);
}

addEventListener("storage", (event) => {
  if (event.key !== KEY && event.key !== null) return;
  session = load();
  changed.dispatchEvent(new Event("change"));
});
