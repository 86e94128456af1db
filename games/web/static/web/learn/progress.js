/* Which lessons this browser has completed, and where an unfinished one stands. */

import { readStored, writeStored } from "../lib/storage.js";

const STORAGE_KEY = "haggis.lessons";

/** Return what is stored: the keys of completed lessons, and the accepted actions of the others. */
function load() {
  const stored = readStored(STORAGE_KEY);
  return {
    done: Array.isArray(stored?.done) ? stored.done : [],
    actions: stored?.actions && typeof stored.actions === "object" ? stored.actions : {},
  };
}

export const completedLessons = () => new Set(load().done);

/** Return the accepted actions of an unfinished lesson. */
export const acceptedActions = (key) => {
  const actions = load().actions[key];
  return Array.isArray(actions) ? actions : [];
};

export const hasStarted = () => {
  const { done, actions } = load();
  return done.length > 0 || Object.keys(actions).length > 0;
};

/** Store how far a lesson is; a completed one starts from its beginning again. */
export function storeProgress(key, actions, isDone) {
  const { done, actions: others } = load();
  const { [key]: _, ...rest } = others;
  writeStored(STORAGE_KEY, {
    done: isDone && !done.includes(key) ? [...done, key] : done,
    actions: isDone || !actions.length ? rest : { ...rest, [key]: actions },
  });
}
