/* The public API, and nothing else. Every answer that is no is a `Problem` with the code that the service gave. */

import { token } from "./session.js";

export const ROOT = "/api/v1";
const TRIES = 4;
const FIRST_WAIT = 400;

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? "The service gave no answer that can be read.");
    this.status = status;
    this.code = body.code ?? "unreadable";
    this.body = body;
  }
}

/** No answer at all: the network is away, or the service. */
export class Unreachable extends Error {}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function ask(method, path, { body, headers = {}, signal, as = token() } = {}) {
  const send = { method, headers: { Accept: "application/json", ...headers }, signal };
  if (as) send.headers.Authorization = `Bearer ${as}`;
  if (body !== undefined) {
    send.body = JSON.stringify(body);
    send.headers["Content-Type"] = "application/json";
  }
  try {
    return await fetch(path.startsWith("/") ? ROOT + path : path, send);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable("The service cannot be reached just now.");
  }
}

async function read(response) {
  if (response.status === 204 || response.status === 304) return null;
  let body = {};
  try {
    body = await response.json();
  } catch (error) {
    if (response.ok) throw new Unreachable(String(error));
  }
  if (!response.ok) throw new Problem(response.status, body);
  return body;
}

/** What an address holds. */
export const get = async (path, options) => read(await ask("GET", path, options));

/** What an address holds, unless it is as it was: then null. Remembers by the address, for one token. */
const seen = new Map();
export async function getIfNew(path, options = {}) {
  const known = seen.get(path);
  const headers = known && known.token === token() && !options.anyway ? { "If-None-Match": known.etag } : {};
  const response = await ask("GET", path, { ...options, headers });
  const body = await read(response);
  const etag = response.headers.get("ETag");
  if (etag) seen.set(path, { etag, token: token() });
  return body;
}

/** Do something once, however often it has to be sent: every try carries the same key. */
export async function post(path, body = {}, options = {}) {
  const headers = { "Idempotency-Key": options.key ?? newKey(), ...options.headers };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read(await ask("POST", path, { ...options, body, headers }));
    } catch (error) {
      if (!mayBeSentAgain(error) || attempt === TRIES) throw error;
    }
    await pause(FIRST_WAIT * 2 ** attempt);
  }
}

/** Whether an error says that the service is away or overworked: the same question may be answered later. */
export const isPassing = (error) =>
  error instanceof Unreachable || (error instanceof Problem && (error.status >= 502 || error.status === 429));

const mayBeSentAgain = (error) =>
  error instanceof Unreachable ||
  (error instanceof Problem && (error.status >= 502 || error.code === "request_in_flight"));

export const put = async (path, body = {}) => read(await ask("PUT", path, { body }));
export const patch = async (path, body) => read(await ask("PATCH", path, { body }));
export const remove = async (path) => read(await ask("DELETE", path));

/** Every entry of a list, page after page. */
export async function* all(path, options) {
  for (let next = path; next; ) {
    const page = await get(next, options);
    yield* page.results;
    next = page.next && new URL(page.next).pathname.replace(ROOT, "") + new URL(page.next).search;
  }
}

const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
