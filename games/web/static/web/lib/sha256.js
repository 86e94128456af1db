/* SHA-256 (FIPS 180-4) and HMAC (RFC 2104).

Not `crypto.subtle`, which browsers only provide in secure contexts: deals can be verified on plain HTTP too. */

const BLOCK_BYTES = 64;

/** Return the first 32 bits of the fractional parts of the roots of the first primes: the constants of SHA-256. */
function fractionalRootBits(count, root) {
  const bits = [];
  for (let number = 2; bits.length < count; number += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1)
      if (number % divisor === 0) prime = false;
    if (prime) bits.push(Math.floor((number ** root % 1) * 2 ** 32) >>> 0);
  }
  return bits;
}

const INITIAL_STATE = fractionalRootBits(8, 1 / 2);
const ROUND_CONSTANTS = fractionalRootBits(64, 1 / 3);
const rotateRight = (word, count) => (word >>> count) | (word << (32 - count));

/** Pad a message to whole blocks: an end marker, zeros and the length in bits. */
function pad(bytes) {
  const result = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  result.set(bytes);
  result[bytes.length] = 0x80;
  new DataView(result.buffer).setBigUint64(result.length - 8, BigInt(bytes.length) * 8n);
  return new DataView(result.buffer);
}

function schedule(view, offset) {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [w15, w2] = [words[i - 15], words[i - 2]];
    const temp1 = rotateRight(w15, 7) ^ rotateRight(w15, 18) ^ (w15 >>> 3);
    const temp2 = rotateRight(w2, 17) ^ rotateRight(w2, 19) ^ (w2 >>> 10);
    words[i] = words[i - 16] + temp1 + words[i - 7] + temp2;
  }
  return words;
}

function compress(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const temp1 =
      (h +
        (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        ((e & f) ^ (~e & g)) +
        ROUND_CONSTANTS[i] +
        words[i]) |
      0;
    const temp2 =
      ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + temp1) | 0, c, b, a, (temp1 + temp2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] + word) >>> 0;
  });
}

/** Return the SHA-256 digest of a byte array: 32 bytes. */
export function sha256(bytes) {
  const state = Uint32Array.from(INITIAL_STATE);
  const view = pad(bytes);
  for (let offset = 0; offset < view.byteLength; offset += BLOCK_BYTES)
    compress(state, schedule(view, offset));
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setUint32(i * 4, word));
  return new Uint8Array(hash.buffer);
}

/** Return the HMAC-SHA-256 of a byte array. */
export function hmac(key, bytes) {
  const short = new Uint8Array(BLOCK_BYTES);
  short.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  const inner = sha256(concatBytes([short.map((byte) => byte ^ 0x36), bytes]));
  return sha256(concatBytes([short.map((byte) => byte ^ 0x5c), inner]));
}

/** Concatenate byte arrays. */
export function concatBytes(parts) {
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}

export const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Decode 64 hexadecimal digits to 32 bytes. Return null if the value is malformed. */
export function fromHex(text) {
  if (typeof text !== "string" || !/^[0-9a-f]{64}$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16));
}
