/* The glossary of the game: `term` describes a word with its definition, which opens on hover, tap or keyboard focus and
Enter. Pages without scripts of their own use <haggis-term word="trick">trick</haggis-term>. */

import { t } from "./i18n.js";
import { h } from "./vdom.js";

/** The words of the game: how they are written, and what they mean. */
export const TERMS = {
  trick: {
    name: t("trick"),
    text: t("A series of plays, each beating the one before, until all others pass."),
  },
  lead: {
    name: t("lead"),
    text: t("To play first in a trick. The leader may play any combination, but must not pass."),
  },
  pass: {
    name: t("pass"),
    text: t("To play nothing this time. You may still play later in the same trick."),
  },
  combination: {
    name: t("combination"),
    text: t("Cards that can be played together: a set, a run, a stair or a bomb."),
  },
  set: { name: t("set"), text: t("Cards of one rank: a single card, a pair, three sevens and so on.") },
  run: { name: t("run"), text: t("Three or more cards of one suit with ranks in a row, such as 4-5-6.") },
  stair: {
    name: t("stair"),
    text: t("Pairs, triples or more with ranks in a row and in the same suits, such as 4-4-5-5."),
  },
  wild: {
    name: t("wild card"),
    text: t(
      "J, Q and K, which every player has. Together with other cards each can stand for a lower card. Alone it is a single card that beats a ten.",
    ),
  },
  bomb: {
    name: t("bomb"),
    text: t(
      "J-Q, J-K, Q-K, J-Q-K, or 3-5-7-9 in four suits or in one. It beats everything but a higher bomb, but an opponent captures the trick.",
    ),
  },
  beat: {
    name: t("beat"),
    text: t("To play the same kind of combination with the same number of cards, but higher; or a bomb."),
  },
  capture: {
    name: t("capture"),
    text: t("To take the cards of a trick. Some of them are worth points at the end of the round."),
  },
  award: {
    name: t("award"),
    text: t(
      "With three players, the winner of a trick that was won by a bomb chooses which opponent captures it.",
    ),
  },
  bet: {
    name: t("bet"),
    text: t(
      "Before your first card of a round you may bet points that you get rid of all cards first. If you do not, others get the points.",
    ),
  },
  out: {
    name: t("going out"),
    text: t("To play your last card. You score 5 points for each card in the largest hand of the others."),
  },
  haggis: {
    name: t("haggis"),
    text: t("The cards that are not dealt. Nobody sees them before the end of the round."),
  },
  round: { name: t("round"), text: t("One deal, played until only one player has cards left.") },
  order: {
    name: t("standing order"),
    text: t("With “Pass for the rest of this trick” you pass automatically until the trick ends."),
  },
};

/** Describe a word of the game. `text` is how it is written in the sentence. */
export const term = (word, text = TERMS[word].name) => h("haggis-term", { word, key: word }, text);

// Longer names first: "standing order" is one word of the game.
const NAMES = Object.entries(TERMS)
  .map(([word, { name }]) => [name, word])
  .sort(([one], [other]) => other.length - one.length);
const ANY_NAME = new RegExp(`(?<!\\p{L})(${NAMES.map(([name]) => name).join("|")})(?!\\p{L})`, "giu");

/** Describe a text in which the first occurrence of each word of the game is explained. */
export function withTerms(text) {
  const words = new Map(NAMES.map(([name, word]) => [name.toLowerCase(), word]));
  return text.split(ANY_NAME).map((part) => {
    const word = words.get(part.toLowerCase());
    words.delete(part.toLowerCase());
    return word ? term(word, part) : part;
  });
}

const HOVER_DELAY_MS = 250;
const MARGIN_PX = 8;

class HaggisTerm extends HTMLElement {
  #timer = null;

  connectedCallback() {
    const entry = TERMS[this.getAttribute("word")];
    if (this.shadowRoot || !entry) return;
    const root = this.attachShadow({ mode: "open" });
    this.word = Object.assign(document.createElement("button"), { type: "button" });
    this.word.part = "word";
    this.word.setAttribute("aria-description", entry.text);
    this.word.append(document.createElement("slot"));
    this.definition = document.createElement("span");
    this.definition.part = "definition";
    root.append(this.word, this.definition);
    if (this.definition.showPopover) this.#makePopover(entry.text);
    else this.word.title = entry.text;
  }

  /** Make the definition a popover, which closes on Escape or a click elsewhere. */
  #makePopover(text) {
    this.definition.popover = "auto";
    this.word.popoverTargetElement = this.definition;
    // Only while it is open: the text of the page is not to contain all definitions.
    this.definition.addEventListener("beforetoggle", ({ newState }) => {
      this.definition.textContent = newState === "open" ? text : "";
    });
    this.definition.addEventListener("toggle", (event) => event.newState === "open" && this.#place());
    this.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.#hover());
    this.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.#leave());
    // A click while the pointer has opened the definition leaves it open.
    this.word.addEventListener("click", (event) => {
      clearTimeout(this.#timer);
      if (this.hovered) event.preventDefault();
      this.hovered = false;
    });
  }

  #hover() {
    this.#timer = setTimeout(() => {
      if (!this.isConnected || this.definition.matches(":popover-open")) return;
      this.hovered = true;
      this.definition.showPopover();
    }, HOVER_DELAY_MS);
  }

  #leave() {
    clearTimeout(this.#timer);
    if (this.hovered) this.definition.hidePopover();
    this.hovered = false;
  }

  /** Place the definition below the word, or above it, within the window. */
  #place() {
    const word = this.word.getBoundingClientRect();
    const { width, height } = this.definition.getBoundingClientRect();
    const left = Math.max(MARGIN_PX, Math.min(word.left, innerWidth - width - MARGIN_PX));
    const below = word.bottom + MARGIN_PX / 2;
    const top = below + height < innerHeight ? below : Math.max(MARGIN_PX, word.top - height - MARGIN_PX / 2);
    this.style.setProperty("--term-left", `${left}px`);
    this.style.setProperty("--term-top", `${top}px`);
  }
}

customElements.define("haggis-term", HaggisTerm);
