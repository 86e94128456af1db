/* The first real match: against the easiest AI that plans, without a clock and with hints. */

import { post } from "../lib/api.js";
import { asPlayer } from "../lib/auth.js";

export async function startFirstMatch() {
  const table = await asPlayer(() =>
    post("/matches", {
      ruleset: "classic",
      players: 2,
      seats: [{ kind: "me" }, { kind: "ai", level: "easy" }],
      turn_seconds: null,
      hints: true,
    }),
  );
  location.assign(`/matches/${table.id}`);
}
