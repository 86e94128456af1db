/* Verify in the browser, without any request, that the deals of a record follow from its anchor. */

import { isFace } from "./cards.js";
import { fromHex, toHex } from "./sha256.js";
import { dealRound, drawFirstSeat, walkBack } from "./shuffle.js";

const RULE_SETS_WITHOUT_DEALER = new Set(["deluxe"]);
const MAX_ROUNDS = 512;

/** Thrown for the first fault in a record: its location and a message. */
export class InvalidRecord extends Error {
  constructor(where, message) {
    super(message);
    this.where = where;
  }
}

/**
 * Verify every deal. Return `{valid: true, findings: [{subject, proven, reason}]}`, or `{valid: false, where, detail}` for
 * the first fault. Parts that a record omits are unproven, which does not make it invalid.
 */
export function verifyDeals(record) {
  try {
    return { valid: true, findings: [...check(record)] };
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error;
    return { valid: false, where: error.where, detail: error.message };
  }
}

function* check(record) {
  checkFormat(record);
  const anchor = parseHex(record.anchor, "anchor");
  const lastLink = { number: 0, link: anchor };
  const seeds = record.client_seeds ?? null;
  const absent = [
    anchor ? null : "no anchor",
    record.deal_id ? null : "no deal id",
    seeds ? null : "no client seeds",
  ].filter(Boolean);
  for (const [index, round] of record.rounds.entries()) {
    const where = `rounds[${index}]`;
    if (round.number !== index + 1) throw new InvalidRecord(`${where}.number`, `This must be ${index + 1}.`);
    const link = parseHex(round.link, `${where}.link`);
    if (link && record.deal_id && lastLink.link) checkLink(record, where, link, round.number, lastLink);
    if (link) Object.assign(lastLink, { number: round.number, link });
    yield checkDeal(record, round, where, link, seeds, absent);
    if (round.number === 1) yield checkFirstSeat(record, round, where, link, seeds, absent);
  }
}

function checkFormat(record) {
  if (record?.format !== "haggis-record/1") throw new InvalidRecord("format", "This is not a Haggis record.");
  if (![2, 3].includes(record.players))
    throw new InvalidRecord("players", "The number of players must be 2 or 3.");
  if (!Array.isArray(record.rounds) || record.rounds.length > MAX_ROUNDS)
    throw new InvalidRecord("rounds", `There must be a list of at most ${MAX_ROUNDS} rounds.`);
  const seeds = record.client_seeds ?? null;
  const texts =
    Array.isArray(seeds) &&
    seeds.length === record.players &&
    seeds.every((seed) => typeof seed === "string");
  if (seeds !== null && !texts)
    throw new InvalidRecord("client_seeds", "There must be one string for each seat.");
}

function parseHex(text, where) {
  if (text === null || text === undefined) return null;
  const bytes = fromHex(text);
  if (!bytes) throw new InvalidRecord(where, "This must be 64 hexadecimal digits.");
  return bytes;
}

function checkLink(record, where, link, number, lastLink) {
  if (toHex(walkBack(record.deal_id, link, number - lastLink.number)) === toHex(lastLink.link)) return;
  throw new InvalidRecord(
    `${where}.link`,
    `This does not lead to ${lastLink.number ? `the link of round ${lastLink.number}` : "the anchor"}.`,
  );
}

function checkDeal(record, round, where, link, seeds, absent) {
  const subject = `round ${round.number}`;
  const missing = [
    ...absent,
    link ? null : "no link",
    round.hands ? null : "no hands",
    round.haggis ? null : "no haggis",
  ].filter(Boolean);
  if (!link || !record.deal_id || !seeds) return { subject, proven: false, reason: missing.join(", ") };
  const expected = dealRound(record.deal_id, round.number, link, seeds);
  round.hands?.forEach((hand, seat) =>
    compare(
      hand.filter((code) => !isFace(code)),
      expected.hands[seat] ?? [],
      `${where}.hands[${seat}]`,
    ),
  );
  if (round.haggis) compare(round.haggis, expected.haggis, `${where}.haggis`);
  if (missing.length) return { subject, proven: false, reason: missing.join(", ") };
  return {
    subject,
    proven: true,
    reason: "the link leads to the anchor, and link and seeds produce these cards",
  };
}

function compare(claimed, expected, where) {
  const [one, other] = [new Set(claimed), new Set(expected)];
  if (claimed.length === expected.length && expected.every((code) => one.has(code))) return;
  const misplaced = claimed.find((code) => !other.has(code)) ?? claimed.at(-1);
  throw new InvalidRecord(where, `According to the link and the seeds, ${misplaced} does not belong here.`);
}

function checkFirstSeat(record, round, where, link, seeds, absent) {
  const drawsLeader = RULE_SETS_WITHOUT_DEALER.has(record.ruleset);
  const subject = drawsLeader ? "first leader" : "first dealer";
  if (!link || absent.length)
    return {
      subject,
      proven: false,
      reason: [...absent, link ? null : "no link"].filter(Boolean).join(", "),
    };
  const drawnSeat = drawFirstSeat(record.deal_id, link, seeds);
  const expected = drawsLeader
    ? { leader: drawnSeat }
    : { dealer: drawnSeat, leader: (drawnSeat + 1) % record.players };
  for (const [name, seat] of Object.entries(expected)) {
    if (round[name] !== null && round[name] !== undefined && round[name] !== seat)
      throw new InvalidRecord(
        `${where}.${name}`,
        `According to link 1 and the seeds, this must be seat ${seat}.`,
      );
  }
  return { subject, proven: true, reason: `link 1 and the seeds draw seat ${drawnSeat}` };
}
