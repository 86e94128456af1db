/* A climbing game of singles for two with hidden hands, as the benchmark plays on Haggis. */

const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const deck = () => {
  const cards = [];
  for (const suit of "royg") for (let rank = 2; rank <= 10; rank++) cards.push({ rank, suit });
  return cards;
};

const deal = (G, random) => {
  const cards = random.Shuffle(deck());
  for (const seat of ["0", "1"]) {
    const faces = [11, 12, 13].map((rank) => ({ rank, suit: "" }));
    G.players[seat] = { hand: [...cards.splice(0, 14), ...faces] };
  }
  G.haggis = cards;
  G.trick = [];
};

const isCard = (a) => (b) => a.rank === b.rank && a.suit === b.suit;

module.exports = {
  name: "singles",
  setup: ({ random }) => {
    const G = { players: {}, trick: [], captured: [[], []], scores: [0, 0], rounds: 0 };
    deal(G, random);
    return G;
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false,
      move: ({ G, random, playerID }, card) => {
        const { hand } = G.players[playerID];
        const place = hand.findIndex(isCard(card));
        const top = G.trick.at(-1);
        if (place < 0 || (top && card.rank <= top.rank)) return INVALID_MOVE;
        hand.splice(place, 1);
        G.trick.push({ ...card, seat: playerID });
        if (hand.length === 0) {
          G.scores[Number(playerID)] += 5 * G.players[playerID === "0" ? "1" : "0"].hand.length;
          G.rounds += 1;
          deal(G, random);
        }
      },
    },
    pass: {
      client: false,
      move: ({ G, playerID }) => {
        if (G.trick.length === 0) return INVALID_MOVE;
        G.captured[playerID === "0" ? 1 : 0].push(...G.trick);
        G.trick = [];
      },
    },
  },
};
