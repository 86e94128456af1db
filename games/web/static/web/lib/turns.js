/* The title of a page shows at how many tables it is the player's turn, and follows the events of those tables. */

import { get } from "./api.js";
import { showTurn } from "./attention.js";
import { PlayerEvents } from "./player-events.js";
import { token } from "./session.js";

const MAX_MATCHES = 50;

async function showTurns() {
  try {
    const matches = token() ? (await get(`/me/matches?limit=${MAX_MATCHES}`)).results : [];
    const turns = matches.filter((match) => match.my_turn).length;
    showTurn(turns > 0, turns);
  } catch {
    // The title stays as it is.
  }
}

/** Show turns in the title and the icon from now on. Returns an object with `stop`. */
export function followTurns() {
  showTurns();
  return new PlayerEvents(showTurns);
}
