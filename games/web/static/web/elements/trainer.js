/* <haggis-trainer>: pick any cards and see every combination they can form. */

import { get, post } from "../lib/api.js";
import { cardArt, cardImage, ensureSymbols } from "../lib/card-art.js";
import { cardName, deck, FACES, SUITS, sortCards, wildCardsText } from "../lib/cards.js";
import { msg, t, tn } from "../lib/i18n.js";
import { capitalize, combinationText } from "../lib/text.js";
import { h, View } from "../lib/vdom.js";

const MAX_CARDS = 17;
/** Instructive examples. */
const EXAMPLES = [
  "3r J Q",
  "Tr Tg J Q",
  "5r J Q K",
  "9r Tr J",
  "4r 4g 5r 5g",
  "3r 5o 7y 9g",
  "3y 5y 7y 9y",
  "J Q",
  "6o 6g 7o J",
  "2r 3r 5r Q",
];

class HaggisTrainer extends View {
  state = {
    ruleSet: "classic",
    ruleSets: [{ key: "classic", title: msg("Classic"), players: [2, 3] }],
    players: 2,
    picked: ["3r", "J", "Q"],
    readings: null,
    problem: null,
  };
  #requestCount = 0;

  connected() {
    ensureSymbols();
    this.loadReadings();
    this.loadRuleSets();
  }

  async loadRuleSets() {
    try {
      this.update({ ruleSets: (await get("/rulesets")).results });
    } catch (problem) {
      this.update({ problem });
    }
  }

  toggle(code) {
    const { picked } = this.state;
    this.setPicked(
      picked.includes(code)
        ? picked.filter((other) => other !== code)
        : [...picked, code].slice(0, MAX_CARDS),
    );
  }

  setPicked(picked) {
    this.update({ picked });
    this.loadReadings();
  }

  async loadReadings() {
    const request = (this.#requestCount += 1);
    const { picked, players, ruleSet } = this.state;
    if (!picked.length) return this.update({ readings: null, problem: null });
    try {
      const { readings } = await post(`/rulesets/${ruleSet}/readings`, { players, cards: picked });
      if (request === this.#requestCount) this.update({ readings, problem: null });
    } catch (problem) {
      if (request === this.#requestCount) this.update({ readings: null, problem });
    }
  }

  selectPlayers(count) {
    this.update({ players: count });
    this.setPicked(this.state.picked.filter((code) => FACES.includes(code) || deck(count).includes(code)));
  }

  /** Switch to another rule set, and to a number of players that it supports. */
  selectRuleSet(ruleSet) {
    const { players } = this.state.ruleSets.find(({ key }) => key === ruleSet);
    this.update({ ruleSet });
    this.selectPlayers(players.includes(this.state.players) ? this.state.players : players[0]);
  }

  view() {
    const { players, picked, readings, problem, ruleSet, ruleSets } = this.state;
    const allowed = ruleSets.find(({ key }) => key === ruleSet).players;
    return [
      h("h1", { key: "title" }, t("What can these cards be?")),
      h(
        "p",
        { class: "lead", key: "lead" },
        t(
          "Pick some cards. Jack, queen and king are wild with any other card. In a run or stair they can also count as themselves, except in the booklet rules.",
        ),
      ),
      h(
        "div",
        { class: "quiz", key: "quiz" },
        h(
          "button",
          {
            type: "button",
            class: "main",
            onclick: () => this.setPicked(EXAMPLES[Math.floor(Math.random() * EXAMPLES.length)].split(" ")),
          },
          t("Show an example"),
        ),
        h("button", { type: "button", onclick: () => this.setPicked([]) }, t("Clear")),
        h(
          "label",
          null,
          `${t("Rules")} `,
          h(
            "select",
            { value: ruleSet, onchange: (event) => this.selectRuleSet(event.target.value) },
            ruleSets.map(({ key, title }) =>
              h("option", { key, value: key, selected: key === ruleSet }, t(title)),
            ),
          ),
        ),
        h(
          "div",
          { class: "segments", role: "group", "aria-label": t("Players") },
          allowed.map((count) =>
            h(
              "label",
              { key: count },
              h("input", {
                type: "radio",
                name: "players",
                checked: players === count,
                onchange: () => this.selectPlayers(count),
              }),
              h("span", null, tn("{count} player", "{count} players", count)),
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "picked-cards", key: "picked" },
        sortCards(picked).map((code) => cardImage(code, { key: code, plain: false })),
      ),
      h(
        "div",
        { role: "status", key: "found" },
        problem ? h("p", { class: "problem" }, problem.message) : readingList(picked, readings),
      ),
      h(
        "div",
        { class: "picker", key: "picker", role: "group", "aria-label": t("All cards") },
        SUITS.slice(0, players + 2).map((suit) =>
          this.cardRow(
            suit,
            deck(players).filter((code) => code[1] === suit),
          ),
        ),
        this.cardRow("faces", FACES),
      ),
    ];
  }

  cardRow(key, codes) {
    const { picked } = this.state;
    return h(
      "div",
      { class: "line", key },
      codes.map((code) =>
        h(
          "button",
          {
            type: "button",
            key: code,
            class: `card${picked.includes(code) ? " picked" : ""}`,
            "aria-pressed": String(picked.includes(code)),
            "aria-label": cardName(code),
            onclick: () => this.toggle(code),
          },
          cardArt(code, { plain: true }),
        ),
      ),
    );
  }
}

function readingList(picked, readings) {
  if (!picked.length) return h("p", { class: "quiet" }, t("Pick at least one card."));
  if (!readings) return h("p", { class: "quiet" }, "…");
  if (!readings.length)
    return h("p", null, h("b", null, t("No combination.")), " ", t("These cards cannot be played together."));
  return h(
    "ul",
    { class: "found" },
    readings.map((reading) =>
      h(
        "li",
        { key: combinationText(reading.combination) },
        h("b", null, capitalize(combinationText(reading.combination))),
        h("small", null, wildCardsText(reading.wilds)),
      ),
    ),
  );
}

customElements.define("haggis-trainer", HaggisTrainer);
