/* SHA-256 and HMAC, as published in FIPS 180-4 and RFC 2104.

Our own, because the browser's (`crypto.subtle`) is there only on pages served over TLS or from this machine, and a deal
should be checked anywhere. */

const BLOCK = 64;

/** The first 32 bits of the fractional parts of roots of the first primes, which the standard calls for. */
function fractions(count, root) {
  const found = [];
  for (let number = 2; found.length < count; number += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1)
      if (number % divisor === 0) prime = false;
    if (prime) found.push(Math.floor((number ** root % 1) * 2 ** 32) >>> 0);
  }
  return found;
}

const START = fractions(8, 1 / 2);
const ROUND = fractions(64, 1 / 3);
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** The bytes with their end marked and their length in bits, in whole blocks. */
function padded(bytes) {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  new DataView(whole.buffer).setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return new DataView(whole.buffer);
}

function schedule(view, at) {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [words[i - 15], words[i - 2]];
    const one = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const two = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16] + one + words[i - 7] + two;
  }
  return words;
}

function compress(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const one =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] + word) >>> 0;
  });
}

/** The hash of bytes, 32 bytes long. */
export function sha256(bytes) {
  const state = Uint32Array.from(START);
  const view = padded(bytes);
  for (let at = 0; at < view.byteLength; at += BLOCK) compress(state, schedule(view, at));
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setUint32(i * 4, word));
  return new Uint8Array(hash.buffer);
}

/** The keyed hash of bytes. */
export function hmac(key, bytes) {
  const short = new Uint8Array(BLOCK);
  short.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined([short.map((byte) => byte ^ 0x36), bytes]));
  return sha256(joined([short.map((byte) => byte ^ 0x5c), inner]));
}

/** Byte strings one after the other. */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The 32 bytes of 64 hexadecimal digits; null where it is anything else. */
export function unhex(text) {
  if (typeof text !== "string" || !/^[0-9a-f]{64}$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16));
}
