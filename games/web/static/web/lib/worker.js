/* The service worker of these pages, where the browser has any: what makes them an app that can be installed. */

const WORKER_URL = "/sw.js";
// The page policy lets a script be named by nothing but this.
const policy = globalThis.trustedTypes?.createPolicy("haggis-worker", { createScriptURL: () => WORKER_URL });

/** Have the worker there, once the page has all it needs; null where there can be none. */
export async function registerWorker() {
  if (!navigator.serviceWorker) return null;
  try {
    return await navigator.serviceWorker.register(policy ? policy.createScriptURL(WORKER_URL) : WORKER_URL);
  } catch {
    return null; // A private window, or storage that is full: everything works without.
  }
}

/** Whether this browser is one on which somebody is told things while no page is open. */
export function isPushEnabled() {
  try {
    return localStorage.getItem("haggis.device") !== null;
  } catch {
    return false;
  }
}
