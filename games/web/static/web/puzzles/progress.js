/* Which puzzles this browser has solved, and on how many days in a row the daily one was solved. */

import { readStored, writeStored } from "../lib/storage.js";

const STORAGE_KEY = "haggis.puzzles";
const DAY_MS = 86_400_000;

/** Return the days (UTC) on which the daily puzzle was solved, and the last puzzle that was shown. */
function load() {
  const stored = readStored(STORAGE_KEY);
  return {
    days: Array.isArray(stored?.days) ? stored.days.filter((day) => typeof day === "string") : [],
    last: typeof stored?.last === "string" ? stored.last : null,
  };
}

const dayOf = (time) => new Date(time).toISOString().slice(0, 10);

export const today = () => dayOf(Date.now());

/** Return the id of the last puzzle, after which the next one comes. */
export const lastPuzzle = () => load().last;

export const storeLast = (last) => writeStored(STORAGE_KEY, { ...load(), last });

export const isSolvedToday = () => load().days.includes(today());

export function storeSolvedDay(day) {
  const { days, last } = load();
  if (!days.includes(day)) writeStored(STORAGE_KEY, { days: [...days, day].slice(-400), last });
}

/** Return the number of days in a row, up to today or yesterday. */
export function streak() {
  const days = new Set(load().days);
  let time = Date.now();
  if (!days.has(dayOf(time))) time -= DAY_MS;
  let count = 0;
  for (; days.has(dayOf(time)); time -= DAY_MS) count += 1;
  return count;
}
