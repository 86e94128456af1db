from dataclasses import FrozenInstanceError

import pytest

from engine.cards.hand import FACES, mask_of
from engine.deals.chain import make_chain
from engine.deals.deal import Deal, deal
from engine.matches.ending import Length
from engine.matches.state import start_match
from engine.rulesets.model import TableRules
from tests.engine.matches.tables import Script, match_of
from tests.engine.rounds.tables import at_every_table
from tests.engine.scoring.finished_rounds import table

DEAL = ("2r 3r", "4o 5o", "6y 7y")


@at_every_table
def test_a_match_starts_at_zero_with_its_first_round_dealt(rules: TableRules) -> None:
    script = Script(DEAL[: rules.players])
    state = match_of(rules, Length(target=250), script)
    assert script.asked == [1]
    assert state.totals == (0,) * rules.players
    assert (state.round.number, state.round.rules, state.result, state.is_over) == (1, rules, None, False)


@pytest.mark.clause(
    "common.lead.first-left-of-dealer",
    "classic.setup.first-dealer",
    "revised.setup.first-dealer",
    "booklet.setup.first-dealer-random",
)
@pytest.mark.parametrize("key", ("classic", "revised", "booklet"))
@pytest.mark.parametrize("drawn", (0, 1, 2))
def test_the_left_neighbour_of_the_drawn_dealer_leads_the_first_round(key: str, drawn: int) -> None:
    first = match_of(table(key), Length(target=250), Script(DEAL), first_seat=drawn).round
    assert (first.dealer, first.leader, first.to_act) == (drawn, (drawn + 1) % 3, (drawn + 1) % 3)


@pytest.mark.clause("deluxe.setup.first-leader")
@pytest.mark.parametrize("drawn", (0, 1, 2))
def test_in_deluxe_the_drawn_seat_leads_the_first_round_without_a_dealer(drawn: int) -> None:
    first = match_of(table("deluxe"), Length(target=250), Script(DEAL), first_seat=drawn).round
    assert (first.dealer, first.leader, first.to_act) == (None, drawn, drawn)


@pytest.mark.clause(
    "common.setup.fourteen-dealt", "common.setup.own-face-cards", "common.setup.haggis-left-over"
)
@at_every_table
def test_hands_and_haggis_match_the_deal_plus_face_cards(rules: TableRules) -> None:
    def dealing(number: int) -> Deal:
        link = make_chain("m", bytes(32)).link(number)
        return deal(deal_id="m", number=number, link=link, players=rules.players, seeds=("",) * rules.players)

    state = start_match(rules, Length(target=250), first_seat=0, dealing=dealing)
    first = dealing(1)
    assert state.round.dealt == tuple(mask_of(hand) | FACES for hand in first.hands)
    assert [hand.bit_count() for hand in state.round.position.hands] == [17] * rules.players
    assert state.round.haggis == mask_of(first.haggis)
    assert state.round.haggis.bit_count() == {2: 8, 3: 3}[rules.players]


def test_the_repr_of_a_match_does_not_depend_on_the_cards() -> None:
    one = match_of(table("classic"), Length(target=250), Script(DEAL, haggis="Tr"))
    other = match_of(table("classic"), Length(target=250), Script(DEAL[::-1], haggis="Tb"))
    assert repr(one) == repr(other)


def test_a_match_is_immutable() -> None:
    state = match_of(table("classic"), Length(target=250), Script(DEAL))
    with pytest.raises(FrozenInstanceError):
        state.totals = (250, 0, 0)  # type: ignore[misc]
