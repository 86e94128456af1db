"""Test positions: rounds that are set up from a deal, without a stored match."""

import pytest

from engine.cards.deck import deck_for
from games.core.errors import Problem
from games.core.secrets import Secret
from games.gateway.agreement import Agreement, make_agreement
from games.gateway.documents import DealDocument
from games.gateway.positions import (
    DealtRound,
    SeatAction,
    act_in_position,
    is_complete_deal,
    replay_position,
)
from games.gateway.table import parse_action
from games.gateway.views import own_options, round_to_json


def _agreement(**changed: object) -> Agreement:
    wanted = {"ruleset": "classic", "players": 2, "options": {}, "target_score": 250, "rounds": None}
    return make_agreement(**{**wanted, **changed})  # type: ignore[arg-type] # the test names the members


def _dealt(*hands: str, haggis: str = "", leader: int = 0) -> DealtRound:
    deal: DealDocument = {"hands": [hand.split() for hand in hands], "haggis": haggis.split()}
    return DealtRound(number=3, dealer=1, leader=leader, deal=Secret(deal))


def _play(seat: int, cards: str) -> SeatAction:
    return SeatAction(seat, {"type": "play", "cards": cards.split()})


_PASS = SeatAction(1, {"type": "pass"})


def test_a_position_shows_the_round_after_its_actions() -> None:
    actions = [SeatAction(1, {"type": "bet", "amount": 15}), _play(0, "4r 4g")]
    table = replay_position(_agreement(), _dealt("4r 4g 9y", "5r 5g"), actions)
    seen = round_to_json(table.view(1))
    assert (seen["number"], seen["to_act"], seen["bets"]) == (3, 1, [None, 15])
    assert [entry["cards"] for entry in seen["trick"]] == [["4r", "4g"]]
    assert seen["hands"][0]["cards"] is None
    assert own_options(table.view(1))["to_act"]


def test_a_position_starts_with_the_given_totals() -> None:
    table = replay_position(_agreement(), _dealt("4r", "5r"), totals=[120, 80])
    assert table.totals == [120, 80]


def test_an_action_that_breaks_a_rule_is_refused_with_its_clause() -> None:
    table = replay_position(_agreement(), _dealt("4r 6r", "3r 5g"), [_play(0, "4r")])
    with pytest.raises(Problem) as refused:
        act_in_position(table, 1, parse_action({"type": "play", "cards": ["3r"]}))
    assert refused.value.extra["rule"] == "beat.higher_top"


@pytest.mark.parametrize(
    "length", ({"target_score": 1}, {"target_score": 900}, {"target_score": None, "rounds": 5})
)
def test_a_position_ends_with_its_round_in_any_length_of_match(length: dict[str, int | None]) -> None:
    actions = [_play(0, "J"), _PASS, _play(0, "Q"), _PASS, _play(0, "K"), _PASS]
    table = replay_position(_agreement(**length), _dealt("4r", "5r"), actions)
    ended = act_in_position(table, 0, parse_action({"type": "play", "cards": ["4r"]}))
    assert [event["type"] for event in ended.events] == ["out", "trick_end", "round_end"]
    assert (ended.table.to_act, ended.table.round_number) == (None, 3)
    assert ended.table.totals[0] > 0
    assert round_to_json(ended.table.view(0))["hands"][1]["count"] == 4
    with pytest.raises(Problem) as refused:
        act_in_position(ended.table, 1, parse_action({"type": "pass"}))
    assert refused.value.code == "match_not_active"


def test_a_complete_deal_uses_each_card_of_the_deck_once() -> None:
    cards = [str(card) for card in deck_for(2)]
    deal: DealDocument = {"hands": [cards[:14], cards[14:28]], "haggis": cards[28:]}
    assert is_complete_deal(deal)
    assert is_complete_deal({**deal, "hands": [[*cards[:14], "J", "Q", "K"], cards[14:28]]})


def test_a_deal_with_a_card_twice_or_too_few_cards_is_not_complete() -> None:
    cards = [str(card) for card in deck_for(2)]
    assert not is_complete_deal({"hands": [cards[:14], cards[13:27]], "haggis": cards[28:]})
    assert not is_complete_deal({"hands": [cards[:13], cards[14:28]], "haggis": cards[28:]})
    assert not is_complete_deal({"hands": [cards[:14], cards[14:28]], "haggis": cards[28:-1]})
    assert not is_complete_deal({"hands": [cards[:14], cards[14:28]], "haggis": [*cards[28:-1], "2r"]})
