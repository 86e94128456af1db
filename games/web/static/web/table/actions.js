/* The action area: play the selected cards, pass, bet, choose who captures, and the standing order to pass.

It has the same parts during the whole round, so that nothing moves under the pointer: options, a prompt, and the
buttons. A button that cannot be used is disabled instead of removed. */

import { wildCardsText } from "../lib/cards.js";
import { t, tx } from "../lib/i18n.js";
import { beatenText, combinationText, refusalReason } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { pausedPrompt, pauseRequest } from "./pause.js";
import { clock } from "./seats.js";

/** Return what combinations that can beat each other have in common. */
export const shapeOf = ({ combination }) => `${combination.kind} ${combination.width} ${combination.length}`;

/** Return the reading to play by default, or null if the selected cards can form several shapes. */
export function defaultReading(readings) {
  const playable = readings.filter((reading) => reading.playable);
  if (new Set(playable.map(shapeOf)).size !== 1) return null;
  return playable.reduce((best, reading) =>
    reading.combination.top > best.combination.top ? reading : best,
  );
}

/** Return what the player to act can do, as a sentence. */
export function turnInstruction({ round, you }) {
  if (you.awards.length) return t("choose who captures the trick.");
  const top = round.trick.findLast((entry) => entry.type === "play");
  return top
    ? t("beat {combination}, or pass.", { combination: beatenText(top.combination) })
    : t("lead any combination.");
}

export function actionArea(view) {
  const { table, lastPlay } = view.state;
  if (lastPlay) return lastPlayPrompt(view, lastPlay);
  if (table.status === "paused") return connectionNotice(view) ?? pausedPrompt(view);
  if (table.seats[table.you.seat].state === "caretaker") return connectionNotice(view) ?? reclaimPrompt(view);
  return [connectionNotice(view) ?? turnPrompt(view), optionArea(view), buttonRow(view)];
}

/** Say how the round ended while its last play is shown, before the score sheet. */
function lastPlayPrompt(view, { out }) {
  const { me, name } = view.labelOf(out.at(-1));
  return [
    h(
      "p",
      { class: "prompt", key: "prompt", tabindex: -1 },
      me
        ? t("You played your last card. The round is over.")
        : t("{name} played the last card. The round is over.", { name }),
    ),
    h("div", { class: "options", key: "options" }),
    h(
      "div",
      { class: "buttons", key: "buttons" },
      button({ key: "scores", class: "main", enabled: true, act: () => view.showScores() }, t("Show scores")),
    ),
  ];
}

/** Say that there is no connection, and that it is being restored. Nothing while connected. */
export function connectionNotice(view) {
  if (view.state.feed !== "offline") return null;
  return h(
    "p",
    { class: "prompt away", key: "away" },
    view.state.offline
      ? t("You are offline. Reconnecting…")
      : t("The service cannot be reached. Reconnecting…"),
  );
}

function reclaimPrompt(view) {
  return h(
    "p",
    { class: "prompt", key: "prompt" },
    t("An AI is playing for you."),
    " ",
    h(
      "button",
      { type: "button", class: "main", onclick: () => view.postAction("/reclaim") },
      t("Take your seat back"),
    ),
  );
}

function turnPrompt(view) {
  const { table } = view.state;
  const mine = table.you.to_act || table.you.awards.length > 0;
  const text = mine ? turnInstruction(table) : waitingText(view);
  return h(
    "p",
    { class: `prompt ${mine ? "your-turn" : "quiet"}`, key: "prompt", tabindex: -1 },
    h(
      "span",
      { key: text }, // another text does not move, but takes the place of the one before
      mine
        ? tx("{turn}: {instruction}", {
            turn: h("b", null, table.you.awards.length ? t("Your bomb won the trick") : t("Your turn")),
            instruction: text,
          })
        : text,
    ),
    clock(view),
  );
}

function waitingText({ state: { table }, labelOf }) {
  const { round, you } = table;
  if (round.to_act === null) return t("Waiting for the next deal.");
  const { name } = labelOf(round.to_act);
  if (round.expects === "award") return t("{name} chooses who captures the trick.", { name });
  return round.out.includes(you.seat)
    ? t("You are out. Waiting for {name}.", { name })
    : t("Waiting for {name}.", { name });
}

/** Stack what can be chosen in an area of fixed height, so that the buttons and the hand stay where they are. */
function optionArea(view) {
  const choices = view.state.table.you.awards.length
    ? [awardChoices(view)]
    : [readingChoices(view), standingOrderSwitch(view), betChoices(view)];
  return h(
    "div",
    { class: "options", key: "options" },
    h("div", { class: "option-stack" }, pauseRequest(view), choices),
  );
}

function awardChoices(view) {
  return h(
    "div",
    { class: "choices award", key: "award", role: "group", "aria-label": t("Who captures the trick?") },
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
  );
}

function betChoices(view) {
  const { you, status } = view.state.table;
  if (!you.may_bet || status !== "active") return null;
  return h(
    "div",
    { class: "bets", key: "bets", role: "group", "aria-label": t("Bet before your first card") },
    h("span", null, t("Bet before your first card:")),
    you.bets.map((amount) =>
      h(
        "button",
        {
          type: "button",
          class: "chip",
          key: amount,
          onclick: () => view.update({ sheet: "bet", betAmount: amount }),
        },
        amount || t("none"),
      ),
    ),
  );
}

function readingChoices(view) {
  const { selected, check, checkFailed, feed, legalPlays } = view.state;
  if (!selected.size)
    return legalPlays && !legalPlays.combinations.length
      ? h("p", { class: "readings", key: "none" }, t("You cannot beat this play."))
      : null;
  if (checkFailed || (!check && feed === "offline"))
    return h(
      "p",
      { class: "readings", key: "unchecked" },
      t("These cards are checked when you are connected again."),
    );
  if (!check) return h("p", { class: "readings quiet", key: "checking" }, t("Checking…"));
  if (!check.readings.length)
    return h("p", { class: "readings no", key: "nothing" }, t("These cards do not form a combination."));
  const inOrder = check.readings
    .map((reading, index) => ({ reading, index }))
    .sort((one, other) => other.reading.playable - one.reading.playable);
  return h(
    "div",
    { class: "readings", key: "readings", role: "radiogroup", "aria-label": t("What these cards can be") },
    inOrder.map(({ reading, index }) => readingChip(view, reading, index)),
  );
}

/** Describe a reading: the combination, what the wild cards are, and why it cannot be played now. */
export function readingText(reading, inRound) {
  const wildCards = wildCardsText(reading.wilds);
  return [
    h("b", null, combinationText(reading.combination)),
    wildCards ? h("small", null, wildCards) : null,
    reading.playable || !inRound ? null : h("small", { class: "why" }, refusalReason(reading.rule)),
  ];
}

function readingChip(view, reading, index) {
  const { check, choice, table } = view.state;
  const chosen = choice === index;
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
    reading.playable && check.readings.length > 1 ? h("i", { class: "dot", "aria-hidden": "true" }) : null,
    readingText(reading, table.round),
  );
}

/** Return the text with which the readings of the selected cards are announced. */
export function readingsAnnouncement({ readings }) {
  if (!readings.length) return t("These cards do not form a combination.");
  const playable = readings.filter((reading) => reading.playable);
  if (playable.length)
    return t("You can play: {combinations}.", {
      combinations: playable.map(({ combination }) => combinationText(combination)).join("; "),
    });
  return readings
    .map(({ combination, rule }) =>
      t("{combination}: {reason}.", {
        combination: combinationText(combination),
        reason: refusalReason(rule),
      }),
    )
    .join(" ");
}

function buttonRow(view) {
  const { table, selected, busy } = view.state;
  const { you, round } = table;
  const mine = you.to_act && round.expects !== "award" && table.status === "active";
  const mayPass = mine && round.expects === "play_or_pass" && !busy;
  return h(
    "div",
    { class: `buttons${round.expects === "award" ? " unavailable" : ""}`, key: "buttons" },
    // Also while the cards are being checked: `play` waits for the result, and announces why it cannot play.
    h(
      "button",
      {
        type: "button",
        class: "main play",
        key: "play",
        "aria-disabled": view.canPressPlay() ? undefined : "true",
        onclick: () => view.play(),
      },
      t("Play"),
    ),
    button({ key: "pass", class: "pass", enabled: mayPass, act: () => view.pass() }, t("Pass")),
    selected.size
      ? button(
          { key: "clear", class: "plain wide", enabled: true, act: () => view.clearSelection() },
          t("Clear"),
        )
      : button(
          { key: "plays", class: "plain wide", enabled: mine, act: () => view.toggleLegalPlays() },
          t("What can I play?"),
        ),
    table.hints
      ? button({ key: "hint", class: "plain", enabled: mine, act: () => view.hint() }, t("Hint"))
      : null,
  );
}

const button = ({ key, class: kind, enabled, act }, text) =>
  h(
    "button",
    {
      type: "button",
      class: kind,
      key,
      "aria-disabled": enabled ? undefined : "true",
      onclick: () => enabled && act(),
    },
    text,
  );

function standingOrderSwitch(view) {
  const { you } = view.state.table;
  if (!waitsInTrick(view.state.table) && !you.standing_order) return null;
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
    t("Pass for the rest of this trick"),
  );
}

/** Return whether the player waits for others to act in a trick. */
export const waitsInTrick = ({ you, round, status }) =>
  round.trick.length > 0 && !you.to_act && !round.out.includes(you.seat) && status === "active";
