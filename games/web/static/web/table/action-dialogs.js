/* The dialogs of the action area: all readings, all plays, a bet, and the confirmation of a play or a pass. */

import { cardImage } from "../lib/card-art.js";
import { rankRange, sortCards } from "../lib/cards.js";
import { closeSheet, modalDialog } from "../lib/dialog.js";
import { t, tn } from "../lib/i18n.js";
import { combinationText, playText, sizeText } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { readingText, shapeOf, turnInstruction } from "./actions.js";

/** Return the dialog of the action area that is open, if any. */
export function actionDialog(view) {
  const { sheet, table, check, legalPlays } = view.state;
  if (!table.you || !table.round) return null;
  if (sheet === "readings" && check?.readings.length) return readingsDialog(view);
  if (sheet === "plays" && legalPlays?.combinations.length) return playsDialog(view);
  if (sheet === "bet" && table.you.may_bet) return betDialog(view);
  return sheet === "confirm" ? confirmDialog(view) : null;
}

const closeButton = (text) =>
  h("form", { method: "dialog", class: "choices" }, h("button", { class: "plain" }, text));

/** All readings of the selected cards. The ones that can be played are buttons that play them. */
function readingsDialog(view) {
  const { check, table } = view.state;
  const playable = check.readings.filter((reading) => reading.playable);
  const others = check.readings.filter((reading) => !reading.playable);
  const canAct = table.you.to_act && !view.state.busy;
  return modalDialog(
    {
      key: "readings-dialog",
      title: playable.length && canAct ? t("What do you want to play?") : t("What these cards can be"),
      kind: "readings-sheet",
      onclose: closeSheet(view, "readings"),
    },
    h(
      "div",
      { class: "choice-list" },
      playable.map((reading, at) =>
        h(
          "button",
          {
            type: "button",
            key: at,
            autofocus: at === 0,
            "aria-disabled": canAct ? undefined : "true",
            onclick: () => canAct && view.playReading(reading),
          },
          readingText(reading, table.round),
        ),
      ),
    ),
    others.length
      ? [
          h("h3", null, t("Not now")),
          h(
            "ul",
            { class: "choice-list" },
            others.map((reading, at) => h("li", { key: at }, readingText(reading, table.round))),
          ),
        ]
      : null,
    closeButton(t("Back")),
  );
}

/** Group combinations by kind and size, in the order of the list. */
function groupsOf(combinations) {
  const groups = new Map();
  for (const each of combinations) groups.set(shapeOf(each), [...(groups.get(shapeOf(each)) ?? []), each]);
  const kinds = ["set", "run", "stair", "bomb"];
  const order = ([{ combination }]) =>
    kinds.indexOf(combination.kind) * 10_000 + combination.length * 100 + combination.width;
  return [...groups.values()]
    .map((group) => group.sort((one, other) => one.combination.top - other.combination.top))
    .sort((one, other) => order(one) - order(other));
}

/** All combinations that the player can play, by kind and size. Choosing one selects its cards. */
function playsDialog(view) {
  const groups = groupsOf(view.state.legalPlays.combinations);
  return modalDialog(
    { key: "plays-dialog", title: t("What you can play"), kind: "plays", onclose: closeSheet(view, "plays") },
    h("p", { class: "quiet" }, t("Choose a combination to select its cards.")),
    groups.map((group) => playGroup(view, group)),
    closeButton(t("Close")),
  );
}

function playGroup(view, group) {
  const shape = shapeOf(group[0]);
  const id = `group-${shape.replaceAll(" ", "-")}`;
  return h(
    "section",
    { key: shape, class: "play-group", role: "group", "aria-labelledby": id },
    h("h3", { id }, sizeText(group[0].combination), " ", h("small", { class: "quiet" }, group.length)),
    h(
      "div",
      { class: "choice-row" },
      group.map(({ combination, cheapest, count }) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            key: combination.top,
            title: combinationText(combination),
            onclick: () => view.selectCards(cheapest),
          },
          combination.kind === "bomb" ? combinationText(combination) : rankRange(combination),
          count > 1 ? h("small", null, tn("{count} way", "{count} ways", count)) : null,
        ),
      ),
    ),
  );
}

/** Explain a bet before it is made: it cannot be taken back. */
function betDialog(view) {
  const { betAmount: amount, table } = view.state;
  return modalDialog(
    {
      key: "bet-dialog",
      title: amount ? t("Bet {amount} points?", { amount }) : t("Declare that you do not bet?"),
      onclose: closeSheet(view, "bet"),
    },
    betExplanation(table, amount).map((text, at) => h("p", { key: at }, text)),
    h(
      "form",
      { method: "dialog", class: "choices" },
      h(
        "button",
        {
          type: "button",
          class: "main",
          autofocus: true,
          onclick: () => view.sendAction({ type: "bet", amount }),
        },
        amount ? t("Bet {amount}", { amount }) : t("No bet"),
      ),
      h("button", { class: "plain" }, t("Cancel")),
    ),
  );
}

function betExplanation({ ruleset, players }, amount) {
  if (!amount)
    return [
      t("You cannot bet any more in this round. Without a declaration you can decide until your first card."),
    ];
  return [
    ruleset === "booklet"
      ? t("You win {amount} points if you score at least {amount} points in this round, without the bets.", {
          amount,
        })
      : t("You win {amount} points if you are the first to get rid of all cards.", { amount }),
    players === 2
      ? t("Otherwise your opponent gets {amount} points.", { amount })
      : t(
          "Otherwise the player who is out first gets {amount} points, and so does each other player without a bet.",
          {
            amount,
          },
        ),
    t("A bet cannot be changed or taken back."),
  ];
}

/** Ask for confirmation before a play or a pass, if the player has set it. */
function confirmDialog(view) {
  const { confirming, table } = view.state;
  const { action, reading } = confirming;
  return modalDialog(
    {
      key: "confirm-dialog",
      title: reading ? t("Play {combination}?", { combination: playText(reading.combination) }) : t("Pass?"),
      onclose: closeSheet(view, "confirm"),
    },
    reading
      ? h(
          "div",
          { class: "spread" },
          sortCards(action.cards).map((code) => cardImage(code, { key: code })),
        )
      : h("p", null, turnInstruction(table)),
    h(
      "form",
      { method: "dialog", class: "choices" },
      h(
        "button",
        { type: "button", class: "main", autofocus: true, onclick: () => view.sendAction(action) },
        reading ? t("Play") : t("Pass"),
      ),
      h("button", { class: "plain" }, t("Back")),
    ),
  );
}
