/* Registration of the service worker, which makes the site installable. */

const WORKER_URL = "/sw.js";
// The Content Security Policy requires a trusted script URL.
const policy = globalThis.trustedTypes?.createPolicy("haggis-worker", { createScriptURL: () => WORKER_URL });

/** Register the service worker and return its registration, or null if that is impossible. */
export async function registerWorker() {
  if (!navigator.serviceWorker) return null;
  try {
    return await navigator.serviceWorker.register(policy ? policy.createScriptURL(WORKER_URL) : WORKER_URL);
  } catch {
    return null; // Private window, or storage is full: the site works without a service worker.
  }
}

/** Return whether push notifications were enabled in this browser. */
export function isPushEnabled() {
  try {
    return localStorage.getItem("haggis.device") !== null;
  } catch {
    return false;
  }
}
