"""Matches against AIs that nobody has played for long end by themselves."""

from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from games.lobby.services.membership import cancel_idle_matches
from games.matches.models.match import Match, MatchStatus
from games.play.resignation import resign
from games.sweep.tasks import end_idle_matches
from tests.support.factories import last_entry, make_player, play_ai_turns, start_match


def after_days(days: float) -> datetime:
    return timezone.now() + timedelta(days=days)


def status_of(match: Match) -> str:
    return Match.objects.get(pk=match.pk).status


@pytest.mark.parametrize("levels", (("easy",), ("easy", "random")))
def test_match_against_ais_is_cancelled_after_the_days_of_the_setting(
    database: str, levels: tuple[str, ...]
) -> None:
    match = start_match(make_player(), *levels)
    assert cancel_idle_matches(now=after_days(settings.HAGGIS_IDLE_MATCH_DAYS - 0.1)) == 0
    assert status_of(match) == MatchStatus.ACTIVE
    assert cancel_idle_matches(now=after_days(settings.HAGGIS_IDLE_MATCH_DAYS + 0.1)) == 1
    assert status_of(match) == MatchStatus.CANCELLED
    entry = last_entry(Match.objects.get(pk=match.pk))
    assert (entry["type"], entry["seat"], entry["by"], entry["then"]) == ("cancelled", None, "clock", [])
    assert cancel_idle_matches(now=after_days(settings.HAGGIS_IDLE_MATCH_DAYS + 0.1)) == 0


def test_moves_of_ais_do_not_count_as_activity(database: str) -> None:
    match = start_match(make_player(), "random")
    play_ai_turns(match)
    assert cancel_idle_matches(now=after_days(31)) == 1


def test_matches_between_people_and_between_ais_stay(database: str) -> None:
    people = start_match(make_player(), make_player())
    three = start_match(make_player(), make_player(), "easy")
    ais = start_match("easy", "random", maker=make_player())
    assert cancel_idle_matches(now=after_days(365)) == 0
    assert {status_of(match) for match in (people, three, ais)} == {MatchStatus.ACTIVE}


def test_a_person_left_with_an_ai_after_a_resignation_counts_as_alone(database: str) -> None:
    players = make_player(), make_player()
    match = start_match(*players, "easy")
    resign(match_id=match.pk, player=players[0])
    assert cancel_idle_matches(now=after_days(31)) == 1


def test_task_reads_the_setting(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = start_match(make_player(), "easy")
    end_idle_matches()
    assert status_of(match) == MatchStatus.ACTIVE
    monkeypatch.setattr(settings, "HAGGIS_IDLE_MATCH_DAYS", 0)
    end_idle_matches()
    assert status_of(match) == MatchStatus.CANCELLED
