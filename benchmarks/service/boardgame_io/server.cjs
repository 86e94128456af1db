/* The server of boardgame.io with its PostgreSQL storage: `node server.cjs PORT DATABASE_URL`. */

const { Server, Origins } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");
const game = require("./game.cjs");

const [port, database] = process.argv.slice(2);
const db = new PostgresStore(database, { logging: false });
const server = Server({ games: [game], db, origins: [Origins.LOCALHOST] });
server.run({ port: Number(port), callback: () => console.log("ready") });
