/* Tips beside the controls in the first matches of a browser, each until it is dismissed. */

import { closeSheet, modalDialog } from "../lib/dialog.js";
import { term } from "../lib/glossary.js";
import { t, tx } from "../lib/i18n.js";
import { readStored, writeStored } from "../lib/storage.js";
import { h } from "../lib/vdom.js";
import { waitsInTrick } from "./actions.js";

const STORAGE_KEY = "haggis.tips";
const MAX_MATCHES = 3;
const FEW_CARDS = 4;

const load = () => ({ dismissed: [], matches: [], off: false, ...readStored(STORAGE_KEY) });
let progress = load();

function save(changes) {
  progress = { ...load(), ...changes };
  writeStored(STORAGE_KEY, progress);
}

/** Return whether this is one of the first matches; remember it as such. */
function isFirstMatch({ id }) {
  if (progress.off) return false;
  if (progress.matches.includes(id)) return true;
  if (progress.matches.length >= MAX_MATCHES) return false;
  save({ matches: [...progress.matches, id] });
  return true;
}

const isTurn = ({ you, round }, expects) => you.to_act && round.expects === expects;
const isBomb = (play) => play?.type === "play" && play.combination.kind === "bomb";

// The tips in the order of their importance: when each applies, and what it says.
const TIPS = [
  {
    id: "award",
    applies: (table) => table.you.awards.length > 0,
    text: () =>
      tx("You won with a {bomb}, so an opponent captures the cards. Choose the one with fewer points.", {
        bomb: term("bomb"),
      }),
  },
  {
    id: "bomb",
    applies: ({ round }) =>
      isBomb((round.trick.length ? round.trick : (round.last_trick?.plays ?? [])).findLast(isBomb)),
    text: () =>
      tx("A {bomb} beats everything but a higher bomb. An opponent of its player captures the trick.", {
        bomb: term("bomb"),
      }),
  },
  {
    id: "lead",
    applies: (table) => isTurn(table, "play"),
    text: () =>
      tx(
        "You {lead}: select the cards of any {combination}, then press Play. “What can I play?” lists them all.",
        {
          lead: term("lead"),
          combination: term("combination"),
        },
      ),
  },
  {
    id: "beat",
    applies: (table) => isTurn(table, "play_or_pass"),
    text: () =>
      tx("To {beat} it, play the same kind and number of cards, but higher, or a {bomb}. Or {pass}.", {
        beat: term("beat"),
        bomb: term("bomb"),
        pass: term("pass"),
      }),
  },
  {
    id: "bet",
    applies: ({ you, status }) => you.may_bet && status === "active",
    text: () =>
      tx("A {bet} is optional: choose an amount to read what you win or lose before you confirm it.", {
        bet: term("bet"),
      }),
  },
  {
    id: "wild",
    applies: ({ you }) => you.to_act,
    text: () =>
      tx("Your J, Q and K are {wild}. Select one with other cards and it becomes a card that you need.", {
        wild: term("wild", t("wild cards")),
      }),
  },
  {
    id: "order",
    applies: (table) => waitsInTrick(table) && table.seats.length > 2,
    text: () =>
      tx("You do not want to play in this {trick} any more? The {order} passes for you until it ends.", {
        trick: term("trick"),
        order: term("order"),
      }),
  },
  {
    id: "out",
    applies: ({ round }) => round.hands.some(({ count }) => count > 0 && count <= FEW_CARDS),
    text: () =>
      tx("{out} scores 5 points for each card in the largest hand of the others.", {
        out: term("out", t("Going out")),
      }),
  },
];

/** Return the tip for the present situation, if there is one that has not been dismissed. */
const currentTip = (table) =>
  TIPS.find(({ id, applies }) => !progress.dismissed.includes(id) && applies(table));

const showsTips = (table) => table.status === "active" && isFirstMatch(table);

/** The place of the tips in the first matches. It stays while there is no tip, so that nothing moves. */
export function tipPlace(view) {
  const { table, lastPlay, short } = view.state;
  if (!table.you || !showsTips(table)) return null;
  const tip = lastPlay ? null : currentTip(table);
  return h("div", { class: "tip-place", key: "tip" }, tip ? tipNote(view, tip, short) : null);
}

/** A tip: on short screens a line of it, which opens. */
function tipNote(view, tip, short) {
  const open = () => view.update({ sheet: "tip" });
  return h(
    "div",
    {
      class: `tip${short ? " short" : ""}`,
      key: `tip-${tip.id}`,
      role: "note",
      "aria-label": t("Tip"),
      "data-tip": tip.id,
    },
    h("p", null, tip.text()),
    short
      ? h("button", { type: "button", class: "chip", onclick: open }, t("Read the tip"))
      : tipButtons(view, tip),
  );
}

function tipButtons(view, { id }, kind = "chip") {
  const change = (changes) => {
    save(changes);
    view.update({ sheet: null });
    view.focusHand();
  };
  const dismiss = () => change({ dismissed: [...progress.dismissed, id] });
  return h(
    "div",
    { class: "choices" },
    h("button", { type: "button", class: kind, autofocus: kind === "main", onclick: dismiss }, t("Got it")),
    h("button", { type: "button", class: "link", onclick: () => change({ off: true }) }, t("No more tips")),
  );
}

/** The dialog of a tip that a short screen does not show whole. */
export function tipDialog(view) {
  const { table, sheet } = view.state;
  if (sheet !== "tip" || !showsTips(table)) return null;
  const tip = currentTip(table);
  if (!tip) return null;
  return modalDialog(
    { key: "tip-dialog", title: t("Tip"), kind: "tip-sheet", onclose: closeSheet(view, "tip") },
    h("p", null, tip.text()),
    tipButtons(view, tip, "main"),
  );
}
