import pytest

from engine.matches.first_lead import first_dealer_and_leader
from engine.rulesets.catalogue import rule_set


@pytest.mark.clause(
    "common.lead.first-left-of-dealer",
    "classic.setup.first-dealer",
    "revised.setup.first-dealer",
    "booklet.setup.first-dealer-random",
)
@pytest.mark.parametrize("key", ("classic", "revised", "booklet"))
@pytest.mark.parametrize(("drawn", "leader"), ((0, 1), (1, 2), (2, 0)))
def test_the_drawn_seat_deals_and_its_left_neighbour_leads(key: str, drawn: int, leader: int) -> None:
    assert first_dealer_and_leader(rule_set(key).at_table(players=3), drawn) == (drawn, leader)


def test_haggish_starts_the_same_way() -> None:
    assert first_dealer_and_leader(rule_set("haggish").at_table(players=2), 1) == (1, 0)


@pytest.mark.clause("deluxe.setup.first-leader")
@pytest.mark.parametrize("drawn", range(3))
def test_in_deluxe_the_drawn_seat_leads_and_nobody_deals(drawn: int) -> None:
    assert first_dealer_and_leader(rule_set("deluxe").at_table(players=3), drawn) == (None, drawn)
