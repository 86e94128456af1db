"""The players' guide to verifiable deals is correct: its script runs and prints the engine's answers."""

import doctest
from pathlib import Path

from engine.deals.chain import make_chain
from engine.deals.deal import deal
from engine.deals.first_seat import first_seat

GUIDE = Path(__file__).parents[3] / "docs" / "fairness.md"


def test_the_verification_script_in_the_guide_runs() -> None:
    results = doctest.testfile(str(GUIDE), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted > 15


def test_the_known_answers_in_the_guide_match_the_engine() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    chain = make_chain("m_example", bytes(range(32)))
    seeds = ("", "é", "x")
    dealt = deal(deal_id="m_example", number=2, link=chain.link(2), players=3, seeds=seeds)
    first = first_seat(deal_id="m_example", link=chain.link(1), players=3, seeds=seeds)
    hand, haggis = (" ".join(map(str, cards)) for cards in (dealt.hands[2], dealt.haggis))
    assert text.count(chain.anchor.hex()) == 2
    assert chain.link(1).hex() in text
    assert f"link 2 is `{chain.link(2).hex()}`" in text
    assert f"seat 2 has `{hand}`, the haggis is `{haggis}`" in text
    assert f"the first seat is {first};" in text
