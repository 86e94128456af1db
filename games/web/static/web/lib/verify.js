/* Verify in the browser, without any request, that the deals of a record follow from its anchor. */

import { isFace } from "./cards.js";
import { t } from "./i18n.js";
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
    anchor ? null : t("no anchor"),
    record.deal_id ? null : t("no deal id"),
    seeds ? null : t("no client seeds"),
  ].filter(Boolean);
  for (const [index, round] of record.rounds.entries()) {
    const where = `rounds[${index}]`;
    if (round.number !== index + 1)
      throw new InvalidRecord(`${where}.number`, t("This must be {value}.", { value: index + 1 }));
    const link = parseHex(round.link, `${where}.link`);
    if (link && record.deal_id && lastLink.link) checkLink(record, where, link, round.number, lastLink);
    if (link) Object.assign(lastLink, { number: round.number, link });
    yield checkDeal(record, round, where, link, seeds, absent);
    if (round.number === 1) yield checkFirstSeat(record, round, where, link, seeds, absent);
  }
}

function checkFormat(record) {
  if (record?.format !== "haggis-record/1")
    throw new InvalidRecord("format", t("This is not a Haggis record."));
  if (![2, 3].includes(record.players))
    throw new InvalidRecord("players", t("The number of players must be 2 or 3."));
  if (!Array.isArray(record.rounds) || record.rounds.length > MAX_ROUNDS)
    throw new InvalidRecord(
      "rounds",
      t("There must be a list of at most {most} rounds.", { most: MAX_ROUNDS }),
    );
  const seeds = record.client_seeds ?? null;
  const texts =
    Array.isArray(seeds) &&
    seeds.length === record.players &&
    seeds.every((seed) => typeof seed === "string");
  if (seeds !== null && !texts)
    throw new InvalidRecord("client_seeds", t("There must be one string for each seat."));
}

function parseHex(text, where) {
  if (text === null || text === undefined) return null;
  const bytes = fromHex(text);
  if (!bytes) throw new InvalidRecord(where, t("This must be 64 hexadecimal digits."));
  return bytes;
}

function checkLink(record, where, link, number, lastLink) {
  if (toHex(walkBack(record.deal_id, link, number - lastLink.number)) === toHex(lastLink.link)) return;
  throw new InvalidRecord(
    `${where}.link`,
    lastLink.number
      ? t("This does not lead to the link of round {number}.", { number: lastLink.number })
      : t("This does not lead to the anchor."),
  );
}

function checkDeal(record, round, where, link, seeds, absent) {
  const subject = t("round {number}", { number: round.number });
  const missing = [
    ...absent,
    link ? null : t("no link"),
    round.hands ? null : t("no hands"),
    round.haggis ? null : t("no haggis"),
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
    reason: t("the link leads to the anchor, and link and seeds produce these cards"),
  };
}

function compare(claimed, expected, where) {
  const [one, other] = [new Set(claimed), new Set(expected)];
  if (claimed.length === expected.length && expected.every((code) => one.has(code))) return;
  const misplaced = claimed.find((code) => !other.has(code)) ?? claimed.at(-1);
  throw new InvalidRecord(
    where,
    t("According to the link and the seeds, {card} does not belong here.", { card: misplaced }),
  );
}

function checkFirstSeat(record, round, where, link, seeds, absent) {
  const drawsLeader = RULE_SETS_WITHOUT_DEALER.has(record.ruleset);
  const subject = drawsLeader ? t("first leader") : t("first dealer");
  if (!link || absent.length)
    return {
      subject,
      proven: false,
      reason: [...absent, link ? null : t("no link")].filter(Boolean).join(", "),
    };
  const drawnSeat = drawFirstSeat(record.deal_id, link, seeds);
  const expected = drawsLeader
    ? { leader: drawnSeat }
    : { dealer: drawnSeat, leader: (drawnSeat + 1) % record.players };
  for (const [name, seat] of Object.entries(expected)) {
    if (round[name] !== null && round[name] !== undefined && round[name] !== seat)
      throw new InvalidRecord(
        `${where}.${name}`,
        t("According to link 1 and the seeds, this must be seat {seat}.", { seat }),
      );
  }
  return { subject, proven: true, reason: t("link 1 and the seeds draw seat {seat}", { seat: drawnSeat }) };
}
