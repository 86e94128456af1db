// A whole match against an AI with the installed client: events say when it is our turn.
import { haggis, watch } from "@haggis/client";

const site = process.argv[2];
const expect = ({ data, error }) => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const { token } = expect(await haggis(site).POST("/api/v1/auth/guest", { body: { display_name: "Heather" } }));
const client = haggis(site, token);
const seats = [{ kind: "me" }, { kind: "ai", level: "easy" }];
const table = expect(await client.POST("/api/v1/matches", { body: { ruleset: "classic", rounds: 1, seats } }));
const params = { path: { match_id: table.id } };
const events = [];
for await (const event of watch(site, table.id, { token })) {
  events.push(event.event);
  const { data: legal } = await client.GET("/api/v1/matches/{match_id}/legal-moves", { params });
  if (legal === undefined || legal.version !== event.version) continue;
  const { version } = legal;
  const [play] = legal.combinations;
  let body = { type: "pass", version };
  if (legal.must_award) body = { type: "award", to: legal.awards[0], version };
  else if (play) {
    const { kind, top, width, length } = play.combination;
    body = { type: "play", cards: play.cheapest, as: { kind, top, width, length }, version };
  }
  expect(await client.POST("/api/v1/matches/{match_id}/moves", { params, body }));
}
const { status } = expect(await client.GET("/api/v1/matches/{match_id}", { params }));
console.log(`${status}: ${events[0]}, then ${new Set(events.slice(1)).size === 1 ? events[1] : "others"}`);
