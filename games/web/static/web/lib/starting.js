/* Starting the service worker. By itself, since what it has to know of devices needs the worker: no two scripts
   may import each other, or neither could be named by what is in it. */

import { isTold, worker } from "./worker.js";

/** Fetch what the worker keeps only when the page itself is complete. */
export function startWorker() {
  if (document.readyState === "complete") start();
  else addEventListener("load", start, { once: true });
}

async function start() {
  await worker();
  if (!isTold()) return;
  try {
    await (await import("./push.js")).stayOn();
  } catch {
    // The next page tries again.
  }
}
