/* Coming in: as a guest without a word, by name and password, and keeping a guest's account. */

import { Problem, patch, post, remove } from "./api.js";
import { forget, me, remember, token } from "./session.js";
import { isTold } from "./worker.js";

/** Whoever plays here; a new guest where nobody does. A token that is no more is forgotten. */
export async function ensurePlayer() {
  if (token()) return me();
  remember(await post("/auth/guest"));
  return me();
}

/** Do it as somebody; once more as a new guest where the token had run out. */
export async function asPlayer(act) {
  await ensurePlayer();
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "not_authenticated") throw error;
    forget();
    await ensurePlayer();
    return act();
  }
}

export async function logIn(username, password) {
  remember(await post("/auth/token", { username, password }, { as: null }));
}

export async function register(username, password, email) {
  remember(await post("/auth/register", { username, password, ...given({ email }) }, { as: null }));
}

/** A guest becomes a registered player and keeps every match. */
export async function claim(username, password, email) {
  const answer = await post("/auth/claim", { username, password, ...given({ email }) });
  remember({ token: answer.token, player: answer.player ?? answer });
}

export async function logOut() {
  try {
    if (isTold()) await (await import("./push.js")).turnOff();
    await remove("/auth/token");
  } finally {
    forget();
  }
}

export async function rename(displayName) {
  remember({ player: await patch("/me", { display_name: displayName }) });
}

const given = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
