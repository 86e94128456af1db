"""A verdict as clients get it."""

from engine.records.verdict import Deals, Valid, Wrong


def test_a_valid_record_says_whether_its_deals_are_proven() -> None:
    verdict = Valid(Deals.PROVEN)
    assert verdict.valid
    assert verdict.as_json() == {"valid": True, "deals": "proven"}


def test_a_wrong_record_says_where_and_why() -> None:
    verdict = Wrong("/rounds/0/number", "wrong_number", "This is round 1.")
    assert not verdict.valid
    assert verdict.as_json() == {
        "valid": False,
        "where": "/rounds/0/number",
        "code": "wrong_number",
        "detail": "This is round 1.",
    }
