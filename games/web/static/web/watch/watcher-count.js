/* The number of those who watch a match. */

import { get } from "../lib/api.js";
import { tn } from "../lib/i18n.js";

const REFRESH_MS = 30_000;
const FIRST_MS = 3_000;

/** How many watch a match, in words. */
export const watchersText = (count) => tn("{count} person watching", "{count} people watching", count);

/** Read how many watch a match now and every half minute while the page is visible. Returns a function that stops. */
export function countWatchers(matchId, onCount) {
  const read = async () => {
    if (document.hidden) return;
    try {
      onCount((await get(`/matches/${matchId}/watchers`)).watchers);
    } catch {
      // The number is not worth an error message.
    }
  };
  const first = setTimeout(read, FIRST_MS);
  const timer = setInterval(read, REFRESH_MS);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
