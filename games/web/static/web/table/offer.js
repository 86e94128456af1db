/* An offer, made once and quietly: to be told on this device when it is one's turn again. */

import { set, setting } from "../lib/settings.js";
import { h } from "../lib/vdom.js";

// Who has so little time for a turn stays at the table.
const SHORTEST_TURN = 120;

/** Whether somebody who waits here for other people might want it, as far as the page knows by itself. */
function mayWant({ table }) {
  const { turn_seconds: seconds } = table.clock;
  const { seat, to_act: turn } = table.you ?? {};
  return (
    table.you &&
    !turn &&
    table.status === "active" &&
    (!seconds || seconds >= SHORTEST_TURN) &&
    table.seats.some((other, number) => number !== seat && other.player) &&
    setting("offer") &&
    "PushManager" in globalThis &&
    globalThis.Notification?.permission === "default"
  );
}

export function offer(view) {
  const { told, accepted } = view.state;
  if (accepted && told === "on")
    return h("p", { class: "offer", role: "status", key: "offer" }, "You are told here from now on.");
  if (!mayWant(view.state)) return null;
  if (told === undefined) look(view);
  if (told !== "off") return null;
  return h(
    "p",
    { class: "offer", key: "offer" },
    "Be told on this device when it is your turn? ",
    h("button", { type: "button", onclick: () => accept(view) }, "Yes, tell me"),
    " ",
    h("button", { type: "button", class: "plain", onclick: () => set("offer", false) }, "No, thanks"),
  );
}

/** Ask the service once whether it offers it. */
async function look(view) {
  view.state.told = null;
  try {
    const { standing } = await import("../lib/push.js");
    view.update({ told: await standing() });
  } catch {
    // An offer that cannot be made just now is not made.
  }
}

async function accept(view) {
  view.update({ told: null });
  try {
    const { turnOn } = await import("../lib/push.js");
    view.update({ told: await turnOn(), accepted: true });
  } catch (problem) {
    view.update({ problem });
  }
}
