// The client: openapi-fetch over the types of the contract, with a token where there is one.
import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./contract.js";

export type { components, operations, paths } from "./contract.js";
export type Schemas = components["schemas"];
export type Haggis = Client<paths>;

export function haggis(site: string, token?: string): Haggis {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return createClient<paths>({ baseUrl: site, headers });
}
