/* Push notifications on this device: browser permission, push service, and the subscription stored by both. Loaded only
where it may be needed. */

import { fetchAll, get, Problem, patch, post, remove } from "./api.js";
import { readStored } from "./storage.js";
import { registerWorker } from "./worker.js";

const STORAGE_KEY = "haggis.device";
const DEFAULT_KINDS = ["invitation", "match_end", "your_turn"];

/** Return the public key of the service, or null if the service does not offer push notifications. */
async function serviceKey() {
  try {
    return (await get("/push/key")).public_key;
  } catch (error) {
    if (error instanceof Problem && error.code === "push_not_offered") return null;
    throw error;
  }
}

/** Return "unavailable" (service), "unsupported" or "denied" (browser), "off" or "on". */
export async function pushStatus() {
  if (!(await serviceKey())) return "unavailable";
  if (!("PushManager" in globalThis) || !("Notification" in globalThis)) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  const registration = await registerWorker();
  if (!registration) return "unsupported";
  const subscription = await registration.pushManager.getSubscription();
  return subscription && storedDevice()?.endpoint === subscription.endpoint ? "on" : "off";
}

/** Ask for permission, subscribe, register the subscription with the service, and return the new status. */
export async function enablePush() {
  if ((await Notification.requestPermission()) !== "granted") return pushStatus();
  await subscribe();
  const { notifications } = await get("/me");
  if (!notifications.push.length) await patch("/me", { notifications: { push: DEFAULT_KINDS } });
  return "on";
}

async function subscribe() {
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: await serviceKey() };
  let subscription;
  try {
    subscription = await pushManager.subscribe(options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    await (await pushManager.getSubscription()).unsubscribe(); // The existing subscription was made with another key.
    subscription = await pushManager.subscribe(options);
  }
  const { endpoint, keys } = subscription.toJSON();
  const { id } = await post("/me/devices", {
    endpoint,
    keys: { p256dh: keys.p256dh, auth: keys.auth },
    name: deviceName(),
  });
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ id, endpoint }));
}

/** Unsubscribe this device, whether or not the service still knows it. */
export async function disablePush() {
  const device = storedDevice();
  localStorage.removeItem(STORAGE_KEY);
  const registration = await registerWorker();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  if (device) await removeDevice(device.id);
}

/** Delete a device. Succeeds if it has been deleted already. */
export async function removeDevice(id) {
  try {
    await remove(`/me/devices/${id}`);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
  }
}

/** Register a new subscription with the service if the browser has replaced the old one. */
export async function renewSubscription() {
  if (Notification.permission === "granted" && (await pushStatus()) === "off") await subscribe();
}

export async function listDevices() {
  const list = [];
  for await (const device of fetchAll("/me/devices"))
    list.push({ ...device, isCurrent: device.id === storedDevice()?.id });
  return list;
}

export const sendTestNotification = () => post(`/me/devices/${storedDevice().id}/test`);

const storedDevice = () => readStored(STORAGE_KEY);

/** Return a name the owner recognizes, for example "Firefox, Android". */
function deviceName() {
  const agent = navigator.userAgent;
  const first = (...names) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = first(
    [/Edg/, "Edge"],
    [/OPR/, "Opera"],
    [/Firefox/, "Firefox"],
    [/Chrom/, "Chrome"],
    [/Safari/, "Safari"],
  );
  const platform = first(
    [/Android/, "Android"],
    [/iPhone|iPad/, "iOS"],
    [/Mac/, "Mac"],
    [/Windows/, "Windows"],
    [/Linux/, "Linux"],
  );
  return [browser, platform].filter(Boolean).join(", ");
}
