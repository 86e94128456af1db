"""Write the sections that all rule pages share: the cards, the combinations, the bombs, a trick.

The text depends on the number of players where the rules do.
"""

from typing import Final

from engine.cards.deck import DEALT_CARDS, HAND_CARDS, SUITS_FOR, haggis_size
from engine.rulesets.examples import COMBINATIONS
from engine.rulesets.markdown import bullets, heading, paragraph, table
from engine.rulesets.model import RuleSet
from engine.rulesets.terms import THREE
from engine.rulesets.wording import FACE_CARDS

_STAIR: Final = (
    "A **stair** is two or more ranks in sequence, each in the same two or more suits: pairs in two suits, "
    "triples in three. (A run is like a stair of a single suit.)"
)
_BOMBS: Final = (
    "3-5-7-9 in four different suits",
    "J-Q",
    "J-K",
    "Q-K",
    "J-Q-K",
    "3-5-7-9 in one suit",
)


def _for_three(rules: RuleSet, text: str, *, otherwise: str) -> str:
    """Return `text` for a rule set that three can play, or `otherwise` for one for two players only."""
    return text if THREE in rules.players else otherwise


def game_section(rules: RuleSet) -> list[str]:
    """Return the section about the aim of the game."""
    others = _for_three(rules, "the others are", otherwise="your opponent is")
    return [
        heading("The game"),
        paragraph(
            f"Haggis is a climbing game: get rid of all your cards before {others} rid of theirs.",
            "On the way, capture tricks for the points in them, and bet on yourself when your hand is "
            "worth it.",
            "Points add up from round to round until the match is won.",
        ),
    ]


def cards_section(rules: RuleSet) -> list[str]:
    """Return the section about the deck and the deal."""
    head = ["players", "suits", "suit cards", "dealt to each", "hand with J Q K", "haggis"]
    rows = [[str(number) for number in _deal(players)] for players in rules.players]
    return [
        heading("Cards and deal"),
        paragraph(
            "The suit cards have the ranks 2 to 10, once in each suit. The face cards jack, queen and king "
            "(11, 12 and 13) have no suit. Every player has one of each, face up on the table: they belong "
            "to the hand and may be played like any card of it.",
        ),
        paragraph(
            "Shuffle the suit cards and deal them. The cards left over are the *haggis*. It stays face "
            "down, and nobody sees it until the round is scored.",
        ),
        table(head, rows),
        paragraph(
            "A card is written as its rank and its suit: `7g` is the seven of green, `Tr` the ten of red.",
            "The suits are",
            _for_three(
                rules,
                "`r` red, `o` orange, `y` yellow, `g` green and, with three players, `b` blue.",
                otherwise="`r` red, `o` orange, `y` yellow and `g` green.",
            ),
        ),
    ]


def _deal(players: int) -> tuple[int, ...]:
    suits = SUITS_FOR[players]
    return (players, suits, 9 * suits, DEALT_CARDS, HAND_CARDS, haggis_size(players))


def combinations_section(rules: RuleSet) -> list[str]:
    """Return the section about sets, runs, stairs and wild cards."""
    largest = _for_three(rules, "eight of a kind (seven with two players)", otherwise="seven of a kind")
    return [
        heading("Combinations"),
        bullets(
            [
                f"A **set** is one or more cards of one rank: a single, a pair, a triple, up to {largest}.",
                "A **run** is three or more cards of one suit in sequence.",
                _STAIR,
            ]
        ),
        paragraph(
            "**Face cards are wild** beside at least one suit card: they stand for any lower rank in any "
            "suit that is needed.",
            FACE_CARDS[rules.face_cards],
            "Alone, a face card is a single of its own rank, above the 10. Two or three face cards without a "
            "suit card are a bomb.",
        ),
        table(
            ["cards", "can be played as"],
            [
                [f"`{example.cards}`", "; ".join(example.names_under(rules.face_cards))]
                for example in COMBINATIONS
            ],
        ),
        paragraph(
            "Cards that can be several combinations are played as the one you name. If you name none, "
            "they are the highest of those that beat the trick, provided that all of these have the same "
            "shape.",
        ),
    ]


def bombs_section(_rules: RuleSet) -> list[str]:
    """Return the section about the six bombs."""
    return [
        heading("Bombs"),
        paragraph(
            "A bomb beats every combination that is not a bomb, and every lower bomb. From low to high:",
        ),
        "\n".join(f"{level}. {bomb}" for level, bomb in enumerate(_BOMBS, 1)),
        paragraph("The 3, 5, 7 and 9 of a bomb are the cards themselves; no wild card stands in for them."),
    ]


def trick_section(rules: RuleSet) -> list[str]:
    """Return the section about leading, following, passing, winning and capturing."""
    return [
        heading("A trick"),
        paragraph(
            "The leader plays any combination. Clockwise, each player then beats the combination on the "
            "table or passes. To beat it you need the same kind with as many ranks, as many cards of "
            "each rank, and a higher top rank; or a bomb. You may pass even if you could play, and "
            "passing does not commit you: if the trick comes round to you again, you may play.",
        ),
        paragraph(
            _for_three(
                rules,
                "The trick ends when everyone else has passed since the last play: with two players at the "
                "first pass, with three when two pass in a row. The player of the highest combination has "
                "won it and leads the next trick. A winner who is out of cards cannot; then the next player "
                "to the left who has cards leads.",
                otherwise="The trick ends at the first pass. The last to play has won it and leads the next.",
            ),
        ),
        paragraph(
            "The winner **captures** the cards of the trick. After a bomb, though, they go to an opponent:",
            _for_three(
                rules,
                "with two players to the other one, with three to the one the winner chooses.",
                otherwise="the bomb wins the lead and gives away the cards.",
            ),
        ),
    ]


def going_out_section(rules: RuleSet) -> list[str]:
    """Return the section about going out and the end of the round."""
    more = _for_three(rules, " With three players the other two play on.", otherwise="")
    return [
        heading("Going out"),
        paragraph(
            "Players who have played their last card, including face cards, are out. At that moment the "
            f"largest opposing hand is counted, unplayed face cards included.{more}",
        ),
        paragraph(
            "The round ends at once when only one player has cards left; that player does not play "
            "again. The cards of the final trick go to the player of its last combination or, after a "
            "bomb, to an opponent as usual.",
        ),
    ]
