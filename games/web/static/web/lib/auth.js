/* Guest sessions, login, registration and logout. */

import { get, Problem, patch, post, remove, sleep, withoutEmpty } from "./api.js";
import { language, t } from "./i18n.js";
import { askToLogIn, clearSession, endedSession, me, setSession, token } from "./session.js";
import { isPushEnabled } from "./worker.js";

/** Create a guest account and use it in this browser. */
export async function startAsGuest() {
  setSession(await post("/auth/guest", {}, { authToken: null }));
}

/** Return the current player. Visitors become guests; players whose session has ended are asked to log in again. */
export async function ensurePlayer() {
  if (token()) return me();
  if (!endedSession()) await startAsGuest();
  else if (!(await askToLogIn())) throw new Error(t("You are logged out. Log in to continue."));
  return me();
}

// The actions that run at the moment.
const actions = new Set();
// How long an action that is finished has to open another page.
const LEAVE_MS = 300;

/** Run an action as the current player. If the session has ended, repeat it once the player has logged in again. */
export function asPlayer(act) {
  const action = runAsPlayer(act);
  const finished = action.catch(() => {}).finally(() => actions.delete(finished));
  actions.add(finished);
  return action;
}

async function runAsPlayer(act) {
  await ensurePlayer();
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Problem) || !endedSession() || !(await askToLogIn())) throw error;
    return act();
  }
}

export async function logIn(username, password, code) {
  const credentials = { username, password, ...withoutEmpty({ code }) };
  const session = await post("/auth/token", credentials, { authToken: null });
  // The language is set first: an action that waits for the session may open another page at once.
  const isOtherLanguage = await chooseLanguageOfAccount(session.token);
  setSession(session);
  if (isOtherLanguage) await reloadAfterActions();
}

/** Set the cookie of the language that the account has chosen. Resolves to whether it is another one than the page's. */
async function chooseLanguageOfAccount(authToken) {
  const account = await get("/me", { authToken }).catch(() => null);
  if (!account?.language || account.language === language) return false;
  await fetch(`?language=${account.language}`, { redirect: "manual" }).catch(() => {});
  return true;
}

/** Reload the page once the running actions are finished, unless one of them opens another page. */
async function reloadAfterActions() {
  let isLeaving = false;
  addEventListener("beforeunload", () => (isLeaving = true), { once: true });
  await Promise.all(actions);
  await sleep(LEAVE_MS);
  if (!isLeaving) location.reload();
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
