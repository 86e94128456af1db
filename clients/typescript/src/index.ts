// The client: openapi-fetch with the types of the contract, and optionally a token.
import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./contract.js";

export type { components, operations, paths } from "./contract.js";
export type Schemas = components["schemas"];
export type Haggis = Client<paths>;

export function haggis(site: string, token?: string): Haggis {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return createClient<paths>({ baseUrl: site, headers });
}

export { type EntryEvent, StreamRefused, type StreamEvent, type TableEvent, watch, type WatchOptions } from "./events.js";
