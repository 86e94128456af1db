"""Verdicts as sent to clients."""

from engine.records.verdict import Deals, Valid, Wrong


def test_a_valid_verdict_includes_whether_deals_are_proven() -> None:
    verdict = Valid(Deals.PROVEN)
    assert verdict.valid
    assert verdict.as_json() == {"valid": True, "deals": "proven"}


def test_a_wrong_verdict_includes_location_and_reason() -> None:
    verdict = Wrong("/rounds/0/number", "wrong_number", "This is round 1.")
    assert not verdict.valid
    assert verdict.as_json() == {
        "valid": False,
        "where": "/rounds/0/number",
        "code": "wrong_number",
        "detail": "This is round 1.",
    }
