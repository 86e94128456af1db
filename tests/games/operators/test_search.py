"""Searches of the admin by name, display name, id and link."""

import pytest

from games.identity.models import Player
from games.matches.models.match import Match
from games.operators.search import find_target, search_matches, search_players
from games.operators.text import describe_clock, describe_timeouts
from tests.support.factories import make_player, start_match, start_timed_match


def players(term: str) -> set[str]:
    return set(search_players(Player.objects.all(), term).values_list("username", flat=True))


def test_players_are_found_by_display_name_id_and_link(database: str) -> None:
    heather = make_player("heather", display_name="Moor Walker")
    make_player("angus")
    for term in ("moor w", str(heather.pk), "https://haggis.example/@heather", "@Heather", "/@heather?x=1"):
        assert players(term) == {"heather"}, term


def test_players_of_a_match_are_found_by_its_link(database: str) -> None:
    match = start_match(make_player("heather"), make_player("angus"))
    make_player("bracken")
    assert players(f"http://localhost:8000/matches/{match.pk}#log") == {"heather", "angus"}


def test_matches_are_found_by_link(database: str) -> None:
    match = start_match(make_player("heather"), make_player())
    start_match(make_player(), make_player())
    for term in (f"https://haggis.example/matches/{match.pk}", f"/replay/{match.pk}", "/@heather"):
        assert list(search_matches(Match.objects.all(), term)) == [match], term


@pytest.mark.parametrize("term", ("", "   ", "nobody", "/matches/m_none", "@nobody", "%", "\\", "9" * 40))
def test_search_without_a_result_leads_nowhere(database: str, term: str) -> None:
    assert find_target(term) is None


def test_search_leads_to_the_page_of_a_match_or_player(database: str) -> None:
    heather = make_player("heather")
    match = start_match(heather, make_player())
    assert find_target(f"https://x.example/matches/{match.pk}") == ("games_match_change", match.pk)
    assert find_target("https://x.example/@HEATHER") == ("games_player_change", heather.pk)


def test_clock_is_described_in_words(database: str) -> None:
    assert describe_clock(start_match(make_player(), make_player())) == "no clock"
    timed = start_timed_match(turn_seconds=3 * 86400, time_bank_seconds=3600, timeouts_allowed=1)
    assert describe_clock(timed) == "3 days a turn, bank 1 h"
    assert describe_timeouts(timed).startswith("1 timeout allowed, then")
