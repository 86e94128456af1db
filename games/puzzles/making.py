"""Make puzzles from the decisions of stored matches or of self-play."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, cycle, islice
from math import ceil
from random import Random
from typing import Final

from games.core.errors import require_found
from games.gateway.agreement import Agreement, allowed_players, make_agreement
from games.gateway.positions import DealtRound
from games.gateway.puzzles import (
    Effort,
    PuzzleDocument,
    logged_decisions,
    make_puzzle,
    self_played_decisions,
    verify_puzzle,
)
from games.gateway.records import TURNS
from games.gateway.views import View
from games.matches.models.log import Move, Round
from games.matches.models.match import Match, MatchStatus, Visibility
from games.matches.store import find_match

# A theme may be the subject of this share of the puzzles, so that they vary.
MOST_OF_A_THEME: Final = 0.3
# Self-play ends after this many rounds for each puzzle: then the settings select almost nothing.
MOST_ROUNDS_EACH: Final = 20
ANNULLED: Final = "annulled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How many puzzles to make, for which tables, from which seed, and how long to analyse a decision."""

    number: int
    seed: str
    simulations: int
    rulesets: tuple[str, ...]
    players: int | None = None

    def tables(self) -> list[tuple[str, int]]:
        """Return the rule sets and numbers of players, alternating between two and three players."""
        numbers = (2, 3) if self.players is None else (self.players,)
        return [
            (key, players) for key in self.rulesets for players in numbers if players in allowed_players(key)
        ]


def find_puzzles(making: Making, rounds: Iterable[tuple[str, list[View]]]) -> Iterator[PuzzleDocument]:
    """Yield puzzles, at most one of each round. The result depends on the rounds and on the seed only."""
    effort = Effort(simulations=making.simulations)
    most, themes = ceil(making.number * MOST_OF_A_THEME), Counter[str]()
    known: set[str] = set()
    for key, views in rounds:
        rng = Random(f"{making.seed}/{key}")  # noqa: S311 -- reproducible
        rng.shuffle(views)
        for view in views:
            puzzle = make_puzzle(view, rng, effort)
            if puzzle is None or puzzle["id"] in known or themes[puzzle["theme"]] >= most:
                continue
            known.add(puzzle["id"])
            themes[puzzle["theme"]] += 1
            yield puzzle
            break
        if themes.total() == making.number:
            return


def self_play_decisions(making: Making, level: str) -> Iterator[tuple[str, list[View]]]:
    """Yield the decisions of rounds between AIs of one level, at the tables in turn."""
    agreements = [_agreement(ruleset, players) for ruleset, players in making.tables()]
    rounds = zip(count(1), cycle(agreements))
    for number, agreement in islice(rounds, making.number * MOST_ROUNDS_EACH):
        seed = f"{making.seed}/{number}"
        yield str(number), self_played_decisions(agreement, seed=seed, name=level)


def _agreement(ruleset: str, players: int) -> Agreement:
    return make_agreement(ruleset=ruleset, players=players, options={}, target_score=None, rounds=None)


def match_decisions(making: Making) -> Iterator[tuple[str, list[View]]]:
    """Yield the decisions of the rounds of finished public matches, the newest match first."""
    tables = set(making.tables())
    matches = Match.objects.filter(
        status=MatchStatus.FINISHED, visibility=Visibility.PUBLIC, imported_at=None
    ).exclude(result__reason=ANNULLED)
    for match in matches.order_by("-finished_at", "pk").only("ruleset", "players").iterator():
        if (match.ruleset, match.players) in tables:
            agreement = require_found(find_match(match.pk)).agreement
            for played in Round.objects.filter(match=match, ended_at__isnull=False).order_by("number"):
                yield f"{match.pk}/{played.number}", _round_decisions(agreement, played)


def _round_decisions(agreement: Agreement, played: Round) -> list[View]:
    dealt = DealtRound(played.number, played.dealer, played.leader, played.deal)
    turns = Move.objects.filter(match=played.match_id, round_number=played.number, type__in=TURNS)
    return logged_decisions(agreement, dealt, list(turns.order_by("version").values_list("entry", flat=True)))


def verified_gap(puzzle: PuzzleDocument, seed: str, simulations: int) -> tuple[float, float]:
    """Return how far the next choice is behind in a longer comparison, and half the width of its interval."""
    found = verify_puzzle(puzzle, seed=f"{seed}/{puzzle['id']}", simulations=simulations)
    return found.cost, found.interval
