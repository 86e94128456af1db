/* Starting the service worker. By itself, since what it has to know of devices needs the worker: no two scripts
   may import each other, or neither could be named by what is in it. */

import { isPushEnabled, registerWorker } from "./worker.js";

/** Fetch what the worker keeps only when the page itself is complete. */
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
    // The next page tries again.
  }
}
