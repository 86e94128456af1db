"""Define options that players may agree on before a match, and the terms that each choice changes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.errors import Malformed
from engine.rulesets.terms import THREE, TWO, BetSplit, BombCapture, CardPoints, FinalHand, Haggis

Change: TypeAlias = BetSplit | BombCapture | CardPoints | FinalHand | Haggis


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option: its meaning, and the terms it changes, if any."""

    value: str
    meaning: str
    changes: tuple[tuple[str, Change], ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to agree on; the first choice is the default, and the only one for other player counts."""

    name: str
    meaning: str
    players: tuple[int, ...]
    choices: tuple[Choice, ...]

    @property
    def default(self) -> str:
        """The value used if nothing is agreed."""
        return self.choices[0].value

    def choice(self, value: str, *, players: int) -> Choice:
        """Return the choice with this value, if it is available with this many players."""
        for choice in self.choices if players in self.players else self.choices[:1]:
            if choice.value == value:
                return choice
        raise Malformed(
            "invalid_options",
            "{name} cannot be '{value}' with {players} players.",
            where=self.name,
            name=self.name,
            value=value,
            players=players,
        )


def choose(options: Iterable[Option], selected: Mapping[str, str], *, players: int) -> tuple[Choice, ...]:
    """Return one choice per option, in order: the wanted one or the default; reject unknown options.

    >>> [choice.value for choice in choose((BOMB_CAPTURE,), {}, players=3)]
    ['winner_chooses']
    """
    by_name = {option.name: option for option in options}
    for name in selected:
        if name not in by_name:
            raise Malformed("invalid_options", "This rule set has no option '{name}'.", where=name, name=name)
    return tuple(
        option.choice(selected.get(name, option.default), players=players) for name, option in by_name.items()
    )


BOMB_CAPTURE: Final = Option(
    name="bomb_capture",
    meaning="Who captures a trick that was won by a bomb.",
    players=(THREE,),
    choices=(
        Choice("winner_chooses", "The winner of the trick chooses one of the two opponents."),
        Choice(
            "tournament",
            "The player of the next-highest combination in the trick. If a bomb was led and nothing else "
            "was played: the player to the right of the leader.",
            (("bomb_capture", BombCapture.NEXT_HIGHEST),),
        ),
    ),
)

BOMB_CAPTURE_LAST_ORDINARY: Final = Option(
    name=BOMB_CAPTURE.name,
    meaning=BOMB_CAPTURE.meaning,
    players=BOMB_CAPTURE.players,
    choices=(
        BOMB_CAPTURE.choices[0],
        Choice(
            "tournament",
            "The player who last played a combination that is not a bomb; if that is the winner, or "
            "there is none, the player of the play just below the winning bomb. If that bomb was led: "
            "the player to the right of the leader.",
            (("bomb_capture", BombCapture.LAST_ORDINARY),),
        ),
    ),
)

BET_SPLIT: Final = Option(
    name="bet_split",
    meaning="How the bets are paid.",
    players=(THREE,),
    choices=(
        Choice(
            "full",
            "A bet that fails is paid in full to the first out and to each other player without a bet.",
        ),
        Choice(
            "thirds",
            "The first out scores their own bet and two thirds of the other two bets, the second to go "
            "out scores one third of those two bets, the last scores nothing for bets.",
            (("bet_split", BetSplit.THIRDS),),
        ),
    ),
)

CAPTURED: Final = Option(
    name="captured",
    meaning="What captured cards are worth.",
    players=(TWO, THREE),
    choices=(
        Choice("one_per_card", "One point for every captured card."),
        Choice(
            "point_cards",
            "1 point for each 3, 5, 7 and 9, 2 for a J, 3 for a Q, 5 for a K, as in the other rule sets.",
            (("card_points", CardPoints.POINT_CARDS),),
        ),
    ),
)

HAGGIS_CAPTURE: Final = Option(
    name="haggis_capture",
    meaning="Who captures the haggis and the cards that are left in the last hand.",
    players=(TWO,),
    choices=(
        Choice("nobody", "Nobody: they are not scored."),
        Choice(
            "first_out",
            "The player who went out captures both.",
            (("final_hand", FinalHand.FIRST_OUT), ("haggis", Haggis.FIRST_OUT)),
        ),
    ),
)
