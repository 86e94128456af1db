/* JSON values in localStorage, which may be unavailable, full, or changed by hand. */

/** Return a stored value, or null if there is none that can be read. */
export function readStored(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Store a value; null removes it. Without storage it lasts until the page is closed. */
export function writeStored(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The caller keeps the value in memory.
  }
}
