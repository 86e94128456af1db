"""Write the sections of a rule page that depend on the rule set."""

from engine.rulesets import wording
from engine.rulesets.examples import BETS, NAMES, BetExample
from engine.rulesets.markdown import bullets, heading, paragraph, table
from engine.rulesets.model import RuleSet
from engine.rulesets.options import BET_SPLIT, Option
from engine.rulesets.terms import DEFAULT_TARGET, ROUNDS, TARGETS, THREE, BetSplit


def bets_section(rules: RuleSet) -> list[str]:
    """Return the section about what may be bet, and when."""
    return [
        heading("Bets"),
        paragraph(
            "Before you play your first card of a round you may bet "
            f"{wording.join_numbers(rules.bet_amounts)} points on yourself, or declare 0: no bet. You "
            "need not wait for your turn, and may have passed before. Everyone may bet, the same amount "
            "or not. A declaration is final.",
            *([wording.BETS_CLOSE[rules.bets_close]] if THREE in rules.players else []),
        ),
        paragraph(wording.BET_SUCCEEDS[rules.bet_succeeds]),
    ]


def score_section(rules: RuleSet) -> list[str]:
    """Return the section about the score of a round."""
    return [
        heading("The score of a round"),
        bullets(wording.scoring(rules, rules.players)),
        heading("Bets: examples", 3),
        *_bet_examples(rules, BetSplit.FULL),
    ]


def _bet_examples(rules: RuleSet, split: BetSplit) -> list[str]:
    found = [
        (example, NAMES[:players])
        for players in rules.players
        for example in BETS.get((players, rules.bet_succeeds, split), ())
    ]
    head = ["bets", "out", "other points", "points for bets"]
    return [table(head, [_bet_row(example, names) for example, names in found])]


def _bet_row(example: BetExample, names: tuple[str, ...]) -> list[str]:
    order = ", then ".join(names[seat] for seat in example.out)
    return [_each(names, example.bets), order, _each(names, example.points), _each(names, example.paid)]


def _each(names: tuple[str, ...], points: tuple[int, ...]) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in zip(names, points, strict=True))


def next_round_section(rules: RuleSet) -> list[str]:
    """Return the section about who deals and who leads."""
    return [heading("Who deals, who leads"), bullets(wording.dealing(rules))]


def match_section(rules: RuleSet) -> list[str]:
    """Return the section about the length and the winner of a match."""
    return [
        heading("Winning the match"),
        paragraph(
            f"Agree on a target ({TARGETS.start} to {TARGETS.stop - 1} points) or on a number of rounds "
            f"({ROUNDS.start} to {ROUNDS.stop - 1}); the default is {DEFAULT_TARGET} points.",
            *wording.length(rules),
        ),
        paragraph(
            "The match ends after the round in which someone reaches the target, or after the last of "
            "the agreed rounds. The player with the most points wins. While several are tied for first, "
            "one more round is played.",
        ),
    ]


def options_section(rules: RuleSet) -> list[str]:
    """Return the section about the options."""
    open_here = [option for option in rules.options if set(option.players) & set(rules.players)]
    blocks = [heading("Options")]
    for option in open_here:
        blocks += [
            paragraph(f"`{option.name}`{_where(option, rules)}: {option.meaning}"),
            bullets(_choices(option)),
        ]
    if BET_SPLIT in open_here:
        blocks += [paragraph("Examples of bets in thirds:"), *_bet_examples(rules, BetSplit.THIRDS)]
    return blocks


def _where(option: Option, rules: RuleSet) -> str:
    return " (three players)" if option.players == (THREE,) and rules.players != option.players else ""


def _choices(option: Option) -> list[str]:
    return [
        f"`{choice.value}`{' (default)' if choice.value == option.default else ''}: {choice.meaning}"
        for choice in option.choices
    ]


def rulings_section(rules: RuleSet) -> list[str]:
    """Return the section about the rulings that fill the gaps of the text."""
    return [
        heading("How the text is read here"),
        paragraph("Where the published text is silent or ambiguous, these rulings decide."),
        bullets(ruling.text for ruling in rules.rulings),
    ]
