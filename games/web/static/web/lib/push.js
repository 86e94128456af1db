/* Being told things on this device while no page is open: what the browser allows, what the service offers, and the
subscription that both know of. Loaded only where somebody may want it. */

import { all, get, Problem, patch, post, remove } from "./api.js";
import { worker } from "./worker.js";

const KEPT = "haggis.device";
const USUAL = ["invitation", "match_end", "your_turn"];

/** The key of the service; null where it sends no push messages. */
async function serviceKey() {
  try {
    return (await get("/push/key")).public_key;
  } catch (error) {
    if (error instanceof Problem && error.code === "push_not_offered") return null;
    throw error;
  }
}

/** How it stands: "not offered", "impossible" here, "forbidden" in this browser, "off" or "on". */
export async function standing() {
  if (!(await serviceKey())) return "not offered";
  if (!("PushManager" in globalThis) || !("Notification" in globalThis)) return "impossible";
  if (Notification.permission === "denied") return "forbidden";
  const registration = await worker();
  if (!registration) return "impossible";
  const subscription = await registration.pushManager.getSubscription();
  return subscription && kept()?.endpoint === subscription.endpoint ? "on" : "off";
}

/** Ask the browser's user, subscribe, and tell the service; gives how it stands then. */
export async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return standing();
  await subscribe();
  const { notifications } = await get("/me");
  if (!notifications.push.length) await patch("/me", { notifications: { push: USUAL } });
  return "on";
}

async function subscribe() {
  await worker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = { userVisibleOnly: true, applicationServerKey: await serviceKey() };
  let subscription;
  try {
    subscription = await pushManager.subscribe(wanted);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    await (await pushManager.getSubscription()).unsubscribe(); // It was made with another key.
    subscription = await pushManager.subscribe(wanted);
  }
  const { endpoint, keys } = subscription.toJSON();
  const { id } = await post("/me/devices", {
    endpoint,
    keys: { p256dh: keys.p256dh, auth: keys.auth },
    name: nameOfThisDevice(),
  });
  localStorage.setItem(KEPT, JSON.stringify({ id, endpoint }));
}

/** Have this device told nothing more, whether or not the service still knows it. */
export async function turnOff() {
  const device = kept();
  localStorage.removeItem(KEPT);
  const registration = await worker();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  if (device) await forgetDevice(device.id);
}

/** Take a device off the list; one that is not there any more is off it already. */
export async function forgetDevice(id) {
  try {
    await remove(`/me/devices/${id}`);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
  }
}

/** Tell the service again where the browser has changed its subscription by itself. */
export async function stayOn() {
  if (Notification.permission === "granted" && (await standing()) === "off") await subscribe();
}

export async function devices() {
  const found = [];
  for await (const device of all("/me/devices")) found.push({ ...device, here: device.id === kept()?.id });
  return found;
}

export const sendTest = () => post(`/me/devices/${kept().id}/test`);

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

/** As its owner would know it again: "Firefox, Android". */
function nameOfThisDevice() {
  const agent = navigator.userAgent;
  const first = (...names) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = first(
    [/Edg/, "Edge"],
    [/OPR/, "Opera"],
    [/Firefox/, "Firefox"],
    [/Chrom/, "Chrome"],
    [/Safari/, "Safari"],
  );
  const system = first(
    [/Android/, "Android"],
    [/iPhone|iPad/, "iOS"],
    [/Mac/, "Mac"],
    [/Windows/, "Windows"],
    [/Linux/, "Linux"],
  );
  return [browser, system].filter(Boolean).join(", ");
}
