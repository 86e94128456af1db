/* Display names of the seats. */

import { get } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { me } from "../lib/session.js";
import { levelName } from "../lib/text.js";

const displayNames = new Map();

/** Load the display names of all players at a table, each once. Return whether there were new ones. */
export async function loadDisplayNames(seats) {
  const missing = seats
    .map((seat) => seat.player?.username)
    .filter((name) => name && !displayNames.has(name));
  await Promise.all(
    missing.map(async (username) => {
      try {
        displayNames.set(
          username,
          (await get(`/players/${encodeURIComponent(username)}`)).display_name || username,
        );
      } catch {
        displayNames.set(username, username);
      }
    }),
  );
  return missing.length > 0;
}

const STATE_NAMES = { open: t("Open seat"), invited: t("Invited"), declined: t("Declined") };

export function seatName(seats, number) {
  const seat = seats[number];
  if (seat.player) return displayNames.get(seat.player.username) ?? seat.player.username;
  if (seat.imported_name) return seat.imported_name;
  if (seat.level) {
    const sameLevel = seats.filter((other) => other.level === seat.level && !other.player);
    const level = levelName(seat.level);
    return sameLevel.length > 1
      ? t("{level} AI {number}", { level, number: sameLevel.indexOf(seat) + 1 })
      : t("{level} AI", { level });
  }
  return STATE_NAMES[seat.state] ?? t("Seat {number}", { number: number + 1 });
}

/** Return whether every seat of an open match is taken, so that it only waits for its maker to start it. */
export const isFilled = (match) => match.seats.every((seat) => seat.state === "playing");

/** Return the player's own seat, also after resigning, when the table no longer contains it. */
export function ownSeat(table) {
  const ownNumber =
    table.you?.seat ??
    table.seats.findIndex(
      (seat) => seat.player && seat.state !== "invited" && seat.player.username === me()?.username,
    );
  return ownNumber < 0 ? null : ownNumber;
}

/** Return a function that returns the name of a seat as subject and object, and whether it is the player's own. */
export function seatLabels(table) {
  const ownNumber = ownSeat(table);
  return (number) => {
    const isOwn = number === ownNumber;
    const name = seatName(table.seats, number);
    const username = table.seats[number].player?.username;
    return { name: isOwn ? t("You") : name, object: isOwn ? t("you") : name, me: isOwn, username };
  };
}
