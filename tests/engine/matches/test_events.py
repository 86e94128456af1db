from typing import get_args

from engine.matches.ending import Length
from engine.matches.events import Dealt, MatchEnd, MatchEvent, RoundEnd
from engine.matches.state import Reason, Result
from engine.rounds.events import Out, TrickEnd
from tests.engine.matches.tables import ALL, Script, act, match_of
from tests.engine.scoring.finished_rounds import table

CLASSIC = table("classic", 2)


def happened(script: Script, length: Length) -> tuple[MatchEvent, ...]:
    """Return the events when one player goes out at once."""
    return act(match_of(CLASSIC, length, script, first_seat=1), f"0 {ALL}", script).events


def test_match_events_include_round_events_and_those_between_rounds() -> None:
    assert set(get_args(MatchEvent)) == {Out, TrickEnd, RoundEnd, Dealt, MatchEnd}


def test_a_round_ends_with_out_trick_end_round_end_and_dealt_in_this_order() -> None:
    then = happened(Script(("2r", "3r")), Length(target=250))
    assert [type(event) for event in then] == [Out, TrickEnd, RoundEnd, Dealt]


def test_a_match_ends_with_its_result_and_no_further_deal() -> None:
    then = happened(Script(("2r", "3r")), Length(rounds=1))
    assert [type(event) for event in then] == [Out, TrickEnd, RoundEnd, MatchEnd]
    assert then[-1] == MatchEnd(Result(winners=(0,), scores=(20 + 10 + 11, 0), reason=Reason.ROUNDS))


def test_a_round_end_reveals_the_cards_but_its_repr_does_not() -> None:
    one = happened(Script(("2r", "4o"), haggis="6r"), Length(target=250))[2]
    other = happened(Script(("2r", "4y"), haggis="8r"), Length(target=250))[2]
    assert isinstance(one, RoundEnd)
    assert isinstance(other, RoundEnd)
    assert one.hands != other.hands
    assert one.haggis != other.haggis
    assert repr(one) == repr(other)


def test_a_dealt_event_contains_no_cards() -> None:
    one = happened(Script(("2r", "4o"), ("4o", "5o")), Length(target=250))[-1]
    other = happened(Script(("2r", "4o"), ("8g", "9g")), Length(target=250))[-1]
    assert one == other == Dealt(number=2, dealer=0, leader=1)
