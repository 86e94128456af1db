/* Test vectors of haggis-shuffle-v1, and hashes compared with another implementation. */

import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";

import { fromHex, hmac, sha256, toHex } from "../../../../games/web/static/web/lib/sha256.js";
import {
  dealRound,
  drawBelow,
  drawFirstSeat,
  walkBack,
} from "../../../../games/web/static/web/lib/shuffle.js";

const DEAL_ID = "m_example";
const LAST_LINK = Uint8Array.from({ length: 32 }, (_, at) => at);
const link = (number) => walkBack(DEAL_ID, LAST_LINK, 512 - number);

test("hashes equal those of node:crypto for all lengths around a block", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = new Uint8Array(randomBytes(length));
    const key = new Uint8Array(randomBytes(length));
    assert.equal(toHex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
    assert.equal(toHex(hmac(key, bytes)), createHmac("sha256", key).update(bytes).digest("hex"));
  }
});

test("the hash chain matches the test vectors", () => {
  assert.equal(toHex(link(0)), "fa6ac788c393ec9434e42e5a0bdd96f39c02bca193d46b7718f6286f0955598e");
  assert.equal(toHex(link(1)), "a2daf0915bb3ab4067ac6df7a03eb17b8bc84c75772c38c29a41a6c09444828f");
  assert.equal(toHex(link(2)), "7612e0a9335673664659975e97be2ad13267a9ac3745a3c13e1ba2cb8eb98c30");
});

test("the first seats match the test vectors", () => {
  assert.equal(drawFirstSeat(DEAL_ID, link(1), ["salt", ""]), 0);
  assert.equal(drawFirstSeat(DEAL_ID, link(1), ["", "é", "x"]), 2);
});

test("the deals match the test vectors", () => {
  const two = dealRound(DEAL_ID, 1, link(1), ["salt", ""]);
  assert.equal(two.hands[0].join(" "), "6r 5y 2g 3r 8r 7y 7g 6o 4g Tg 4o 5o 3g 6y");
  assert.equal(two.haggis.join(" "), "8o 2r Ty To 4r 8g 4y 2y");
  const three = dealRound(DEAL_ID, 2, link(2), ["", "é", "x"]);
  assert.equal(three.hands[2].join(" "), "9b 6b 4b 8o 2b 9g 8y 7y 4g 3g 2r 7r 5y 3b");
  assert.equal(three.haggis.join(" "), "Tr 5o 8g");
});

test("numbers beyond the last whole multiple of the bound are rejected", () => {
  assert.equal(drawBelow(3, [4294967295, 5].values()), 2);
});

test("fromHex returns null for malformed input", () => {
  assert.equal(fromHex("00"), null);
  assert.equal(fromHex("G".repeat(64)), null);
  assert.equal(fromHex(7), null);
  assert.equal(toHex(fromHex("0f".repeat(32))), "0f".repeat(32));
});
