from dataclasses import fields

import pytest

from engine.rulesets.classic import CLASSIC
from engine.rulesets.revised import REVISED
from engine.rulesets.terms import Terms


@pytest.mark.clause("revised.scoring.no-bonus", "common.betting.fifteen-and-thirty")
def test_the_terms_are_those_of_classic_without_the_bonus() -> None:
    assert REVISED.first_out_bonus == 0
    for term in fields(Terms):
        if term.name != "first_out_bonus":
            assert getattr(REVISED, term.name) == getattr(CLASSIC, term.name)


@pytest.mark.clause("common.match.suggested-targets")
def test_players_and_lengths_are_those_of_classic() -> None:
    assert REVISED.players == CLASSIC.players
    assert REVISED.suggested_targets == CLASSIC.suggested_targets


@pytest.mark.clause("revised.scoring.thirds")
def test_bets_in_thirds_are_an_option() -> None:
    assert [option.name for option in REVISED.options] == ["bomb_capture", "bet_split"]
    assert REVISED.options[1].default == "full"
