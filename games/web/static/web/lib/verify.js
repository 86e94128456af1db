/* Whether the deals of a record are those that its anchor fixed. Nobody is asked: everything is computed here. */

import { isFace } from "./cards.js";
import { hex, unhex } from "./sha256.js";
import { dealOf, firstSeat, walkedBack } from "./shuffle.js";

const WITHOUT_DEALER = new Set(["deluxe"]);
const MOST_ROUNDS = 512;

/** The first thing wrong with a record: where, and what. */
export class Wrong extends Error {
  constructor(where, message) {
    super(message);
    this.where = where;
  }
}

/**
 * Check every deal. Gives `{valid, findings: [{about, proven, why}]}`, or `{valid: false, where, detail}` for the first
 * thing wrong. What a record does not show cannot be proven, which is not the same as being wrong.
 */
export function verifyDeals(record) {
  try {
    return { valid: true, findings: [...check(record)] };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { valid: false, where: error.where, detail: error.message };
  }
}

function* check(record) {
  refuseUnreadable(record);
  const anchor = hexOrNull(record.anchor, "anchor");
  const known = { number: 0, link: anchor };
  const seeds = record.client_seeds ?? null;
  const lacking = [
    anchor ? null : "no anchor",
    record.deal_id ? null : "no deal id",
    seeds ? null : "no client seeds",
  ].filter(Boolean);
  for (const [index, round] of record.rounds.entries()) {
    const where = `rounds[${index}]`;
    if (round.number !== index + 1) throw new Wrong(`${where}.number`, `This is round ${index + 1}.`);
    const link = hexOrNull(round.link, `${where}.link`);
    if (link && record.deal_id && known.link) checkLink(record, where, link, round.number, known);
    if (link) Object.assign(known, { number: round.number, link });
    yield checkDeal(record, round, where, link, seeds, lacking);
    if (round.number === 1) yield checkFirst(record, round, where, link, seeds, lacking);
  }
}

function refuseUnreadable(record) {
  if (record?.format !== "haggis-record/1") throw new Wrong("format", "This is no record of Haggis.");
  if (![2, 3].includes(record.players)) throw new Wrong("players", "Haggis is for two or three.");
  if (!Array.isArray(record.rounds) || record.rounds.length > MOST_ROUNDS)
    throw new Wrong("rounds", "These are no rounds.");
  const seeds = record.client_seeds ?? null;
  const texts =
    Array.isArray(seeds) &&
    seeds.length === record.players &&
    seeds.every((seed) => typeof seed === "string");
  if (seeds !== null && !texts) throw new Wrong("client_seeds", "There is one text for each seat.");
}

function hexOrNull(text, where) {
  if (text === null || text === undefined) return null;
  const bytes = unhex(text);
  if (!bytes) throw new Wrong(where, "This is not 32 bytes in hexadecimal digits.");
  return bytes;
}

function checkLink(record, where, link, number, known) {
  if (hex(walkedBack(record.deal_id, link, number - known.number)) === hex(known.link)) return;
  throw new Wrong(
    `${where}.link`,
    `This does not lead to ${known.number ? `the link of round ${known.number}` : "the anchor"}.`,
  );
}

function checkDeal(record, round, where, link, seeds, lacking) {
  const about = `round ${round.number}`;
  const missing = [
    ...lacking,
    link ? null : "no link",
    round.hands ? null : "no hands",
    round.haggis ? null : "no haggis",
  ].filter(Boolean);
  if (!link || !record.deal_id || !seeds) return { about, proven: false, why: missing.join(", ") };
  const follows = dealOf(record.deal_id, round.number, link, seeds);
  round.hands?.forEach((hand, seat) =>
    compare(
      hand.filter((code) => !isFace(code)),
      follows.hands[seat] ?? [],
      `${where}.hands[${seat}]`,
    ),
  );
  if (round.haggis) compare(round.haggis, follows.haggis, `${where}.haggis`);
  if (missing.length) return { about, proven: false, why: missing.join(", ") };
  return { about, proven: true, why: "its link leads to the anchor, and with the seeds to these cards" };
}

function compare(claimed, follows, where) {
  const [one, other] = [new Set(claimed), new Set(follows)];
  if (claimed.length === follows.length && follows.every((code) => one.has(code))) return;
  const stranger = claimed.find((code) => !other.has(code)) ?? claimed.at(-1);
  throw new Wrong(where, `The link and the seeds do not put ${stranger} here.`);
}

function checkFirst(record, round, where, link, seeds, lacking) {
  const leads = WITHOUT_DEALER.has(record.ruleset);
  const about = leads ? "first leader" : "first dealer";
  if (!link || lacking.length)
    return { about, proven: false, why: [...lacking, link ? null : "no link"].filter(Boolean).join(", ") };
  const drawn = firstSeat(record.deal_id, link, seeds);
  const expected = leads ? { leader: drawn } : { dealer: drawn, leader: (drawn + 1) % record.players };
  for (const [name, seat] of Object.entries(expected)) {
    if (round[name] !== null && round[name] !== undefined && round[name] !== seat)
      throw new Wrong(`${where}.${name}`, `Link 1 and the seeds make this seat ${seat}.`);
  }
  return { about, proven: true, why: `link 1 and the seeds draw seat ${drawn}` };
}
