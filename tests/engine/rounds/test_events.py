import pytest

from engine.rounds.events import Out, RoundEvent, TrickEnd
from tests.engine.rounds.tables import events_of, round_of


@pytest.mark.parametrize(
    ("lines", "happened"),
    (
        (("0 plays 7r",), ()),
        (("0 plays 7r", "1 passes"), ()),
        (("0 plays 7r", "1 passes", "2 passes"), (TrickEnd(winner=0, captured_by=0),)),
        (("0 plays 7r 7o",), (Out(0),)),
        (("0 plays 7r 7o", "1 plays 8o 8y"), ()),
        (("0 plays 7r 7o", "1 plays 8o 8y", "2 passes"), (TrickEnd(winner=1, captured_by=1),)),
        (("0 plays 7r 7o", "1 plays 8o 8y", "2 plays Ty Tg"), (Out(2), TrickEnd(winner=2, captured_by=2))),
        (("2 bets 15",), ()),
    ),
)
def test_events_are_in_order_with_going_out_before_the_end_of_the_trick(
    lines: tuple[str, ...], happened: tuple[RoundEvent, ...]
) -> None:
    assert events_of(round_of("classic", "7r 7o", "8o 8y J", "Ty Tg"), *lines) == happened


def test_a_bombed_trick_ends_only_when_it_is_awarded() -> None:
    start = round_of("classic", "7r 7o", "J Q", "Ty Tg")
    lines = ("0 plays 7r 7o", "1 plays J Q")
    assert events_of(start, *lines) == (Out(1),)
    assert events_of(start, *lines, "1 gives 2") == (TrickEnd(winner=1, captured_by=2),)
