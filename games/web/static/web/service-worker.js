/* The service worker. It keeps the shell: scripts, styles, drawings, and the page for when there is no network; never
an answer of the API, so never a card. What is kept stands in `SHELL`, which the service writes above this. And it says
what a push message says. */

const { version, files, lasting: immutable, offline, icon } = self.SHELL;
const CACHE_PREFIX = "haggis-shell-";
const CACHE_NAME = CACHE_PREFIX + version;
const SHELL_PATHS = new Set(files);

self.addEventListener("install", (event) => event.waitUntil(cacheShell()));
self.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));

/** Fetch the whole shell of this version, and wait for nobody who still uses the last one. */
async function cacheShell() {
  const cache = await caches.open(CACHE_NAME);
  const cacheMode = { cache: immutable ? "default" : "no-cache" };
  await cache.addAll([
    ...files.map((file) => new Request(file, cacheMode)),
    new Request(offline, { cache: "no-cache" }),
  ]);
  await self.skipWaiting();
}

async function deleteOldCaches() {
  for (const name of await caches.keys())
    if (name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetchPage(request));
  else if (SHELL_PATHS.has(pathname))
    event.respondWith(immutable ? cacheFirst(request) : networkFirst(request));
});

/** A page is always asked for; only where no answer comes at all there is another in its place. */
async function fetchPage(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const fallback = await (await caches.open(CACHE_NAME)).match(offline);
    if (fallback) return fallback;
    throw error;
  }
}

/** A file whose address changes with what is in it. */
async function cacheFirst(request) {
  return (await (await caches.open(CACHE_NAME)).match(request)) ?? fetch(request);
}

/** A file that may be another tomorrow. */
async function networkFirst(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await (await caches.open(CACHE_NAME)).match(request);
    if (cached) return cached;
    throw error;
  }
}

self.addEventListener("push", (event) => event.waitUntil(showNotification(event.data.json())));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPath(event.notification.data.path));
});

const openTabs = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });
const isShowing = (page, path) => new URL(page.url).pathname === path;

/** Say it, but not to somebody who looks at that very table. */
async function showNotification({ title, body, path, tag }) {
  if ((await openTabs()).some((page) => page.focused && isShowing(page, path))) return;
  await self.registration.showNotification(title, { body, tag, icon, renotify: true, data: { path } });
}

/** Go to what was told of: to the page that shows it, if there is one. */
async function openPath(path) {
  const tab = (await openTabs()).find((page) => isShowing(page, path));
  if (tab) await tab.focus();
  else await self.clients.openWindow(path);
}
