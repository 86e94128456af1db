/* The sign-in: OAuth 2.1 with PKCE for a public client, without any library. */

const { service, clientId } = await (await fetch("config.json")).json();
const redirectUri = `${location.origin}${location.pathname}`;
const SCOPES = "matches:read matches:play";
const TOKENS = "tokens";
const PENDING = "pending";

const read = (name) => JSON.parse(sessionStorage.getItem(name) ?? "null");
const write = (name, value) => sessionStorage.setItem(name, JSON.stringify(value));

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

export const isSignedIn = () => read(TOKENS) !== null;

/** Send the player to the page of the service. */
export async function signIn() {
  const verifier = random();
  const state = random();
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  write(PENDING, { verifier, state });
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: SCOPES,
    state,
    code_challenge: base64url(new Uint8Array(hash)),
    code_challenge_method: "S256",
  });
  location.assign(`${service}/oauth/authorize?${parameters}`);
}

/** Exchange the code if the player has just returned, and remove it from the address. */
export async function finishSignIn() {
  const returned = new URLSearchParams(location.search);
  if (!returned.has("state")) return;
  const pending = read(PENDING);
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, "", redirectUri);
  if (returned.get("state") !== pending?.state) throw new Error("This sign-in was not started here.");
  if (returned.get("iss") !== service) throw new Error("Another service has answered.");
  if (returned.has("error")) throw new Error(`Not signed in: ${returned.get("error")}`);
  await fetchTokens({
    grant_type: "authorization_code",
    code: returned.get("code"),
    redirect_uri: redirectUri,
    code_verifier: pending.verifier,
  });
}

/** End the sign-in here and on the service. */
export async function signOut() {
  const tokens = read(TOKENS);
  sessionStorage.removeItem(TOKENS);
  if (tokens) await post("revoke", { token: tokens.refresh_token });
}

/** Send a request to the API; refresh the token once if it has expired. */
export async function request(method, path, body) {
  const used = read(TOKENS)?.access_token;
  let response = await send(method, path, body);
  if (response.status === 401) {
    await refresh(used);
    response = await send(method, path, body);
  }
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(answer.detail || answer.title);
  return answer;
}

const send = (method, path, body) =>
  fetch(`${service}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${read(TOKENS)?.access_token}`,
      ...(body ? { "Content-Type": "application/json" } : {}),
    },
    body: body && JSON.stringify(body),
  });

/** Replace the tokens unless another request has. A refresh token that is used twice ends the sign-in. */
const refresh = (refused) =>
  navigator.locks.request("refresh", async () => {
    if (read(TOKENS)?.access_token !== refused) return;
    await fetchTokens({ grant_type: "refresh_token", refresh_token: read(TOKENS)?.refresh_token ?? "" });
  });

async function fetchTokens(parameters) {
  const response = await post("token", parameters);
  const answer = await response.json();
  if (!response.ok) {
    sessionStorage.removeItem(TOKENS);
    throw new Error(`Please sign in again (${answer.error}).`);
  }
  write(TOKENS, answer);
}

const post = (endpoint, parameters) =>
  fetch(`${service}/oauth/${endpoint}`, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, ...parameters }),
  });
