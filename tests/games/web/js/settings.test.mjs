/* The stored preferences of a browser. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.addEventListener ??= () => {};
const { settingsFrom } = await import("../../../../games/web/static/web/lib/settings.js");

test("a browser without stored settings has the defaults", () => {
  const { volume, animationSpeed, cardSize, confirmPlay, sound } = settingsFrom(null);
  assert.deepEqual(
    { volume, animationSpeed, cardSize, confirmPlay, sound },
    { volume: 100, animationSpeed: "normal", cardSize: "medium", confirmPlay: false, sound: true },
  );
});

test("stored preferences are used", () => {
  const stored = { volume: 0, animationSpeed: "slow", cardSize: "large", confirmPlay: true };
  for (const [name, value] of Object.entries(stored)) assert.equal(settingsFrom(stored)[name], value);
});

test("values that are not valid are replaced by the defaults", () => {
  const stored = {
    volume: 900,
    animationSpeed: "warp",
    cardSize: 3,
    confirmPlay: "yes",
    theme: null,
    other: 1,
  };
  assert.deepEqual(settingsFrom(stored), settingsFrom(null));
});

test("animations that were switched off before there were speeds stay off", () => {
  assert.equal(settingsFrom({ motion: false }).animationSpeed, "off");
  assert.equal(settingsFrom({ motion: true }).animationSpeed, "normal");
  assert.equal(settingsFrom({ motion: false, animationSpeed: "fast" }).animationSpeed, "fast");
});
