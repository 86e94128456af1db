/* haggis-shuffle-v1, computed here: the chain of links, the deal of a round, who was drawn to begin. */

import { deck } from "./cards.js";
import { concatBytes, hmac, sha256 } from "./sha256.js";

const ALGORITHM = "haggis-shuffle-v1";
const HAND_SIZE = 14;
const encoder = new TextEncoder();

/** Parts with their lengths in front, so that no two different inputs look the same. Texts and numbers as UTF-8. */
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

/** The link before this one. */
export const previousLink = (dealId, link) => sha256(encodeParts(ALGORITHM, "chain", dealId, link));

/** The link so many steps before this one. */
export function walkBack(dealId, link, steps) {
  let current = link;
  for (let step = 0; step < steps; step += 1) current = previousLink(dealId, current);
  return current;
}

/** The numbers of a key, 32 bits each, in order. */
function* randomWords(key) {
  for (let block = 0; ; block += 1) {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setBigUint64(0, BigInt(block));
    const bytes = new DataView(hmac(key, encodeParts(ALGORITHM, "stream", counter)).buffer);
    for (let at = 0; at < 32; at += 4) yield bytes.getUint32(at);
  }
}

/** Draw below a bound, evenly: numbers that would favour the small ones are thrown away. */
export function drawBelow(bound, source) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const number = source.next().value;
    if (number < limit) return number % bound;
  }
}

/** What a round was dealt: a hand for each seat, and the haggis. */
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

/** The seat that is drawn before the first round: its dealer, or in the deluxe game its leader. */
export function drawFirstSeat(dealId, firstLink, seeds) {
  return drawBelow(
    seeds.length,
    randomWords(hmac(firstLink, encodeParts(ALGORITHM, "first", dealId, seeds.length, ...seeds))),
  );
}
