// A whole match against an AI with the client that openapi-generator makes for fetch; the record is verified.
import {
  AccountsApi,
  type ActionRequest,
  Configuration,
  HistoryApi,
  instanceOfRight,
  type LegalMoves,
  LobbyApi,
  ModelRecordToJSON,
  TableApi,
} from "./src";

declare const process: { argv: string[] };

// Returns the first legal action.
function choose(legal: LegalMoves): ActionRequest {
  const { version } = legal;
  if (legal.mustAward) return { type: "award", to: legal.awards[0]!, version };
  const group = legal.combinations[0];
  if (!group) return { type: "pass", version };
  const { kind, top, width, length } = group.combination;
  return { type: "play", cards: group.cheapest, as: { kind, top, width, length }, version };
}

async function main(): Promise<void> {
  const basePath = process.argv[2]!;
  const entered = await new AccountsApi(new Configuration({ basePath })).enterAsGuest();
  const configuration = new Configuration({ basePath, accessToken: entered.token });
  const [tables, history] = [new TableApi(configuration), new HistoryApi(configuration)];
  let table = await new LobbyApi(configuration).createMatch({
    matchRequest: { ruleset: "classic", rounds: 2, seats: [{ kind: "me" }, { kind: "ai", level: "easy" }] },
  });
  const matchId = table.id;
  let tricks = 0;
  while (table.status === "active") {
    if (!table.you?.toAct) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      table = await tables.readMatch({ matchId });
      continue;
    }
    const moved = await tables.act({ matchId, actionRequest: choose(await tables.listLegalMoves({ matchId })) });
    for (const happening of moved.move.then) if (happening.type === "trick_end") tricks += 1;
    table = moved.match;
  }
  const record = ModelRecordToJSON(await history.readRecord({ matchId }));
  const verdict = await history.verifyRecord({ verifyRequest: { record } });
  if (!instanceOfRight(verdict) || tricks === 0) throw new Error(`not valid, or no trick: ${JSON.stringify(verdict)}`);
  console.log(`${table.status}; deals ${verdict.deals}`);
}

void main();
