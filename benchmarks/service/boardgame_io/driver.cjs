/* Plays concurrent matches on a boardgame.io server, with a connection per seat.
 *
 *   node driver.cjs PORT MATCHES
 *
 * Reads commands from standard input and replies to each with a line: "begin" starts new matches, a number is how
 * many moves to make in each of them.
 */

const readline = require("node:readline");
const { io } = require("socket.io-client");

const [port, count] = process.argv.slice(2).map(Number);
const site = `http://127.0.0.1:${port}`;

const post = async (path, body) => {
  const answer = await fetch(`${site}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
};

class Match {
  async begin() {
    const { matchID } = await post("/games/singles/create", { numPlayers: 2 });
    this.id = matchID;
    this.credentials = [];
    for (const seat of ["0", "1"]) {
      const { playerCredentials } = await post(`/games/singles/${matchID}/join`, { playerID: seat, playerName: `p${seat}` });
      this.credentials.push(playerCredentials);
    }
    this.sockets = await Promise.all(["0", "1"].map((seat) => this.connect(seat)));
  }

  /* Each seat sees only its own hand, so both connect. */
  connect(seat) {
    const socket = io(`${site}/singles`, { transports: ["websocket"] });
    this.states ??= [];
    return new Promise((ready) => {
      socket.on("connect", () => socket.emit("sync", this.id, seat, this.credentials[seat], 2));
      socket.on("sync", (_, told) => { this.states[seat] = told.state; ready(socket); });
      socket.on("update", (_, state) => { this.states[seat] = state; this.woken?.(); });
    });
  }

  leave() {
    this.sockets.forEach((socket) => socket.disconnect());
  }

  async play(moves) {
    for (let made = 0; made < moves; made++) await this.move();
  }

  async move() {
    const before = this.states[0]._stateID;
    const seat = this.states[0].ctx.currentPlayer;
    const state = this.states[seat];
    const [type, args] = choose(state.G, seat);
    const action = { type: "MAKE_MOVE", payload: { type, args, playerID: seat, credentials: this.credentials[seat] } };
    this.sockets[seat].emit("update", action, before, this.id, seat);
    while (this.states.some((each) => each._stateID === before)) await new Promise((woken) => { this.woken = woken; });
  }
}

const choose = (G, seat) => {
  const top = G.trick.at(-1)?.rank ?? 0;
  const higher = G.players[seat].hand.filter((card) => card.rank > top).sort((a, b) => a.rank - b.rank);
  return higher.length ? ["play", [higher[0]]] : ["pass", []];
};

(async () => {
  let matches = [];
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (line === "begin") {
      matches.forEach((match) => match.leave());
      matches = Array.from({ length: count }, () => new Match());
      await Promise.all(matches.map((match) => match.begin()));
    } else {
      await Promise.all(matches.map((match) => match.play(Number(line))));
    }
    console.log("done");
  }
  process.exit(0);
})();
