/* The dialog for a new match with all its options. */

import { get } from "../lib/api.js";
import { modalDialog } from "../lib/dialog.js";
import { field } from "../lib/forms.js";
import { levelName } from "../lib/text.js";
import { h } from "../lib/vdom.js";

const seatOptions = (view) => [
  ["open", "Open to anyone"],
  ...view.levels.map((level) => [level, `AI: ${levelName(level).toLowerCase()}`]),
  ["player", "Invite a player"],
];
const VISIBILITIES = [
  ["public", "Public"],
  ["unlisted", "Unlisted (link only)"],
  ["private", "Private (players only)"],
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

/** Load the rule sets and clocks to choose from. */
export async function loadChoices() {
  const [ruleSets, clocks] = await Promise.all([get("/rulesets?limit=100"), get("/clocks?limit=100")]);
  return { ruleSets: ruleSets.results, clocks: clocks.results };
}

export function newMatchDialog(view) {
  if (!view.state.newMatchOpen) return null;
  const form = view.state.form ?? DEFAULTS;
  const { ruleSets = [], clocks = [] } = view.state;
  const rules = ruleSets.find((each) => each.key === form.ruleset);
  const change = (changes) => view.update({ form: { ...form, ...changes } });
  return modalDialog(
    {
      key: "making",
      title: "New match",
      kind: "making",
      onclose: () => view.update({ newMatchOpen: false }),
    },
    h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          view.createMatch(requestBody(form, rules, clocks));
        },
      },
      h(
        "div",
        { class: "two" },
        selectField(
          "ruleset",
          "Rules",
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
          "Players",
          (rules?.players ?? [2, 3]).map((count) => [count, count]),
          form.players,
          (players) => change({ players: Number(players) }),
        ),
        Array.from({ length: form.players - 1 }, (_, at) => seatFields(view, form, at, change)),
        selectField("length", "Length", lengthOptions(rules, form.players), form.length, (length) =>
          change({ length }),
        ),
        selectField(
          "clock",
          "Clock",
          [["", "No clock"], ...clocks.map(({ key, title }) => [key, title])],
          form.clock,
          (clock) => change({ clock }),
        ),
        selectField("seen", "Visibility", VISIBILITIES, form.visibility, (visibility) =>
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
      view.state.problem ? h("p", { class: "problem", role: "alert" }, view.state.problem.message) : null,
      h(
        "div",
        { class: "choices" },
        h("button", { class: "main" }, "Start match"),
        h(
          "button",
          { type: "button", class: "plain", onclick: (event) => event.target.closest("dialog").close() },
          "Cancel",
        ),
      ),
    ),
  );
}

function seatFields(view, form, at, change) {
  const replaceAt = (list, value) => list.map((item, index) => (index === at ? value : item));
  return [
    selectField(`seat${at}`, `Seat ${at + 2}`, seatOptions(view), form.seats[at], (value) =>
      change({ seats: replaceAt(form.seats, value) }),
    ),
    form.seats[at] === "player"
      ? field(`name${at}`, "Username", {
          value: form.names[at],
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
      `To ${target} points`,
    ]),
    ...[...new Set(rounds)]
      .sort((a, b) => a - b)
      .map((count) => [`r${count}`, count === 1 ? "One round" : `${count} rounds`]),
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
