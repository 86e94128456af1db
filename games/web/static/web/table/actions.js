/* The action area: play the selected cards, pass, bet, choose who captures, and the standing order to pass. */

import { wildCardsText } from "../lib/cards.js";
import { refusalReason } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { pausedPrompt, pauseRequest } from "./pause.js";
import { clock } from "./seats.js";

const shapeOf = ({ combination }) => `${combination.kind} ${combination.width} ${combination.length}`;

/** Return the reading to play by default, or null if the selected cards can form several shapes. */
export function defaultReading(readings) {
  const playable = readings.filter((reading) => reading.playable);
  if (new Set(playable.map(shapeOf)).size !== 1) return null;
  return playable.reduce((best, reading) =>
    reading.combination.top > best.combination.top ? reading : best,
  );
}

export function actionArea(view) {
  const { table } = view.state;
  if (table.status === "paused") return pausedPrompt(view);
  if (table.seats[table.you.seat].state === "caretaker") return reclaimPrompt(view);
  if (table.seats[table.you.seat].state === "resigned")
    return h(
      "p",
      { class: "prompt", key: "prompt" },
      "You resigned. An AI plays your cards until the match ends.",
    );
  return [
    pauseRequest(view),
    table.you.awards.length ? awardPrompt(view) : turnPrompt(view),
    betChoices(view),
    readingChoices(view),
    buttonRow(view),
  ];
}

function reclaimPrompt(view) {
  return h(
    "p",
    { class: "prompt", key: "prompt" },
    "An AI is playing for you. ",
    h(
      "button",
      { type: "button", class: "main", onclick: () => view.postAction("/reclaim") },
      "Take your seat back",
    ),
  );
}

function turnPrompt(view) {
  const { table } = view.state;
  const { round } = table;
  if (round.out.includes(table.you.seat))
    return h("p", { class: "prompt", key: "prompt" }, "You are out. The others keep playing.");
  if (!table.you.to_act) {
    const waitsFor = round.to_act === null ? "the next deal" : view.labelOf(round.to_act).object;
    return h("p", { class: "prompt quiet", key: "prompt" }, `Waiting for ${waitsFor}.`, clock(view));
  }
  const top = round.trick.findLast((entry) => entry.type === "play");
  const instruction = top ? `beat the ${top.combination.text}, or pass` : "lead any combination";
  return h(
    "p",
    { class: "prompt your-turn", key: "prompt" },
    h("span", null, h("b", null, "Your turn"), `: ${instruction}.`),
    clock(view),
  );
}

function awardPrompt(view) {
  return h(
    "div",
    { class: "prompt your-turn", key: "award", role: "group", "aria-label": "Who captures the trick?" },
    h("p", null, h("b", null, "Your bomb won the trick."), " Who captures it? ", clock(view)),
    h(
      "div",
      { class: "choices" },
      view.state.table.you.awards.map((seat) =>
        h(
          "button",
          {
            type: "button",
            class: "main",
            key: seat,
            onclick: () => view.sendAction({ type: "award", to: seat }),
          },
          view.labelOf(seat).name,
        ),
      ),
    ),
  );
}

function betChoices(view) {
  const { you, status } = view.state.table;
  if (!you.may_bet || status !== "active") return null;
  return h(
    "div",
    { class: "bets", key: "bets", role: "group", "aria-label": "Bet before your first card" },
    h("span", null, "Bet before your first card:"),
    you.bets.map((amount) =>
      h(
        "button",
        {
          type: "button",
          class: "chip",
          key: amount,
          onclick: () => view.sendAction({ type: "bet", amount }),
        },
        amount || "none",
      ),
    ),
  );
}

function readingChoices(view) {
  const { selected, check } = view.state;
  if (!selected.size) return legalPlays(view);
  if (!check) return h("p", { class: "readings quiet", key: "checking" }, "…");
  if (!check.readings.length)
    return h("p", { class: "readings no", key: "nothing" }, "These cards do not form a combination.");
  return h(
    "div",
    { class: "readings", key: "readings", role: "radiogroup", "aria-label": "What these cards can be" },
    check.readings.map((reading, index) => readingChip(view, reading, index)),
  );
}

function readingChip(view, reading, index) {
  const { check, choice, table } = view.state;
  const chosen = choice === index;
  const wildCards = wildCardsText(reading.wilds);
  const only = check.readings.length === 1;
  return h(
    "button",
    {
      type: "button",
      key: index,
      role: "radio",
      "aria-checked": String(chosen),
      class: `chip reading${chosen ? " chosen" : ""}${reading.playable ? "" : " no"}`,
      "aria-disabled": reading.playable ? undefined : "true",
      onclick: () => reading.playable && view.update({ choice: index }),
    },
    reading.playable && !only ? h("i", { class: "dot", "aria-hidden": "true" }) : null,
    h("b", null, reading.combination.text),
    wildCards ? h("small", null, wildCards) : null,
    reading.playable || !table.round ? null : h("small", { class: "why" }, refusalReason(reading.rule)),
  );
}

/** List all legal plays by combination, those with the fewest wild cards first. */
function legalPlays(view) {
  const list = view.state.legalPlays;
  if (!list) return null;
  if (!list.combinations.length)
    return h("p", { class: "readings", key: "none" }, "You cannot beat this play.");
  return h(
    "div",
    { class: "readings plays", key: "plays", role: "group", "aria-label": "What you can play" },
    list.combinations.map(({ combination, cheapest, count }) =>
      h(
        "button",
        { type: "button", class: "chip", key: combination.text, onclick: () => view.selectCards(cheapest) },
        combination.text,
        count > 1 ? h("small", null, `${count} ways`) : null,
      ),
    ),
  );
}

function buttonRow(view) {
  const { table, selected, busy } = view.state;
  const { you, round } = table;
  const mine = you.to_act && round.expects !== "award" && table.status === "active";
  return h(
    "div",
    { class: "buttons", key: "buttons" },
    h(
      "button",
      {
        type: "button",
        class: "main play",
        key: "play",
        "aria-disabled": String(!view.canPlay()),
        onclick: () => view.play(),
      },
      busy ? "…" : "Play",
    ),
    mine && round.expects === "play_or_pass"
      ? h("button", { type: "button", class: "pass", key: "pass", onclick: () => view.pass() }, "Pass")
      : null,
    selected.size
      ? h(
          "button",
          { type: "button", class: "plain", key: "back", onclick: () => view.clearSelection() },
          "Clear",
        )
      : null,
    mine && !selected.size
      ? h(
          "button",
          {
            type: "button",
            class: "plain",
            key: "plays",
            "aria-expanded": String(Boolean(view.state.legalPlays)),
            onclick: () => view.toggleLegalPlays(),
          },
          "What can I play?",
        )
      : null,
    mine && table.hints
      ? h("button", { type: "button", class: "plain", key: "hint", onclick: () => view.hint() }, "Hint")
      : null,
    standingOrderSwitch(view),
  );
}

function standingOrderSwitch(view) {
  const { you, round, status } = view.state.table;
  const waitsInTrick =
    round.trick.length > 0 && !you.to_act && !round.out.includes(you.seat) && status === "active";
  if (!waitsInTrick && !you.standing_order) return null;
  return h(
    "button",
    {
      type: "button",
      role: "switch",
      class: "switch",
      key: "order",
      "aria-checked": String(you.standing_order),
      onclick: () => view.setStandingOrder(!you.standing_order),
    },
    "Pass for the rest of this trick",
  );
}
