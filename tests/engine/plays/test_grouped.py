from engine.cards.hand import mask_of, parse_cards
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import Kind
from engine.combinations.rules import FOUR_SUITS
from engine.plays.grouped import cost, grouped
from engine.plays.leading import leads

PLAYS = leads(mask_of(parse_cards("7r 7g 8r 9r J Q")), FOUR_SUITS)


def test_every_play_is_counted_in_exactly_one_group() -> None:
    assert sum(group.count for group in grouped(PLAYS)) == len(PLAYS)


def test_each_combination_has_one_group() -> None:
    combinations = [group.combination for group in grouped(PLAYS)]
    assert len(combinations) == len(set(combinations))


def test_a_name_filters_the_groups() -> None:
    runs = grouped(PLAYS, Named(kind=Kind.RUN, length=3))
    assert runs
    assert {(group.combination.kind, group.combination.length) for group in runs} == {(Kind.RUN, 3)}


def test_the_cheapest_play_of_a_group_has_the_lowest_cost() -> None:
    for group in grouped(PLAYS):
        same = [play for play in PLAYS if play >> 48 == group.combination.number]
        assert cost(group.cheapest) == min(cost(play) for play in same)


def test_a_single_face_card_costs_one_and_a_suit_card_nothing() -> None:
    by_text = {str(group.combination): group for group in grouped(PLAYS)}
    assert cost(by_text["single jack"].cheapest)[0] == 1
    assert cost(by_text["single seven"].cheapest)[0] == 0
