/* haggis-shuffle-v1: the hash chain, the deal of a round, and the draw of the first seat. */

import { deck } from "./cards.js";
import { concatBytes, hmac, sha256 } from "./sha256.js";

const ALGORITHM = "haggis-shuffle-v1";
const HAND_SIZE = 14;
const encoder = new TextEncoder();

/** Encode parts with length prefixes, so different inputs never encode alike. Strings and numbers become UTF-8. */
export function encodeParts(...parts) {
  return concatBytes(
    parts.flatMap((part) => {
      const bytes = part instanceof Uint8Array ? part : encoder.encode(String(part));
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, bytes.length);
      return [length, bytes];
    }),
  );
}

/** Return the link before this one in the hash chain. */
export const previousLink = (dealId, link) => sha256(encodeParts(ALGORITHM, "chain", dealId, link));

/** Walk the hash chain back by a number of steps. */
export function walkBack(dealId, link, steps) {
  let current = link;
  for (let step = 0; step < steps; step += 1) current = previousLink(dealId, current);
  return current;
}

/** Yield the 32-bit numbers of the pseudorandom stream of a key. */
function* randomWords(key) {
  for (let block = 0; ; block += 1) {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setBigUint64(0, BigInt(block));
    const bytes = new DataView(hmac(key, encodeParts(ALGORITHM, "stream", counter)).buffer);
    for (let at = 0; at < 32; at += 4) yield bytes.getUint32(at);
  }
}

/** Draw a number below a bound without modulo bias, by rejection sampling. */
export function drawBelow(bound, source) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const number = source.next().value;
    if (number < limit) return number % bound;
  }
}

/** Return the deal of a round: a hand for each seat, and the haggis. */
export function dealRound(dealId, round, link, seeds) {
  const source = randomWords(
    hmac(link, encodeParts(ALGORITHM, "deal", dealId, round, seeds.length, ...seeds)),
  );
  const cards = deck(seeds.length);
  for (let at = cards.length - 1; at > 0; at -= 1) {
    const other = drawBelow(at + 1, source);
    [cards[at], cards[other]] = [cards[other], cards[at]];
  }
  const hands = seeds.map((_, seat) => cards.slice(seat * HAND_SIZE, (seat + 1) * HAND_SIZE));
  return { hands, haggis: cards.slice(seeds.length * HAND_SIZE) };
}

/** Return the seat drawn before the first round: the dealer, or the leader in the deluxe game. */
export function drawFirstSeat(dealId, firstLink, seeds) {
  return drawBelow(
    seeds.length,
    randomWords(hmac(firstLink, encodeParts(ALGORITHM, "first", dealId, seeds.length, ...seeds))),
  );
}
