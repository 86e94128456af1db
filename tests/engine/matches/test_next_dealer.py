import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.matches.next_dealer import next_dealer
from engine.rulesets.catalogue import RULE_SETS, rule_set

WITH_DEALER = [rules for rules in RULE_SETS if rules.has_dealer]


@pytest.mark.clause("common.next.dealer-most-points")
@pytest.mark.parametrize("key", ("classic", "revised", "booklet"))
def test_the_player_with_the_most_points_deals(key: str) -> None:
    rules = rule_set(key).at_table(players=3)
    assert next_dealer(rules, totals=(40, 120, 90), out=(0, 2)) == 1


@pytest.mark.clause("common.next.dealer-tie-first-out")
@pytest.mark.parametrize("key", ("classic", "revised", "booklet"))
def test_in_a_tie_the_first_out_of_the_last_round_deals(key: str) -> None:
    rules = rule_set(key).at_table(players=3)
    assert next_dealer(rules, totals=(120, 120, 90), out=(1, 2)) == 1


@pytest.mark.clause("common.next.dealer-tie-first-out")
def test_the_first_out_deals_in_a_tie_even_if_not_tied() -> None:
    rules = rule_set("classic").at_table(players=3)
    assert next_dealer(rules, totals=(120, 120, 90), out=(2, 1)) == 2


def test_haggish_chooses_the_dealer_like_classic() -> None:
    rules = rule_set("haggish").at_table(players=2)
    assert next_dealer(rules, totals=(40, 20), out=(1,)) == 0
    assert next_dealer(rules, totals=(40, 40), out=(1,)) == 1


def test_deluxe_has_no_dealer() -> None:
    assert next_dealer(rule_set("deluxe").at_table(players=3), totals=(1, 2, 3), out=(0, 1)) is None


@given(totals=st.lists(st.integers(0, 3), min_size=3, max_size=3), first_out=st.integers(0, 2))
def test_a_seat_with_fewer_points_deals_only_as_first_out_in_a_tie(totals: list[int], first_out: int) -> None:
    dealer = next_dealer(rule_set("classic").at_table(players=3), totals=totals, out=(first_out,))
    assert dealer is not None
    assert totals[dealer] == max(totals) or (dealer == first_out and totals.count(max(totals)) > 1)
