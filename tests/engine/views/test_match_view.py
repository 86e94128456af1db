from random import Random

from engine.deals.chain import make_chain
from engine.deals.deal import deal
from engine.matches.ending import Length
from engine.matches.state import start_match
from engine.rulesets.catalogue import rule_set
from engine.views.match_view import view_match
from engine.views.round_view import view_round


def test_a_match_view_contains_the_round_view_of_the_same_viewer() -> None:
    chain = make_chain("m", bytes(Random(1).randrange(256) for _ in range(32)))
    rules = rule_set("classic").at_table(players=2)
    match = start_match(
        rules,
        Length.agreed(),
        first_seat=0,
        dealing=lambda number: deal(
            deal_id="m", number=number, link=chain.link(number), players=2, seeds=("", "")
        ),
    )
    view = view_match(match, 1)
    assert view.round == view_round(match.round, 1)
    assert view.totals == (0, 0)
    assert view.result is None
    assert (view.rules, view.length) == (rules, Length(target=250))
