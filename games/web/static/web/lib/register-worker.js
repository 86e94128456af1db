/* Register the service worker on page load. A separate module, since push.js needs worker.js: cyclic imports would make
   content-hashed file names impossible. */

import { isPushEnabled, registerWorker } from "./worker.js";

/** Register the service worker once the page has loaded, so that caching does not delay it. */
export function registerWorkerOnLoad() {
  if (document.readyState === "complete") start();
  else addEventListener("load", start, { once: true });
}

async function start() {
  await registerWorker();
  if (!isPushEnabled()) return;
  try {
    await (await import("./push.js")).renewSubscription();
  } catch {
    // The next page load tries again.
  }
}
