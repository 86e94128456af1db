/* Texts of the user interface: log entries, rules, names, times and combinations. */

const REFUSALS = {
  "lead.anything": "you may lead anything",
  "beat.same_kind": "not the same kind: play the same kind or a bomb",
  "beat.same_size": "not the same size: play as many cards of the same kind, or a bomb",
  "beat.higher_top": "not high enough",
  "bomb.beats_all": "a bomb beats it",
  "bomb.beats_lower": "only a higher bomb beats a bomb",
  "bomb.only_by_bomb": "only a bomb beats a bomb",
};

/** Explain why a reading cannot be played now. */
export const refusalReason = (rule) => REFUSALS[rule] ?? rule;

const LEVELS = { random: "Random", easy: "Easy", medium: "Medium", hard: "Hard" };
export const levelName = (level) => LEVELS[level] ?? level;

/** The events that players can be notified of, with their labels in the settings. */
export const NOTIFICATION_KINDS = [
  ["your_turn", "Your turn"],
  ["reminder", "Time running out"],
  ["invitation", "Invitations"],
  ["caretaker", "AI playing for you"],
  ["match_end", "End of a match"],
];

const RULE_SETS = {
  classic: "Classic",
  revised: "Revised",
  booklet: "Booklet",
  haggish: "Haggish",
  deluxe: "Deluxe",
};
export const ruleSetName = (key) => RULE_SETS[key] ?? key;

export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return the length of a match, for example "3 rounds". */
export function matchLength(match) {
  if (match.rounds) return match.rounds === 1 ? "one round" : `${match.rounds} rounds`;
  return `to ${match.target_score} points`;
}

/** "Ailsa plays", "You play". */
const verb = (who, other, you) => (who.me ? `You ${you}` : `${who.name} ${other}`);

const ENTRIES = {
  play: (who, entry) => `${verb(who, "plays", "play")} ${withArticle(entry)}`,
  pass: (who) => verb(who, "passes", "pass"),
  bet: (who, entry) =>
    entry.amount
      ? `${verb(who, "bets", "bet")} ${entry.amount}`
      : `${verb(who, "declares", "declare")} no bet`,
  award: (who, entry, labelOf) => `${verb(who, "gives", "give")} the trick to ${labelOf(entry.to).object}`,
  joined: (who) => `${verb(who, "takes", "take")} a seat`,
  left: (who) => `${verb(who, "leaves", "leave")}`,
  invited: (who) => `${verb(who, "is", "are")} invited`,
  declined: () => "An invitation is declined",
  started: () => "The match starts",
  resigned: (who) => `${verb(who, "resigns", "resign")}`,
  caretaker: (who) => `An AI plays for ${who.object}`,
  reclaimed: (who) => `${verb(who, "is", "are")} back`,
  pause_asked: (who) => `${verb(who, "asks", "ask")} for a pause`,
  resume_asked: (who) => `${verb(who, "asks", "ask")} to resume`,
  paused: () => "The match is paused",
  resumed: () => "The match resumes",
  extended: () => "The time to act is extended",
  seat_changed: () => "A seat changes hands",
  cancelled: () => "The match is cancelled",
  annulled: () => "The match is annulled",
};

const EVENTS = {
  trick_end: (event, labelOf) =>
    event.winner === event.captured_by || event.captured_by === null || event.captured_by === undefined
      ? `${verb(labelOf(event.winner), "takes", "take")} the trick`
      : `${verb(labelOf(event.winner), "wins", "win")} the trick with a bomb, ${labelOf(event.captured_by).me ? "you capture" : `${labelOf(event.captured_by).name} captures`} it`,
  out: (event, labelOf) => `${verb(labelOf(event.seat), "is", "are")} out`,
  round_end: (event) => `Round ${event.number} is over: ${event.totals.join(" to ")}`,
  deal: (event) => `Round ${event.number} is dealt`,
  match_end: (event, labelOf) =>
    `${event.result.winners.map((seat) => labelOf(seat).name).join(" and ")} ${event.result.winners.length === 1 && !labelOf(event.result.winners[0]).me ? "wins" : "win"} the match`,
};

function withArticle(entry) {
  const shape = entry.combination?.text;
  if (!shape) return "cards";
  return /^(bomb|three|four|five|six|seven|eight|two)/.test(shape) ? shape : `a ${shape}`;
}

/** Describe a log entry in sentences. `labelOf` returns `{name, object, me}` for a seat. */
export function describeEntry(entry, labelOf) {
  const describe = ENTRIES[entry.type];
  const who =
    entry.seat === null || entry.seat === undefined
      ? { name: "Nobody", object: "nobody" }
      : labelOf(entry.seat);
  const sentence = describe ? describe(who, entry, labelOf) : entry.type;
  const late = entry.by === "clock" ? " (time ran out)" : "";
  return [
    `${sentence}${late}.`,
    ...entry.then
      .filter((event) => event.type in EVENTS)
      .map((event) => `${EVENTS[event.type](event, labelOf)}.`),
  ];
}

const numberFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** "2 hours ago", "in 3 days". */
export function relativeTime(iso, now = Date.now()) {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, length] of [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ]) {
    if (Math.abs(seconds) >= length) return numberFormat.format(Math.round(seconds / length), unit);
  }
  return seconds < 0 ? "just now" : "in a moment";
}

/** Format remaining seconds as a clock; from two days on as days and hours. */
export function clockText(seconds) {
  if (seconds >= 2 * 86400) {
    const [days, hours] = [Math.floor(seconds / 86400), Math.floor((seconds % 86400) / 3600)];
    return hours ? `${days} days ${hours} h` : `${days} days`;
  }
  const [hours, minutes, remainder] = [
    Math.floor(seconds / 3600),
    Math.floor((seconds % 3600) / 60),
    Math.floor(seconds % 60),
  ];
  const pad = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${pad(minutes)}:${pad(remainder)}` : `${minutes}:${pad(remainder)}`;
}

const NUMBERS = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "jack",
  "queen",
  "king",
];
const rankWord = (rank) => NUMBERS[rank];
const plural = (rank) => (rank === 6 ? "sixes" : `${rankWord(rank)}s`);

/** Describe a combination of a record, which contains only its kind, top, width and length. */
export function combinationText({ kind, top, width, length }) {
  if (kind === "bomb") return "bomb";
  if (kind === "set")
    return width === 1
      ? `single ${rankWord(top)}`
      : width === 2
        ? `pair of ${plural(top)}`
        : `${NUMBERS[width]} ${plural(top)}`;
  const ranks = `${rankWord(top - length + 1)} to ${rankWord(top)}`;
  return kind === "run"
    ? `run of ${NUMBERS[length] ?? length}, ${ranks}`
    : `stair of ${width === 2 ? "pairs" : width === 3 ? "triples" : `${NUMBERS[width]}s`}, ${ranks}`;
}
