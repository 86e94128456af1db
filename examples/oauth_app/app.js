/* An app of a third party that signs in with OAuth 2.1 (authorization code, PKCE) and plays a match against an AI.

The tokens stay in this tab (`sessionStorage`). What belongs to one sign-in, the verifier and the state, is deleted as
soon as the browser is back. */

import { signIn, finishSignIn, signOut, request, isSignedIn } from "./oauth.js";

const find = (id) => document.getElementById(id);
const log = (line) => find("log").append(`${line}\n`);

function show() {
  find("sign-in").hidden = isSignedIn();
  find("play").hidden = find("sign-out").hidden = !isSignedIn();
}

/** Create a match of one round against an AI and make a legal move whenever it is the player's turn. */
async function play() {
  find("play").disabled = true;
  let table = await request("POST", "/matches", {
    ruleset: "classic",
    rounds: 1,
    visibility: "unlisted",
    seats: [{ kind: "me" }, { kind: "ai", level: "random" }],
  });
  log(`Match ${table.id}`);
  while (table.status === "active") {
    if (table.you?.to_act) {
      const action = await chooseAction(table.id);
      await request("POST", `/matches/${table.id}/moves`, action);
      log(action.type === "play" ? `Played ${action.cards.join(" ")}` : action.type);
      table = await request("GET", `/matches/${table.id}`);
    } else {
      table = await request("GET", `/matches/${table.id}?wait=10&after=${table.version}`);
    }
  }
  log(`Finished: ${table.seats.map(({ score }) => score).join(" to ")}`);
  find("play").disabled = false;
}

/** Choose the first legal play, or else pass; award a bombed trick to the first opponent. */
async function chooseAction(id) {
  const legal = await request("GET", `/matches/${id}/legal-moves`);
  const { version } = legal;
  if (legal.must_award) return { version, type: "award", to: legal.awards[0] };
  const [group] = legal.combinations;
  if (!group) return { version, type: "pass" };
  const { kind, top, width, length } = group.combination;
  return { version, type: "play", cards: group.cheapest, as: { kind, top, width, length } };
}

async function run(action) {
  try {
    await action();
  } catch (error) {
    find("status").textContent = error.message;
  }
  show();
}

find("sign-in").onclick = () => run(signIn);
find("sign-out").onclick = () =>
  run(async () => {
    await signOut();
    find("status").textContent = "Signed out";
  });
find("play").onclick = () => run(play);

await run(async () => {
  await finishSignIn();
  if (isSignedIn()) find("status").textContent = `Signed in as ${(await request("GET", "/me")).username}`;
});
