/* Guest sessions, login, registration and logout. */

import { Problem, patch, post, remove, withoutEmpty } from "./api.js";
import { clearSession, me, setSession, token } from "./session.js";
import { isPushEnabled } from "./worker.js";

/** Return the current player, creating a guest account if nobody is logged in. */
export async function ensurePlayer() {
  if (token()) return me();
  setSession(await post("/auth/guest"));
  return me();
}

/** Run an action as the current player. If the token has expired, retry once as a new guest. */
export async function asPlayer(act) {
  await ensurePlayer();
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "not_authenticated") throw error;
    clearSession();
    await ensurePlayer();
    return act();
  }
}

export async function logIn(username, password, code) {
  const credentials = { username, password, ...withoutEmpty({ code }) };
  setSession(await post("/auth/token", credentials, { authToken: null }));
}

export async function register(username, password, email) {
  setSession(
    await post("/auth/register", { username, password, ...withoutEmpty({ email }) }, { authToken: null }),
  );
}

/** Turn a guest into a registered player who keeps all matches. */
export async function claim(username, password, email) {
  const response = await post("/auth/claim", { username, password, ...withoutEmpty({ email }) });
  setSession({ token: response.token, player: response.player ?? response });
}

export async function logOut() {
  try {
    if (isPushEnabled()) await (await import("./push.js")).disablePush();
    await remove("/auth/token");
  } finally {
    clearSession();
  }
}

export async function rename(displayName) {
  setSession({ player: await patch("/me", { display_name: displayName }) });
}
