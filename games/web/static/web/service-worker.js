/* The service worker. It caches the app shell (scripts, styles, images and the offline page), but never API responses,
so never any cards. The service prepends `SHELL`, the list of files to cache. It also shows push notifications. */

const { version, files, catalogues, immutable, offline, icon } = self.SHELL;
const CACHE_PREFIX = "haggis-shell-";
const CACHE_NAME = CACHE_PREFIX + version;
const SHELL_PATHS = new Set([...files, ...Object.values(catalogues)]);

self.addEventListener("install", (event) => event.waitUntil(cacheShell()));
self.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));

/** Cache the shell of this version and activate without waiting for tabs that use the previous one. */
async function cacheShell() {
  const cache = await caches.open(CACHE_NAME);
  const cacheMode = { cache: immutable ? "default" : "no-cache" };
  await cache.addAll(files.map((file) => new Request(file, cacheMode)));
  await cacheOfflinePage(cache);
  await self.skipWaiting();
}

const languageOf = (page) => page.headers.get("Content-Language");

/** Cache the offline page in the language of this browser, with the catalogue that its scripts need. */
async function cacheOfflinePage(cache) {
  const page = await fetch(new Request(offline, { cache: "no-cache" }));
  if (!page.ok) throw new TypeError(`The offline page cannot be cached: ${page.status}`);
  const catalogue = catalogues[languageOf(page)];
  if (catalogue) await cache.add(new Request(catalogue, { cache: immutable ? "default" : "no-cache" }));
  await cache.put(offline, page);
}

/** Cache the offline page again if the visitor has changed the language. */
async function followLanguage(page) {
  const cache = await caches.open(CACHE_NAME);
  const stored = await cache.match(offline);
  if (stored && languageOf(page) && languageOf(page) !== languageOf(stored)) await cacheOfflinePage(cache);
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
  if (request.mode === "navigate") event.respondWith(fetchPage(event));
  else if (SHELL_PATHS.has(pathname))
    event.respondWith(immutable ? cacheFirst(request) : networkFirst(request));
});

/** Fetch a page from the network; show the offline page only if there is no response at all. */
async function fetchPage(event) {
  try {
    const page = await fetch(event.request);
    event.waitUntil(followLanguage(page).catch(() => null)); // a later page tries again
    return page;
  } catch (error) {
    const fallback = await (await caches.open(CACHE_NAME)).match(offline);
    if (fallback) return fallback;
    throw error;
  }
}

/** Serve a file whose URL contains a content hash. */
async function cacheFirst(request) {
  return (await (await caches.open(CACHE_NAME)).match(request)) ?? fetch(request);
}

/** Serve a file that may change under the same URL. */
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

/** Show a push notification, unless the player is looking at that table. */
async function showNotification({ title, body, path, tag }) {
  if ((await openTabs()).some((page) => page.focused && isShowing(page, path))) return;
  await self.registration.showNotification(title, { body, tag, icon, renotify: true, data: { path } });
}

/** Focus the tab that shows the path, or open a new one. */
async function openPath(path) {
  const tab = (await openTabs()).find((page) => isShowing(page, path));
  if (tab) await tab.focus();
  else await self.clients.openWindow(path);
}
