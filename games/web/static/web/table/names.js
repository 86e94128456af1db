/* Who sits where, as the others call them. */

import { get } from "../lib/api.js";
import { me } from "../lib/session.js";
import { levelName } from "../lib/words.js";

const shown = new Map();

/** The names that players have given themselves, for those at a table; asked for once each. */
export async function learnNames(seats) {
  const unknown = seats.map((seat) => seat.player?.username).filter((name) => name && !shown.has(name));
  await Promise.all(
    unknown.map(async (username) => {
      try {
        shown.set(username, (await get(`/players/${encodeURIComponent(username)}`)).display_name || username);
      } catch {
        shown.set(username, username);
      }
    }),
  );
  return unknown.length > 0;
}

const OPEN = { open: "Open seat", invited: "Invited", declined: "Declined" };

export function seatName(seats, number) {
  const seat = seats[number];
  if (seat.player) return shown.get(seat.player.username) ?? seat.player.username;
  if (seat.imported_name) return seat.imported_name;
  if (seat.level) {
    const alike = seats.filter((other) => other.level === seat.level && !other.player);
    return `${levelName(seat.level)} AI${alike.length > 1 ? ` ${alike.indexOf(seat) + 1}` : ""}`;
  }
  return OPEN[seat.state] ?? `Seat ${number + 1}`;
}

/** One's own seat: also after resigning, when the table no longer says so. */
export function ownSeat(table) {
  const own =
    table.you?.seat ??
    table.seats.findIndex(
      (seat) => seat.player && seat.state !== "invited" && seat.player.username === me()?.username,
    );
  return own < 0 ? null : own;
}

/** A way to speak of a seat: its name, as an object too, and whether it is one's own. */
export function speaker(table) {
  const own = ownSeat(table);
  return (number) => {
    const mine = number === own;
    const name = seatName(table.seats, number);
    return { name: mine ? "You" : name, object: mine ? "you" : name, me: mine };
  };
}
