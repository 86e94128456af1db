/* <haggis-trainer>: pick any cards and see everything that they can be. */

import { get, post } from "../lib/api.js";
import { cardArt, ensureShapes, lyingCard } from "../lib/card-art.js";
import { cardName, deck, FACES, SUITS, sorted } from "../lib/cards.js";
import { h, View } from "../lib/vdom.js";
import { capital } from "../lib/words.js";
import { standsFor } from "../table/trick.js";

const MOST = 17;
/** Cards that make people think. */
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
    ruleSets: [{ key: "classic", title: "Classic", players: [2, 3] }],
    players: 2,
    picked: ["3r", "J", "Q"],
    readings: null,
    problem: null,
  };
  #asked = 0;

  begin() {
    ensureShapes();
    this.ask();
    this.offerRuleSets();
  }

  async offerRuleSets() {
    try {
      this.update({ ruleSets: (await get("/rulesets")).results });
    } catch (problem) {
      this.update({ problem });
    }
  }

  toggle(code) {
    const { picked } = this.state;
    this.pick(
      picked.includes(code) ? picked.filter((other) => other !== code) : [...picked, code].slice(0, MOST),
    );
  }

  pick(picked) {
    this.update({ picked });
    this.ask();
  }

  async ask() {
    const mine = (this.#asked += 1);
    const { picked, players, ruleSet } = this.state;
    if (!picked.length) return this.update({ readings: null, problem: null });
    try {
      const { readings } = await post(`/rulesets/${ruleSet}/readings`, { players, cards: picked });
      if (mine === this.#asked) this.update({ readings, problem: null });
    } catch (problem) {
      if (mine === this.#asked) this.update({ readings: null, problem });
    }
  }

  players(count) {
    this.update({ players: count });
    this.pick(this.state.picked.filter((code) => FACES.includes(code) || deck(count).includes(code)));
  }

  /** Use another rule set, with as many players as it allows. */
  play(ruleSet) {
    const { players } = this.state.ruleSets.find(({ key }) => key === ruleSet);
    this.update({ ruleSet });
    this.players(players.includes(this.state.players) ? this.state.players : players[0]);
  }

  view() {
    const { players, picked, readings, problem, ruleSet, ruleSets } = this.state;
    const allowed = ruleSets.find(({ key }) => key === ruleSet).players;
    return [
      h("h1", { key: "title" }, "What can these cards be?"),
      h(
        "p",
        { class: "lead", key: "lead" },
        "Pick some cards. Jack, queen and king are wild beside any other card. In a run or stair they can also be themselves, except in the booklet.",
      ),
      h(
        "div",
        { class: "quiz", key: "quiz" },
        h(
          "button",
          {
            type: "button",
            class: "main",
            onclick: () => this.pick(EXAMPLES[Math.floor(Math.random() * EXAMPLES.length)].split(" ")),
          },
          "Show me some",
        ),
        h("button", { type: "button", onclick: () => this.pick([]) }, "Put all back"),
        h(
          "label",
          null,
          "Rules ",
          h(
            "select",
            { value: ruleSet, onchange: (event) => this.play(event.target.value) },
            ruleSets.map(({ key, title }) =>
              h("option", { key, value: key, selected: key === ruleSet }, title),
            ),
          ),
        ),
        h(
          "div",
          { class: "segments", role: "group", "aria-label": "Players" },
          allowed.map((count) =>
            h(
              "label",
              { key: count },
              h("input", {
                type: "radio",
                name: "players",
                checked: players === count,
                onchange: () => this.players(count),
              }),
              h("span", null, `${count} players`),
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "picked-cards", key: "picked" },
        sorted(picked).map((code) => lyingCard(code, { key: code, plain: false })),
      ),
      h(
        "div",
        { role: "status", key: "found" },
        problem ? h("p", { class: "problem" }, problem.message) : found(picked, readings),
      ),
      h(
        "div",
        { class: "picker", key: "picker", role: "group", "aria-label": "All cards" },
        SUITS.slice(0, players + 2).map((suit) =>
          this.line(
            suit,
            deck(players).filter((code) => code[1] === suit),
          ),
        ),
        this.line("faces", FACES),
      ),
    ];
  }

  line(key, codes) {
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

function found(picked, readings) {
  if (!picked.length) return h("p", { class: "quiet" }, "No card is picked.");
  if (!readings) return h("p", { class: "quiet" }, "…");
  if (!readings.length) return h("p", null, h("b", null, "Nothing."), " These cards are no combination.");
  return h(
    "ul",
    { class: "found" },
    readings.map((reading) =>
      h(
        "li",
        { key: reading.combination.text },
        h("b", null, capital(reading.combination.text)),
        h(
          "small",
          null,
          Object.entries(reading.wilds)
            .filter(([face, code]) => face !== code)
            .map(([face, code]) => `${face} is ${standsFor(code)}`)
            .join(", "),
        ),
      ),
    ),
  );
}

customElements.define("haggis-trainer", HaggisTrainer);
