"""Write the overview page: what all rule sets share, and a table of their differences."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.rulesets.markdown import bullets, heading, page, paragraph, table
from engine.rulesets.model import RuleSet
from engine.rulesets.terms import BetsClose, BetSucceeds, CardPoints, FaceCards, FinalHand, Haggis, LeadTie
from engine.rulesets.wording import join_numbers, suggested_targets

_SHORT: Final[Mapping[object, str]] = {
    BetSucceeds.GOES_OUT_FIRST: "go out first",
    BetSucceeds.SCORES_THE_BET: "score at least the bet",
    FaceCards.WILD_OR_OWN_RANK: "wild, or their own rank",
    FaceCards.WILD_ONLY: "only wild: none goes above ten",
    CardPoints.POINT_CARDS: "3 5 7 9: 1, J 2, Q 3, K 5",
    CardPoints.ONE_PER_CARD: "1 for every card",
    FinalHand.FIRST_OUT: "first out",
    FinalHand.NOBODY: "nobody",
    Haggis.FIRST_OUT: "first out",
    Haggis.LAST_TO_PLAY: "last to play; after a bomb the opponent who takes the final trick",
    Haggis.NOBODY: "nobody",
    LeadTie.LEFT_OF_DEALER: "fewest points; tied: left of the dealer",
    LeadTie.LEFT_OF_LAST_LEADER: "fewest points; tied: left of the last round's first leader",
}

_BETS_CLOSE: Final[Mapping[BetsClose, str]] = {
    BetsClose.FIRST_OUT: "when a player is out",
    BetsClose.ALL_BUT_ONE_OUT: "when all but one are out",
}

_ROWS: Final[tuple[tuple[str, Callable[[RuleSet], str]], ...]] = (
    ("players", lambda rules: join_numbers(rules.players)),
    ("bets", lambda rules: join_numbers(rules.bet_amounts)),
    ("to win a bet", lambda rules: _SHORT[rules.bet_succeeds]),
    ("bets close", lambda rules: _BETS_CLOSE[rules.bets_close]),
    ("face cards in runs and stairs", lambda rules: _SHORT[rules.face_cards]),
    ("bonus for the first of three out", lambda rules: str(rules.first_out_bonus or "none")),
    ("captured cards", lambda rules: _SHORT[rules.card_points]),
    ("the last hand goes to", lambda rules: _SHORT[rules.final_hand]),
    ("the haggis goes to", lambda rules: _SHORT[rules.haggis]),
    (
        "first round",
        lambda rules: "dealer drawn, left of the dealer leads" if rules.has_dealer else "leader drawn",
    ),
    (
        "next dealer",
        lambda rules: "most points; tied: first out of the last round" if rules.has_dealer else "no dealer",
    ),
    ("next leader", lambda rules: _SHORT[rules.lead_tie]),
    ("suggested targets", suggested_targets),
    (
        "suggested rounds",
        lambda rules: (
            "; ".join(
                f"{players} players: {join_numbers(rounds)}" for players, rounds in rules.suggested_rounds
            )
            or "none"
        ),
    ),
    ("options", lambda rules: ", ".join(f"`{option.name}`" for option in rules.options)),
)


def overview(rule_sets: tuple[RuleSet, ...], *, notice: str) -> str:
    """Return the page that compares the rule sets."""
    return page(
        [
            notice,
            heading("The rules of Haggis", 1),
            paragraph(
                "Five texts of the rules have been published. The deck, the bombs, the tricks and going "
                "out are the same in all of them, and so are the combinations, except for the role of "
                "face cards in runs and stairs; bets, scores and the deal differ. Each page below is "
                "complete: one is enough to play.",
            ),
            bullets(f"[{rules.title}]({rules.key}.md): {rules.summary}" for rules in rule_sets),
            heading("Where they differ"),
            table(
                ["", *(f"[{rules.title}]({rules.key}.md)" for rules in rule_sets)],
                [[name, *(answer(rules) for rules in rule_sets)] for name, answer in _ROWS],
            ),
            paragraph(
                "In all of them, a bet that fails is paid in full to the first out and to each other "
                "player without a bet. `bomb_capture` is a choice at tables of three only.",
            ),
        ]
    )
