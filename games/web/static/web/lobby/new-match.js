/* The dialog for a new match with all its options. */

import { get } from "../lib/api.js";
import { modalDialog } from "../lib/dialog.js";
import { assignErrors, field, focusFirstError, problemAlert } from "../lib/forms.js";
import { t, tn } from "../lib/i18n.js";
import { levelName } from "../lib/text.js";
import { h } from "../lib/vdom.js";

const seatOptions = (view) => [
  ["open", t("Open to anyone")],
  ...view.levels.map((level) => [level, t("AI: {level}", { level: levelName(level).toLowerCase() })]),
  ["player", t("Invite a player")],
];
const VISIBILITIES = [
  ["public", t("Public")],
  ["unlisted", t("Unlisted (link only)")],
  ["private", t("Private (players only)")],
];
const DEFAULTS = {
  ruleset: "classic",
  players: 2,
  length: "250",
  clock: "",
  visibility: "public",
  seats: ["easy", "easy"],
  names: ["", ""],
  options: {},
};

const selectField = (id, text, options, value, change) =>
  h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, text),
    h(
      "select",
      { id, onchange: (event) => change(event.target.value) },
      options.map(([option, label]) =>
        h("option", { value: option, key: option, selected: String(value) === String(option) }, label),
      ),
    ),
  );

/** The form of a new match to which a player is invited. */
export const formWithInvited = (username) => ({
  ...DEFAULTS,
  seats: ["player", "easy"],
  names: [username, ""],
});

/** Load the rule sets and clocks to choose from. */
export async function loadChoices() {
  const [ruleSets, clocks] = await Promise.all([get("/rulesets?limit=100"), get("/clocks?limit=100")]);
  return { ruleSets: ruleSets.results, clocks: clocks.results };
}

export function newMatchDialog(view) {
  if (!view.state.newMatchOpen) return null;
  const form = view.state.form ?? DEFAULTS;
  const { ruleSets = [], clocks = [], busy, formProblem } = view.state;
  const rules = ruleSets.find((each) => each.key === form.ruleset);
  const change = (changes) => view.update({ form: { ...form, ...changes } });
  return modalDialog(
    {
      key: "making",
      title: t("New match"),
      kind: "making",
      onclose: () => view.update({ newMatchOpen: false, formProblem: null, fieldErrors: {} }),
    },
    h(
      "form",
      { key: "form", onsubmit: (event) => submit(view, event, requestBody(form, rules, clocks)) },
      h(
        "div",
        { class: "two" },
        selectField(
          "ruleset",
          t("Rules"),
          ruleSets.map(({ key, title }) => [key, title]),
          form.ruleset,
          (ruleset) =>
            change({
              ruleset,
              options: {},
              players: ruleSets.find((each) => each.key === ruleset).players.includes(form.players)
                ? form.players
                : 2,
            }),
        ),
        selectField(
          "players",
          t("Players"),
          (rules?.players ?? [2, 3]).map((count) => [count, count]),
          form.players,
          (players) => change({ players: Number(players) }),
        ),
        Array.from({ length: form.players - 1 }, (_, at) => seatFields(view, form, at, change)),
        selectField("length", t("Length"), lengthOptions(rules, form.players), form.length, (length) =>
          change({ length }),
        ),
        selectField(
          "clock",
          t("Clock"),
          [["", t("No clock")], ...clocks.map(({ key, title }) => [key, title])],
          form.clock,
          (clock) => change({ clock }),
        ),
        selectField("seen", t("Visibility"), VISIBILITIES, form.visibility, (visibility) =>
          change({ visibility }),
        ),
        Object.entries(rules?.options ?? {})
          .filter(([, option]) => option.players.includes(form.players))
          .map(([name, option]) =>
            selectField(
              name,
              option.meaning,
              Object.keys(option.choices).map((value) => [value, value.replaceAll("_", " ")]),
              form.options[name] ?? option.default,
              (value) => change({ options: { ...form.options, [name]: value } }),
            ),
          ),
      ),
      problemAlert(formProblem),
      h(
        "div",
        { class: "choices" },
        h("button", { class: "main", disabled: busy }, t("Start match")),
        h(
          "button",
          { type: "button", class: "plain", onclick: (event) => event.target.closest("dialog").close() },
          t("Cancel"),
        ),
      ),
    ),
  );
}

/** Create the match. An error stays in the dialog, at its field if it has one, until the form is submitted again. */
async function submit(view, event, body) {
  event.preventDefault();
  const form = event.target;
  view.update({ formProblem: null, fieldErrors: {} });
  const error = await view.createMatch(body);
  if (!error) return;
  const { problem, fieldErrors } = assignErrors(form, error);
  view.update({ formProblem: problem, fieldErrors });
  focusFirstError(form);
}

function seatFields(view, form, at, change) {
  const replaceAt = (list, value) => list.map((item, index) => (index === at ? value : item));
  return [
    selectField(
      `seat${at}`,
      t("Seat {number}", { number: at + 2 }),
      seatOptions(view),
      form.seats[at],
      (value) => change({ seats: replaceAt(form.seats, value) }),
    ),
    form.seats[at] === "player"
      ? field(`name${at}`, t("Username of the player in seat {number}", { number: at + 2 }), {
          value: form.names[at],
          autocapitalize: "none",
          spellcheck: "false",
          pointer: `/seats/${at + 1}/username`,
          error: view.state.fieldErrors?.[`name${at}`],
          oninput: (event) => change({ names: replaceAt(form.names, event.target.value) }),
        })
      : null,
  ];
}

function lengthOptions(rules, players) {
  const rounds = [1, ...(rules?.length.suggested_rounds[players] ?? []), 3];
  return [
    ...[100, ...(rules?.length.suggested_targets ?? [250, 350])].map((target) => [
      String(target),
      t("To {target} points", { target }),
    ]),
    ...[...new Set(rounds)]
      .sort((a, b) => a - b)
      .map((count) => [`r${count}`, tn("One round", "{count} rounds", count)]),
  ];
}

const seatRequest = (kind, name) =>
  kind === "open"
    ? { kind }
    : kind === "player"
      ? { kind, username: name.trim() }
      : { kind: "ai", level: kind };

const clockFields = (clock) =>
  clock
    ? { turn_seconds: clock.turn_seconds, time_bank_seconds: clock.time_bank_seconds }
    : { turn_seconds: null };

function requestBody(form, rules, clocks) {
  const rounds = form.length.startsWith("r") ? Number(form.length.slice(1)) : null;
  const others = form.seats.slice(0, form.players - 1).map((kind, at) => seatRequest(kind, form.names[at]));
  return {
    ruleset: rules?.key ?? form.ruleset,
    players: form.players,
    options: form.options,
    seats: [{ kind: "me" }, ...others],
    visibility: form.visibility,
    ...(rounds ? { rounds } : { target_score: Number(form.length) }),
    ...clockFields(clocks.find(({ key }) => key === form.clock)),
    hints: others.every(({ kind }) => kind === "ai"),
  };
}
