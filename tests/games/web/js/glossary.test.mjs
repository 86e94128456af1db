/* Words of the game are found in texts. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.HTMLElement = class {};
globalThis.customElements = { define() {} };
const { TERMS, term, withTerms } = await import("../../../../games/web/static/web/lib/glossary.js");

test("a word is written as its sentence needs it", () => {
  assert.deepEqual(term("out", "Going out").children, ["Going out"]);
  assert.deepEqual(term("wild").children, [TERMS.wild.name]);
});

test("the first occurrence of each word is explained, and parts of other words are not", () => {
  const parts = withTerms("Trick by trick, a runner bets: a run or a bomb.").filter((part) => part !== "");
  assert.deepEqual(
    parts.map((part) => part.props?.word ?? part),
    ["trick", " by ", "trick", ", a runner bets: a ", "run", " or a ", "bomb", "."],
  );
  assert.deepEqual(
    parts.filter((part) => part.props).map((part) => part.children[0]),
    ["Trick", "run", "bomb"],
  );
});

test("a name of several words is one word of the game", () => {
  const explained = withTerms("The standing order and a wild card.").filter((part) => part.props);
  assert.deepEqual(
    explained.map((part) => part.props.word),
    ["order", "wild"],
  );
});
