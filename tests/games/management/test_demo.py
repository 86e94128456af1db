"""The command that creates demo matches."""

import io
from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from games.gateway.agreement import rule_set_keys
from games.gateway.records import verify_record
from games.identity.models import PlayerKind
from games.management import demo
from games.management.demo import DemoMatch, make_demo
from games.matches.models.match import Match, MatchStatus
from games.matches.store import read_match
from games.records.queries import build_match_record
from games.records.verification import verify_matches


def run(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_a_dozen_matches_include_every_rule_set_and_every_status(database: str) -> None:
    lines = run("--seed", "7")
    assert Counter(Match.objects.values_list("status", flat=True)) == {"finished": 8, "active": 2, "open": 2}
    finished = Match.objects.filter(status=MatchStatus.FINISHED)
    assert set(finished.values_list("ruleset", flat=True)) == set(rule_set_keys())
    assert not finished.filter(seats__player__isnull=False).exists()
    for line, match in zip(lines, Match.objects.order_by("pk"), strict=True):
        assert line.startswith(f"{match.pk}  {match.status}")
    assert verify_matches().matches == 12


def test_the_records_of_demo_matches_are_valid_and_their_deals_proven(database: str) -> None:
    for made in make_demo(matches=3, seed=1):
        record = build_match_record(read_match(made.match_id, None))
        proven = "proven" if record["rounds"] else "unproven"
        assert verify_record(record) == {"valid": True, "deals": proven}
        assert record["rounds"] or made.status == MatchStatus.ACTIVE


def test_running_and_open_demo_matches_have_guests(database: str) -> None:
    list(make_demo(matches=4, seed=2))
    for match in Match.objects.exclude(status=MatchStatus.FINISHED):
        kinds = set(match.seats.exclude(player=None).values_list("player__kind", flat=True))
        assert kinds == {PlayerKind.GUEST}
        assert (match.open_seats > 0) == (match.status == MatchStatus.OPEN)


def test_the_same_seed_creates_the_same_matches(database: str) -> None:
    def drawn(match: DemoMatch) -> tuple[str, str, tuple[str, ...]]:
        return (
            match.ruleset,
            match.status,
            tuple(seat for seat in match.seats if not seat.startswith("guest-")),
        )

    first, second = ([drawn(match) for match in make_demo(matches=4, seed=3)] for _ in range(2))
    assert first == second


def test_demo_fails_when_a_worker_never_finishes_a_turn(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "take_turn", lambda **_: False)
    monkeypatch.setattr(demo, "_TURN_TIMEOUT_SECONDS", 0.0)
    with pytest.raises(TimeoutError, match="has stalled"):
        list(make_demo(matches=1))


def test_zero_matches_is_an_error(database: str) -> None:
    with pytest.raises(CommandError, match="at least 1"):
        run("--matches", "0")
