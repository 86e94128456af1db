/* HTTP client for the public API. Error responses are thrown as `Problem` with the error code of the service. */

import { language, t } from "./i18n.js";
import { endSession, token } from "./session.js";

export const ROOT = "/api/v1";
const MAX_ATTEMPTS = 4;
const BASE_DELAY_MS = 400;
// Errors that end the session: the token is no longer valid. A suspended account keeps its token until it may be used.
const SESSION_END_CODES = new Set(["not_authenticated", "account_banned"]);

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? t("The service sent an unreadable response. Try again later."));
    this.status = status;
    this.code = body.code ?? "unreadable";
    this.body = body;
  }
}

/** Thrown if there is no usable response: the network or the service is down. */
export class NetworkError extends Error {}

/** Wait for some milliseconds. */
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function request(method, path, { body, headers = {}, signal, authToken = token() } = {}) {
  const init = {
    method,
    headers: { Accept: "application/json", "Accept-Language": language, ...headers },
    signal,
  };
  if (authToken) init.headers.Authorization = `Bearer ${authToken}`;
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers["Content-Type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(path.startsWith("/") ? ROOT + path : path, init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new NetworkError(t("The service cannot be reached right now."));
  }
  if (authToken && (response.status === 401 || response.status === 403))
    await checkSession(response, authToken);
  return response;
}

/** End the session if this response refuses its token, unless the browser has a new session by now. */
async function checkSession(response, authToken) {
  const body = await response
    .clone()
    .json()
    .catch(() => ({}));
  if (!SESSION_END_CODES.has(body.code)) return;
  if (authToken === token()) endSession(body);
  throw new Problem(response.status, {
    ...body,
    detail: body.code === "not_authenticated" ? t("You are logged out. Log in to continue.") : body.detail,
  });
}

async function parseResponse(response) {
  if (response.status === 204 || response.status === 304) return null;
  let body = {};
  try {
    const text = await response.text();
    if (response.ok && text === "") return null;
    body = JSON.parse(text);
  } catch (error) {
    if (response.ok) throw new NetworkError(String(error));
  }
  if (!response.ok) throw new Problem(response.status, body);
  return body;
}

/** Fetch a resource. */
export const get = async (path, options) => parseResponse(await request("GET", path, options));

/** Fetch a file as a blob. */
export async function getFile(path) {
  const response = await request("GET", path, { headers: { Accept: "application/octet-stream" } });
  return response.ok ? response.blob() : parseResponse(response);
}

/** Fetch a resource, or return null if it has not changed since the last call with the same token (ETag). */
const etagCache = new Map();
export async function getIfChanged(path, options = {}) {
  const cached = etagCache.get(path);
  const headers =
    cached && cached.token === token() && !options.force ? { "If-None-Match": cached.etag } : {};
  const response = await request("GET", path, { ...options, headers });
  const body = await parseResponse(response);
  const etag = response.headers.get("ETag");
  if (etag) etagCache.set(path, { etag, token: token() });
  return body;
}

/** POST with retries, `attempts` in total. Every attempt carries the same idempotency key, so the action is executed at
most once. */
export async function post(path, body = {}, options = {}) {
  const headers = { "Idempotency-Key": options.key ?? newIdempotencyKey(), ...options.headers };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await parseResponse(await request("POST", path, { ...options, body, headers }));
    } catch (error) {
      if (!isRetryable(error) || attempt >= (options.attempts ?? MAX_ATTEMPTS)) throw error;
    }
    await sleep(BASE_DELAY_MS * 2 ** attempt);
  }
}

/** Return whether an error is transient: the service is down or overloaded, and a later request may succeed. */
export const isTransient = (error) =>
  error instanceof NetworkError ||
  (error instanceof Problem && (error.status >= 502 || error.status === 429));

const isRetryable = (error) =>
  error instanceof NetworkError ||
  (error instanceof Problem && (error.status >= 502 || error.code === "request_in_flight"));

export const put = async (path, body = {}) => parseResponse(await request("PUT", path, { body }));
export const patch = async (path, body) => parseResponse(await request("PATCH", path, { body }));
export const remove = async (path) => parseResponse(await request("DELETE", path));

/** Yield every item of a paginated list. */
export async function* fetchAll(path, options) {
  for (let next = path; next; ) {
    const page = await get(next, options);
    yield* page.results;
    next = page.next && new URL(page.next).pathname.replace(ROOT, "") + new URL(page.next).search;
  }
}

/** Return all items of a paginated list. */
export async function getAll(path) {
  const items = [];
  for await (const item of fetchAll(`${path}?limit=100`)) items.push(item);
  return items;
}

/** Return the fields that have a value. */
export const withoutEmpty = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value));

const newIdempotencyKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
