/* The service worker. It keeps the shell: scripts, styles, drawings, and the page for when there is no network; never
an answer of the API, so never a card. What is kept stands in `SHELL`, which the service writes above this. And it says
what a push message says. */

const { version, files, lasting, offline, icon } = self.SHELL;
const OURS = "haggis-shell-";
const CACHE = OURS + version;
const KEPT = new Set(files);

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

/** Fetch the whole shell of this version, and wait for nobody who still uses the last one. */
async function keep() {
  const cache = await caches.open(CACHE);
  const fresh = { cache: lasting ? "default" : "no-cache" };
  await cache.addAll([
    ...files.map((file) => new Request(file, fresh)),
    new Request(offline, { cache: "no-cache" }),
  ]);
  await self.skipWaiting();
}

async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (KEPT.has(pathname)) event.respondWith(lasting ? keptFirst(request) : networkFirst(request));
});

/** A page is always asked for; only where no answer comes at all there is another in its place. */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const instead = await (await caches.open(CACHE)).match(offline);
    if (instead) return instead;
    throw error;
  }
}

/** A file whose address changes with what is in it. */
async function keptFirst(request) {
  return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}

/** A file that may be another tomorrow. */
async function networkFirst(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(request);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("push", (event) => event.waitUntil(tell(event.data.json())));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.path));
});

const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });
const shows = (page, path) => new URL(page.url).pathname === path;

/** Say it, but not to somebody who looks at that very table. */
async function tell({ title, body, path, tag }) {
  if ((await pages()).some((page) => page.focused && shows(page, path))) return;
  await self.registration.showNotification(title, { body, tag, icon, renotify: true, data: { path } });
}

/** Go to what was told of: to the page that shows it, if there is one. */
async function show(path) {
  const there = (await pages()).find((page) => shows(page, path));
  if (there) await there.focus();
  else await self.clients.openWindow(path);
}
