import pytest

from engine.matches.next_leader import next_leader
from engine.rulesets.catalogue import rule_set


@pytest.mark.clause("common.next.lead-fewest-points")
@pytest.mark.parametrize("key", ("classic", "revised", "booklet", "deluxe"))
def test_the_player_with_the_fewest_points_leads(key: str) -> None:
    rules = rule_set(key).at_table(players=3)
    dealer = 2 if rules.has_dealer else None
    assert next_leader(rules, totals=(40, 30, 90), dealer=dealer, last_leader=0) == 1


@pytest.mark.clause("common.next.lead-tie-left-of-dealer")
@pytest.mark.parametrize("key", ("classic", "revised", "booklet"))
@pytest.mark.parametrize(("dealer", "leader"), ((0, 1), (1, 2), (2, 0)))
def test_in_a_tie_for_fewest_the_left_neighbour_of_the_dealer_leads(
    key: str, dealer: int, leader: int
) -> None:
    rules = rule_set(key).at_table(players=3)
    for last_leader in range(3):
        assert next_leader(rules, totals=(30, 30, 30), dealer=dealer, last_leader=last_leader) == leader


def test_the_left_neighbour_of_the_dealer_leads_even_if_not_tied() -> None:
    rules = rule_set("classic").at_table(players=3)
    assert next_leader(rules, totals=(30, 90, 30), dealer=0, last_leader=2) == 1


@pytest.mark.clause("deluxe.next.lead-tie-left-of-last-leader")
@pytest.mark.parametrize(("last_leader", "leader"), ((0, 1), (1, 2), (2, 0)))
def test_in_deluxe_a_tie_is_led_by_the_left_neighbour_of_the_last_leader(
    last_leader: int, leader: int
) -> None:
    rules = rule_set("deluxe").at_table(players=3)
    assert next_leader(rules, totals=(30, 30, 30), dealer=None, last_leader=last_leader) == leader


@pytest.mark.clause("deluxe.next.lead-tie-left-of-last-leader")
def test_in_deluxe_the_left_neighbour_of_the_last_leader_leads_even_if_not_tied() -> None:
    rules = rule_set("deluxe").at_table(players=3)
    assert next_leader(rules, totals=(30, 90, 30), dealer=None, last_leader=0) == 1


@pytest.mark.parametrize(("key", "leader"), (("classic", 0), ("haggish", 0), ("deluxe", 1)))
def test_of_two_tied_players_the_one_to_the_left_leads(key: str, leader: int) -> None:
    rules = rule_set(key).at_table(players=2)
    dealer = 1 if rules.has_dealer else None
    assert next_leader(rules, totals=(30, 30), dealer=dealer, last_leader=0) == leader
