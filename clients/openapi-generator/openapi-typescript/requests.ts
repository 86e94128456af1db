// Ordinary requests with the types that openapi-typescript generates by default: optional members may be left out.
import type { components, operations } from "./contract";

type Schemas = components["schemas"];

const match: Schemas["MatchRequest"] = { ruleset: "classic", seats: [{ kind: "me" }, { kind: "ai", level: "easy" }] };
const guest: Schemas["GuestRequest"] = {};
const webhook: Schemas["WebhookRequest"] = { url: "https://example.org/haggis" };
const play: Schemas["ActionRequest"] = { type: "play", cards: ["8y", "J"], version: 42 };
const pass: operations["act"]["requestBody"]["content"]["application/json"] = { type: "pass", version: 42 };

function codes(hand: Schemas["Hand"]): string[] {
  return hand.cards ?? hand.faces;
}

function outcome(verdict: Schemas["Verdict"]): string {
  return "deals" in verdict ? verdict.deals : verdict.code;
}

export { codes, guest, match, outcome, pass, play, webhook };
