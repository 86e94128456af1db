/* A one-time, unobtrusive offer to enable push notifications for the player's turns. */

import { t } from "../lib/i18n.js";
import { setting, updateSetting } from "../lib/settings.js";
import { h } from "../lib/vdom.js";

// With less time per turn, players stay at the table anyway.
const MIN_TURN_SECONDS = 120;

/** Return whether the player waits for other people and has not been asked yet. */
function shouldOffer({ table }) {
  const { turn_seconds: seconds } = table.clock;
  const { seat, to_act: turn } = table.you ?? {};
  return (
    table.you &&
    !turn &&
    table.status === "active" &&
    (!seconds || seconds >= MIN_TURN_SECONDS) &&
    table.seats.some((other, number) => number !== seat && other.player) &&
    setting("offer") &&
    "PushManager" in globalThis &&
    globalThis.Notification?.permission === "default"
  );
}

export function pushOffer(view) {
  const { pushStatus, accepted } = view.state;
  if (accepted && pushStatus === "on")
    return h(
      "p",
      { class: "offer", role: "status", key: "offer" },
      t("Notifications are on for this device."),
    );
  if (!shouldOffer(view.state)) return null;
  if (pushStatus === undefined) loadStatus(view);
  if (pushStatus !== "off") return null;
  return h(
    "p",
    { class: "offer", key: "offer" },
    t("Get notified when it is your turn?"),
    " ",
    h("button", { type: "button", onclick: () => accept(view) }, t("Enable")),
    " ",
    h(
      "button",
      { type: "button", class: "plain", onclick: () => updateSetting("offer", false) },
      t("No, thanks"),
    ),
  );
}

/** Ask once whether the service offers push notifications. */
async function loadStatus(view) {
  view.state.pushStatus = null;
  try {
    const { pushStatus } = await import("../lib/push.js");
    view.update({ pushStatus: await pushStatus() });
  } catch {
    // Without a response, nothing is offered.
  }
}

async function accept(view) {
  view.update({ pushStatus: null });
  try {
    const { enablePush } = await import("../lib/push.js");
    view.update({ pushStatus: await enablePush(), accepted: true });
  } catch (problem) {
    view.update({ problem });
  }
}
