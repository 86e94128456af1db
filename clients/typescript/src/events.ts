// Events of a match: its table and every entry of its log, as an asynchronous iterator that reconnects by itself.
import type { components } from "./contract.js";

type Table = components["schemas"]["Table"];
type LogEntry = components["schemas"]["LogEntry"];

// The whole table: at the start, and after more than 1,000 missed entries. Replace your state with it.
export interface TableEvent {
  readonly event: "table";
  readonly version: number;
  readonly table: Table;
}

// One entry of the log; its version is the next one.
export interface EntryEvent {
  readonly event: "entry";
  readonly version: number;
  readonly entry: LogEntry;
}

export type StreamEvent = TableEvent | EntryEvent;

export interface WatchOptions {
  readonly token?: string | undefined;
  // Start with the entry after this version, without a table.
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

// The service refuses to show the match, or no longer shows it.
export class StreamRefused extends Error {
  constructor(
    readonly status: number,
    body: string,
  ) {
    super(`${status}: ${body}`);
  }
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
// The service sends something every 15 seconds.
const LONGEST_SILENCE = 35_000;

// Yields the events of a match until it ends; reconnects after interruptions, without gaps or repetitions.
export async function* watch(
  site: string,
  match: string,
  options: WatchOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  let version = options.after;
  let pause = FIRST_PAUSE;
  for (;;) {
    try {
      for await (const line of lines(site, match, version, options)) {
        pause = FIRST_PAUSE;
        const event = parse(line);
        if (event === null || (event.event === "entry" && version !== undefined && event.version <= version)) continue;
        version = event.version;
        yield event;
        if (isLast(event)) return;
      }
    } catch (error) {
      if (error instanceof Over) return;
      if (error instanceof StreamRefused || options.signal?.aborted) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

class Over extends Error {}

async function* lines(
  site: string,
  match: string,
  version: number | undefined,
  { token, signal }: WatchOptions,
): AsyncGenerator<string, void, undefined> {
  const connection = new AbortController();
  const abort = () => connection.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  let silence = setTimeout(abort, LONGEST_SILENCE);
  try {
    const response = await fetch(address(site, match, version), {
      headers: { Accept: "application/x-ndjson", ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
      signal: connection.signal,
    });
    if (response.status === 204) throw new Over();
    if (response.status >= 500 || response.status === 429 || response.status === 409) throw new Error("try again");
    if (!response.ok || response.body === null) throw new StreamRefused(response.status, await response.text());
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(abort, LONGEST_SILENCE);
      const parts = (rest + value).split("\n");
      rest = parts.pop() ?? "";
      yield* parts.filter((part) => part !== "");
    }
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener("abort", abort);
    connection.abort();
  }
}

function address(site: string, match: string, version: number | undefined): string {
  const query = version === undefined ? "" : `?after=${version}`;
  return `${site}/api/v1/matches/${encodeURIComponent(match)}/events${query}`;
}

function parse(line: string): StreamEvent | null {
  const sent = JSON.parse(line) as { event: string; data: unknown };
  if (sent.event === "table") {
    const table = sent.data as Table;
    return { event: "table", version: table.version, table };
  }
  if (sent.event === "entry") {
    const entry = sent.data as LogEntry;
    return { event: "entry", version: entry.version, entry };
  }
  return null; // a ping, or a type that is newer than this client
}

function isLast(event: StreamEvent): boolean {
  if (event.event === "table") return event.table.status === "finished" || event.table.status === "cancelled";
  const { entry } = event;
  return entry.type === "cancelled" || entry.type === "annulled" || entry.then.some((each) => each.type === "match_end");
}
