// A whole match with the generated client: bets, an ambiguous play, a bomb, and the record verified.
import { setTimeout as sleep } from "node:timers/promises";

import { haggis, type Haggis, type Schemas } from "./index.js";

type Table = Schemas["Table"];
type Action = Schemas["ActionRequest"];
type Named = Schemas["NamedRequest"];

const ROUNDS = 10;
const POLL_MILLISECONDS = 100;

// Returns the response; throws if the request was rejected.
function expect<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

// Describes an event; the compiler checks that every type is handled.
function describe(happening: Schemas["Happening"]): string {
  switch (happening.type) {
    case "trick_end":
      return `trick to ${happening.captured_by ?? "nobody yet"}`;
    case "out":
      return `seat ${happening.seat} is out`;
    case "round_end":
      return `round ${happening.number}: ${happening.totals.join(" to ")}`;
    case "deal":
      return `round ${happening.number} is dealt`;
    case "match_end":
      return `won by ${happening.result.winners.join(", ")}`;
    default:
      return happening satisfies never;
  }
}

class Game {
  readonly seen = new Set<string>();

  private constructor(
    private readonly client: Haggis,
    public table: Table,
  ) {}

  static async begin(site: string): Promise<Game> {
    const entered = expect(await haggis(site).POST("/api/v1/auth/guest", { body: { display_name: "Heather" } }));
    const client = haggis(site, entered.token);
    const body: Schemas["MatchRequest"] = {
      ruleset: "classic",
      rounds: ROUNDS,
      seats: [{ kind: "me" }, { kind: "ai", level: "easy" }],
    };
    return new Game(client, expect(await client.POST("/api/v1/matches", { body })));
  }

  private get match() {
    return { path: { match_id: this.table.id } };
  }

  private async act(body: Action): Promise<void> {
    const moved = expect(await this.client.POST("/api/v1/matches/{match_id}/moves", { params: this.match, body }));
    this.table = moved.match;
    this.seen.add(body.type);
    for (const happening of moved.move.then) describe(happening);
  }

  async play(): Promise<void> {
    for (;;) {
      this.table = expect(await this.client.GET("/api/v1/matches/{match_id}", { params: this.match }));
      if (this.table.status !== "active") return;
      if (!this.table.you?.to_act) {
        await sleep(POLL_MILLISECONDS);
        continue;
      }
      if (this.table.you.may_bet) await this.act({ type: "bet", amount: 15, version: this.table.version });
      await this.turn();
    }
  }

  // Takes one turn: an ambiguous lead once, then a bomb once, else the first legal play.
  private async turn(): Promise<void> {
    const legal = expect(await this.client.GET("/api/v1/matches/{match_id}/legal-moves", { params: this.match }));
    const { version } = legal;
    const bomb = legal.combinations.find((each) => each.combination.kind === "bomb");
    const [first] = legal.combinations;
    const [award] = legal.awards;
    if (legal.must_award && award !== undefined) {
      await this.act({ type: "award", to: award, version });
    } else if (this.seen.has("ambiguous") && !this.seen.has("bomb") && bomb) {
      await this.act({ type: "play", cards: bomb.cheapest, version });
      this.seen.add("bomb");
    } else if (!legal.can_pass && !this.seen.has("ambiguous") && (await this.leadAmbiguously(version))) {
      this.seen.add("ambiguous");
    } else if (first) {
      await this.act({ type: "play", cards: first.cheapest, as: this.named(first.combination), version });
    } else {
      await this.act({ type: "pass", version });
    }
  }

  private named({ kind, top, width, length }: Schemas["Combination"]): Named {
    return { kind, top, width, length };
  }

  // Leads a card with J and Q without a combination, and names one of the readings of the rejection.
  private async leadAmbiguously(version: number): Promise<boolean> {
    const hand = this.table.round?.hands[this.table.you?.seat ?? 0]?.cards ?? [];
    const suited = hand.find((card) => card.length === 2);
    if (!suited || !hand.includes("J") || !hand.includes("Q")) return false;
    const cards = [suited, "J", "Q"];
    const { error } = await this.client.POST("/api/v1/matches/{match_id}/moves", {
      params: this.match,
      body: { type: "play", cards, version },
    });
    const reading = error?.readings?.[0];
    if (error?.code !== "ambiguous_combination" || !reading) throw new Error(`not ambiguous: ${JSON.stringify(error)}`);
    await this.act({ type: "play", cards, as: this.named(reading.combination), version });
    return true;
  }

  async verify(): Promise<string> {
    const record = expect(await this.client.GET("/api/v1/matches/{match_id}/record", { params: this.match }));
    if (typeof record === "string") throw new Error("expected JSON");
    const verdict = expect(await this.client.POST("/api/v1/records/verify", { body: { record } }));
    if (!("deals" in verdict)) throw new Error(JSON.stringify(verdict));
    return verdict.deals;
  }
}

const game = await Game.begin(process.argv[2] ?? "http://127.0.0.1:8000");
await game.play();
console.log(`${game.table.status}: ${[...game.seen].sort().join(" ")}; deals ${await game.verify()}`);
