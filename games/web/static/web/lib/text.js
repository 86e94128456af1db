/* Texts of the user interface: log entries, rules, names, times and combinations.

Every entry is a whole sentence with placeholders, in the second and in the third person, so that it can be translated. */

import { t, tc, tn } from "./i18n.js";

/** Return the language of the page, in which numbers and times are written. */
const language = () => globalThis.document?.documentElement.lang || "en";

const REFUSALS = {
  "lead.anything": t("you may lead anything"),
  "beat.same_kind": t("not the same kind: play the same kind or a bomb"),
  "beat.same_size": t("not the same size: play as many cards of the same kind, or a bomb"),
  "beat.higher_top": t("not high enough"),
  "bomb.beats_all": t("a bomb beats it"),
  "bomb.beats_lower": t("only a higher bomb beats a bomb"),
  "bomb.only_by_bomb": t("only a bomb beats a bomb"),
};

/** Explain why a reading cannot be played now. */
export const refusalReason = (rule) => REFUSALS[rule] ?? rule;

const LEVELS = { random: t("Random"), easy: t("Easy"), medium: t("Medium"), hard: t("Hard") };
export const levelName = (level) => LEVELS[level] ?? level;

/** The events that players can be notified of, with their labels in the settings. */
export const NOTIFICATION_KINDS = [
  ["your_turn", t("Your turn")],
  ["reminder", t("Time running out")],
  ["invitation", t("Invitations")],
  ["caretaker", t("AI playing for you")],
  ["match_end", t("End of a match")],
  ["export_ready", t("Archive of your data")],
];
/** The same for push messages: log-ins from new devices and changes of the account are always mailed. */
export const PUSH_KINDS = [...NOTIFICATION_KINDS, ["security", t("Account security")]];

const RULE_SETS = {
  classic: t("Classic"),
  revised: t("Revised"),
  booklet: t("Booklet"),
  haggish: t("Haggish"),
  deluxe: t("Deluxe"),
};
export const ruleSetName = (key) => RULE_SETS[key] ?? key;

export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return the length of a match, for example "3 rounds". */
export function matchLength(match) {
  if (match.rounds) return tn("one round", "{count} rounds", match.rounds);
  return t("to {points} points", { points: match.target_score });
}

/** Join names as a list: "Ailsa and Ben". */
export const listText = (items, type = "conjunction") =>
  new Intl.ListFormat(language(), { type }).format(items);

// Sentences about a seat: the first for the player's own, the second for that of somebody else.
const ENTRIES = {
  play: [
    (values) => t("You play {combination}.", values),
    (values) => t("{name} plays {combination}.", values),
  ],
  pass: [() => t("You pass."), (values) => t("{name} passes.", values)],
  bet: [(values) => t("You bet {amount}.", values), (values) => t("{name} bets {amount}.", values)],
  no_bet: [() => t("You declare no bet."), (values) => t("{name} declares no bet.", values)],
  award: [
    (values) => t("You give the trick to {to}.", values),
    (values) => t("{name} gives the trick to {to}.", values),
  ],
  award_to_me: [null, (values) => t("{name} gives the trick to you.", values)],
  joined: [() => t("You take a seat."), (values) => t("{name} takes a seat.", values)],
  left: [() => t("You leave."), (values) => t("{name} leaves.", values)],
  invited: [() => t("You are invited."), (values) => t("{name} is invited.", values)],
  resigned: [() => t("You resign."), (values) => t("{name} resigns.", values)],
  caretaker: [() => t("An AI plays for you."), (values) => t("An AI plays for {name}.", values)],
  reclaimed: [() => t("You are back."), (values) => t("{name} is back.", values)],
  pause_asked: [() => t("You ask for a pause."), (values) => t("{name} asks for a pause.", values)],
  resume_asked: [() => t("You ask to resume."), (values) => t("{name} asks to resume.", values)],
  trick_end: [() => t("You take the trick."), (values) => t("{name} takes the trick.", values)],
  bombed_trick: [
    (values) => t("You win the trick with a bomb, {other} captures it.", values),
    (values) => t("{name} wins the trick with a bomb, {other} captures it.", values),
  ],
  bombed_trick_to_me: [null, (values) => t("{name} wins the trick with a bomb, you capture it.", values)],
  out: [() => t("You are out."), (values) => t("{name} is out.", values)],
  match_end: [() => t("You win the match."), (values) => t("{name} wins the match.", values)],
};

// Sentences about the match, without a seat.
const MATCH_ENTRIES = {
  declined: t("An invitation is declined."),
  started: t("The match starts."),
  paused: t("The match is paused."),
  resumed: t("The match resumes."),
  extended: t("The time to act is extended."),
  seat_changed: t("A seat changes hands."),
  cancelled: t("The match is cancelled."),
  annulled: t("The match is annulled."),
};

const sentence = (kind, who, values = {}) => ENTRIES[kind][who.me ? 0 : 1]({ name: who.name, ...values });

const EVENTS = {
  trick_end: ({ winner, captured_by: capturer }, labelOf) => {
    if (capturer === null || capturer === undefined || capturer === winner)
      return sentence("trick_end", labelOf(winner));
    const kind = labelOf(capturer).me ? "bombed_trick_to_me" : "bombed_trick";
    return sentence(kind, labelOf(winner), { other: labelOf(capturer).name });
  },
  out: (event, labelOf) => sentence("out", labelOf(event.seat)),
  round_end: (event) =>
    t("Round {number} is over: {totals}.", { number: event.number, totals: scoreText(event.totals) }),
  deal: (event) => t("Round {number} is dealt.", { number: event.number }),
  match_end: ({ result }, labelOf) =>
    result.winners.length === 1
      ? sentence("match_end", labelOf(result.winners[0]))
      : t("{names} win the match.", { names: listText(result.winners.map((seat) => labelOf(seat).name)) }),
};

/** The points of all seats: "250 – 180". */
export const scoreText = (totals) => totals.join(" – ");

/** Describe a log entry in sentences. `labelOf` returns `{name, object, me}` for a seat. */
export function describeEntry(entry, labelOf) {
  return [
    entrySentence(entry, labelOf),
    ...(entry.by === "clock" ? [t("The time ran out.")] : []),
    ...entry.then.filter((event) => event.type in EVENTS).map((event) => EVENTS[event.type](event, labelOf)),
  ];
}

function entrySentence(entry, labelOf) {
  if (entry.type in MATCH_ENTRIES) return MATCH_ENTRIES[entry.type];
  if (!(entry.type in ENTRIES)) return `${entry.type}.`;
  const hasSeat = entry.seat !== null && entry.seat !== undefined;
  const who = hasSeat ? labelOf(entry.seat) : { name: t("Nobody"), me: false };
  if (entry.type === "bet") return sentence(entry.amount ? "bet" : "no_bet", who, { amount: entry.amount });
  if (entry.type === "award") {
    const to = labelOf(entry.to);
    return sentence(to.me ? "award_to_me" : "award", who, { to: to.name });
  }
  return sentence(entry.type, who, { combination: playText(entry.combination) });
}

/** "2 hours ago", "in 3 days". */
export function relativeTime(iso, now = Date.now()) {
  const seconds = (Date.parse(iso) - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  for (const [unit, length] of [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ]) {
    if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit);
  }
  return seconds < 0 ? t("just now") : t("in a moment");
}

/** Format a duration in its largest unit: "3 days", "10 minutes". */
export function durationText(seconds) {
  const [unit, length] = [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
    ["second", 1],
  ].find(([, unitSeconds]) => seconds >= unitSeconds);
  const format = new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.round(seconds / length));
}

/** Format remaining seconds as a clock; from two days on as days and hours. */
export function clockText(seconds) {
  if (seconds >= 2 * 86400) {
    const [days, hours] = [Math.floor(seconds / 86400), Math.floor((seconds % 86400) / 3600)];
    return hours ? t("{days} days {hours} h", { days, hours }) : tn("{count} day", "{count} days", days);
  }
  const [hours, minutes, remainder] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    Math.floor(seconds % 60),
  ];
  const pad = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${pad(minutes)}:${pad(remainder)}` : `${minutes}:${pad(remainder)}`;
}

const RANKS = [
  "",
  "",
  t("two"),
  t("three"),
  t("four"),
  t("five"),
  t("six"),
  t("seven"),
  t("eight"),
  t("nine"),
  t("ten"),
  t("jack"),
  t("queen"),
  t("king"),
];
const PLURALS = [
  "",
  "",
  t("twos"),
  t("threes"),
  t("fours"),
  t("fives"),
  t("sixes"),
  t("sevens"),
  t("eights"),
  t("nines"),
  t("tens"),
];
// How many cards or ranks there are, which some languages write differently from the name of a rank.
const COUNTS = [
  "",
  "",
  tc("count", "two"),
  tc("count", "three"),
  tc("count", "four"),
  tc("count", "five"),
  tc("count", "six"),
  tc("count", "seven"),
  tc("count", "eight"),
  tc("count", "nine"),
  tc("count", "ten"),
  tc("count", "eleven"),
  tc("count", "twelve"),
];
const GROUPS = ["", "", t("pairs"), t("triples"), t("quadruples"), t("quintuples")];
const BOMBS = ["", t("3-5-7-9 in four suits"), "J-Q", "J-K", "Q-K", "J-Q-K", t("3-5-7-9 in one suit")];

const placeholders = ({ kind, top, width, length }) => ({
  rank: RANKS[top],
  ranks: PLURALS[top],
  count: COUNTS[kind === "set" ? width : length],
  groups: GROUPS[width],
  lowest: RANKS[top - length + 1],
  highest: RANKS[top],
  cards: BOMBS[top],
});

/** Return which texts describe a combination. */
function shapeName({ kind, width }) {
  if (kind !== "set") return kind;
  return width === 1 ? "single" : width === 2 ? "pair" : "set";
}

const COMBINATIONS = {
  single: (values) => t("single {rank}", values),
  pair: (values) => t("pair of {ranks}", values),
  set: (values) => t("{count} {ranks}", values),
  run: (values) => t("run of {count}, {lowest} to {highest}", values),
  stair: (values) => t("stair of {groups}, {lowest} to {highest}", values),
  bomb: (values) => t("bomb {cards}", values),
};

/** Describe a combination, in English as the API does. */
export const combinationText = (combination) =>
  COMBINATIONS[shapeName(combination)](placeholders(combination));

const OBJECTS = {
  single: (values) => t("a single {rank}", values),
  pair: (values) => t("a pair of {ranks}", values),
  set: (values) => t("{count} {ranks}", values),
  run: (values) => t("a run of {count}, {lowest} to {highest}", values),
  stair: (values) => t("a stair of {groups}, {lowest} to {highest}", values),
  bomb: (values) => t("a bomb, {cards}", values),
};

/** Describe a combination as the object of a sentence: "a pair of sevens". */
export const playText = (combination) =>
  combination?.kind
    ? OBJECTS[shapeName(combination)](placeholders(combination))
    : (combination?.text ?? t("cards"));

const BEATEN = {
  single: (values) => t("the single {rank}", values),
  pair: (values) => t("the pair of {ranks}", values),
  set: (values) => t("the {count} {ranks}", values),
  run: (values) => t("the run of {count}, {lowest} to {highest}", values),
  stair: (values) => t("the stair of {groups}, {lowest} to {highest}", values),
  bomb: (values) => t("the bomb {cards}", values),
};

/** Describe the combination on the table: "the pair of sevens". */
export const beatenText = (combination) => BEATEN[shapeName(combination)](placeholders(combination));

const SIZES = {
  single: () => t("Single cards"),
  pair: () => t("Pairs"),
  set: (values) => t("Sets of {count}", values),
  run: (values) => t("Runs of {count}", values),
  stair: (values) => t("Stairs of {count} {groups}", values),
  bomb: () => t("Bombs"),
};

/** Return the heading of the combinations of one kind and size: "Runs of three". */
export const sizeText = (combination) => SIZES[shapeName(combination)](placeholders(combination));
