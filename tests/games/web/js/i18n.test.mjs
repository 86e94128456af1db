/* Messages are translated, filled in and pluralised. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.haggisCatalogue = {
  messages: {
    "Waiting for {name}.": "Warten auf {name}.",
    "{count} card": ["{count} Karte", "{count} Karten"],
    "{who} beats {what}.": "{what} wird von {who} geschlagen.",
  },
  pluralIndex: (count) => Number(count !== 1),
};
const { t, tn, tx } = await import("../../../../games/web/static/web/lib/i18n.js");

test("a message without a translation stays English", () => {
  assert.equal(t("Lead anything, {name}", { name: "Anna" }), "Lead anything, Anna");
  assert.equal(tn("{count} wild card", "{count} wild cards", 2), "2 wild cards");
});

test("placeholders are filled in after the translation", () => {
  assert.equal(t("Waiting for {name}.", { name: "{name}" }), "Warten auf {name}.");
});

test("the number selects the plural form", () => {
  assert.equal(tn("{count} card", "{count} cards", 1), "1 Karte");
  assert.equal(tn("{count} card", "{count} cards", 0), "0 Karten");
});

test("elements stand where the translation puts them", () => {
  const [who, what] = [{ tag: "b" }, { tag: "i" }];
  assert.deepEqual(tx("{who} beats {what}.", { who, what }), [what, " wird von ", who, " geschlagen."]);
});
