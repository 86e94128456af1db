from typing import Any

import pytest

from games.core.errors import FIELD_CODES, Problem
from games.gateway.agreement import ENGINE_VERSION, Deals
from games.identity.models import Player, PlayerKind
from games.lobby.services.creation import OPEN_MATCH_LIFETIME
from games.matches.models.log import Move, SeedChain, Snapshot
from games.matches.models.match import Match, MatchStatus, Seat
from tests.support.factories import (
    ME,
    OPEN,
    RATED,
    ai,
    invited,
    logged_types,
    make_player,
    make_table,
    raises_field_error,
    raises_problem,
    seat_states,
    stored_match,
)

pytestmark = pytest.mark.usefixtures("database")


def test_only_the_rule_set_is_required() -> None:
    table = make_table(heather := make_player("heather"))
    assert table["status"] == "open"
    assert (table["players"], table["target_score"], table["rounds"]) == (2, 250, None)
    assert table["options"] == {"bomb_capture": "winner_chooses"}
    assert seat_states(table) == ["playing", "open"]
    assert table["seats"][0]["player"] == {"username": "heather", "kind": "human"}
    assert table["clock"]["turn_seconds"] == 3 * 24 * 3600
    assert (table["visibility"], table["rated"], table["hints"], table["hold"]) == ("public", *[False] * 3)
    assert table["maker"] == heather.username
    assert table["you"]["seat"] == 0


def test_a_match_stores_its_rule_set_version_engine_version_and_options() -> None:
    match = stored_match(make_table(ruleset="revised", players=3, options={"bet_split": "thirds"}))
    assert (match.ruleset_version, match.engine_version) == ("2", ENGINE_VERSION)
    assert match.options == {"bomb_capture": "winner_chooses", "bet_split": "thirds"}


def test_an_open_match_expires_after_fourteen_days() -> None:
    match = stored_match(make_table())
    assert match.expires_at == match.created_at + OPEN_MATCH_LIFETIME


@pytest.mark.parametrize(
    ("ruleset", "players"), (("classic", 2), ("revised", 2), ("booklet", 2), ("haggish", 2), ("deluxe", 2))
)
def test_the_smallest_number_of_players_is_the_default(ruleset: str, players: int) -> None:
    assert make_table(ruleset=ruleset)["players"] == players


def test_the_number_of_players_follows_from_the_seats() -> None:
    assert make_table(None, ME, OPEN, OPEN)["players"] == 3


def test_default_seats_are_the_maker_and_open_seats() -> None:
    table = make_table(players=3)
    assert seat_states(table) == ["playing", "open", "open"]
    assert stored_match(table).open_seats == 2


def test_the_anchor_belongs_to_the_stored_seed_chain() -> None:
    table = make_table()
    chain = SeedChain.objects.get(match_id=table["id"])
    assert Deals(table["id"], chain.last_link.reveal(), ("", "")).chain.anchor.hex() == table["anchor"]


def test_every_match_has_its_own_seed_chain() -> None:
    maker = make_player()
    assert len({make_table(maker)["anchor"] for _ in range(5)}) == 5


def test_each_filled_seat_is_logged_as_an_event() -> None:
    guest = make_player()
    table = make_table(None, invited(guest), ME, ai())
    assert logged_types(table) == [("invited", 0), ("joined", 1), ("joined", 2)]
    assert seat_states(table) == ["invited", "playing", "playing"]


def test_the_log_contains_no_usernames() -> None:
    guest = make_player("moss-the-guest")
    table = make_table(make_player("heather-the-maker"), ME, invited(guest))
    for entry in Move.objects.filter(match_id=table["id"]).values_list("entry", flat=True):
        assert "heather" not in str(entry)
        assert "moss" not in str(entry)


def test_filling_the_last_seat_starts_the_match() -> None:
    table = make_table(None, ai(), ME)
    assert table["status"] == "active"
    assert logged_types(table) == [("joined", 0), ("joined", 1), ("started", None)]
    assert table["round"]["number"] == 1
    assert stored_match(table).expires_at is None


def test_all_seats_can_be_ai_seats() -> None:
    table = make_table(None, ai("easy"), ai(), ai())
    assert table["status"] == "active"
    assert [seat["level"] for seat in table["seats"]] == ["easy", "random", "random"]
    assert table["you"] is None
    assert stored_match(table).wake_at is not None


def test_a_full_match_with_hold_does_not_start() -> None:
    table = make_table(None, ai(), ME, hold=True)
    assert (table["status"], table["hold"], stored_match(table).open_seats) == ("open", True, 0)


def test_requested_settings_are_stored() -> None:
    table = make_table(
        rounds=6,
        turn_seconds=None,
        time_bank_seconds=60,
        on_timeout="move",
        timeouts_allowed=5,
        after_timeouts="forfeit",
        vacations=False,
        pauses=False,
        visibility="unlisted",
        hints=True,
    )
    assert (table["target_score"], table["rounds"]) == (None, 6)
    assert table["clock"] == {
        "turn_seconds": None,
        "time_bank_seconds": 60,
        "on_timeout": "move",
        "timeouts_allowed": 5,
        "after_timeouts": "forfeit",
        "vacations": False,
        "pauses": False,
    }
    assert (table["visibility"], table["rated"], table["hints"]) == ("unlisted", False, True)


def test_the_seed_of_the_maker_is_stored_unchanged_at_their_seat() -> None:
    table = make_table(None, OPEN, ME, client_seed=" é ")
    assert [seat["client_seed"] for seat in table["seats"]] == ["", " é "]


def test_a_seed_without_a_seat_is_refused() -> None:
    with raises_field_error("/client_seed", "not_seated"):
        make_table(None, ai(), OPEN, client_seed="salt")


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    (
        ({"ruleset": "whist"}, "/ruleset", "unknown_ruleset"),
        ({"ruleset": "haggish", "players": 3}, "/players", "invalid_players"),
        ({"ruleset": "haggish", "seats": [ME, OPEN, OPEN]}, "/seats", "invalid_players"),
        ({"players": 3, "seats": [ME, OPEN]}, "/seats", "too_long"),
        ({"options": {"bomb_capture": "loser"}}, "/options/bomb_capture", "invalid_options"),
        ({"options": {"jokers": "two"}}, "/options/jokers", "invalid_options"),
        ({"options": {"a/b~c": "two"}}, "/options/a~1b~0c", "invalid_options"),
        ({"target_score": 100, "rounds": 3}, "/rounds", "invalid_length"),
        ({"client_seed": "x" * 65}, "/client_seed", "invalid_client_seed"),
        ({"client_seed": "a\0b"}, "/client_seed", "invalid_client_seed"),
        ({"seats": [ME, ai("grandmaster")]}, "/seats/1/level", "unknown_value"),
        ({"seats": [ME, ME]}, "/seats/1/kind", "repeated"),
        ({"seats": [ME, invited("nobody-here")]}, "/seats/1/username", "unknown_player"),
        ({"seats": [OPEN, ME], "visibility": "private"}, "/seats/0/kind", "open_in_private"),
        ({"visibility": "private"}, "/seats", "open_in_private"),
        ({**RATED, "seats": [ME, ai()]}, "/seats/1/kind", "rating_not_possible"),
        ({**RATED, "visibility": "unlisted"}, "/visibility", "rating_not_possible"),
        ({**RATED, "turn_seconds": None}, "/turn_seconds", "rating_not_possible"),
        ({**RATED, "hints": True}, "/hints", "rating_not_possible"),
        ({**RATED, "target_score": 99}, "/target_score", "rating_not_possible"),
        ({**RATED, "rounds": 3}, "/rounds", "rating_not_possible"),
        ({"rated": True}, "/after_timeouts", "rating_not_possible"),
    ),
)
def test_invalid_settings_are_refused_with_a_pointer(body: dict[str, Any], pointer: str, code: str) -> None:
    assert code in FIELD_CODES
    with raises_field_error(pointer, code):
        make_table(**body)
    assert not Match.objects.exists()


def test_all_errors_of_the_seats_are_reported_together() -> None:
    with raises_problem("validation_error") as refused:
        make_table(None, ME, ai("grandmaster"), invited("nobody-here"))
    assert [error.pointer for error in refused.value.errors] == ["/seats/1/level", "/seats/2/username"]


def test_a_player_cannot_have_two_seats_of_one_match() -> None:
    maker, guest = make_player(), make_player()
    with raises_field_error("/seats/1/username", "repeated"):
        make_table(maker, ME, invited(maker))
    with raises_field_error("/seats/2/username", "repeated"):
        make_table(maker, ME, invited(guest), invited(guest.username.upper()))


def test_usernames_of_invited_players_are_case_insensitive() -> None:
    make_player("Heather")
    assert make_table(None, ME, invited("heaTHER"))["seats"][1]["player"]["username"] == "Heather"


def test_an_inactive_account_cannot_be_invited() -> None:
    gone = make_player(is_active=False)
    with raises_field_error("/seats/1/username", "unknown_player"):
        make_table(None, ME, invited(gone))


def test_guests_cannot_play_rated_matches() -> None:
    guest = make_player(kind=PlayerKind.GUEST)
    with raises_field_error("/seats/0/kind", "rating_not_possible"):
        make_table(guest, **RATED)
    with raises_field_error("/seats/1/username", "rating_not_possible"):
        make_table(None, ME, invited(guest), **RATED)


def test_rated_matches_are_between_people_or_between_bots_of_different_owners() -> None:
    owner = make_player()
    bots = [make_player(kind=PlayerKind.BOT, owner=owner) for _ in range(2)]
    stranger = make_player(kind=PlayerKind.BOT, owner=make_player())
    with raises_field_error("/seats/1/username", "rating_not_possible"):
        make_table(None, ME, invited(stranger), **RATED)
    with raises_field_error("/seats/1/username", "rating_not_possible"):
        make_table(bots[0], ME, invited(bots[1]), **RATED)
    assert make_table(bots[0], ME, invited(stranger), **RATED)["rated"] is True
    assert make_table(owner, invited(bots[1]), invited(stranger), **RATED)["rated"] is True


def test_a_rated_match_of_three_players_may_have_caretakers() -> None:
    assert make_table(players=3, rated=True)["clock"]["after_timeouts"] == "caretaker"


def test_a_maker_without_a_seat_can_see_their_private_match() -> None:
    table = make_table(None, ai(), ai(), visibility="private")
    assert table["visibility"] == "private"
    assert table["you"] is None


def test_a_refused_request_stores_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise Problem("unavailable")

    monkeypatch.setattr("games.lobby.services.creation.start_when_filled", fail)
    with raises_problem("unavailable"):
        make_table(None, ME, ai())
    for model in (Match, Seat, SeedChain, Snapshot, Move):
        assert not model._default_manager.exists()


def test_deals_derive_from_the_seed_chain_and_the_seeds_of_the_seats() -> None:
    table = make_table(None, ME, ai(), client_seed="salt")
    match = stored_match(table)
    deals = Deals(match.pk, match.seed_chain.last_link.reveal(), ("salt", ""))
    mine = {str(card) for card in deals.deal_function()(1).hands[0]}
    assert mine <= set(table["round"]["hands"][0]["cards"])


def test_a_new_match_is_stored_as_open() -> None:
    match = stored_match(make_table())
    assert (match.status, match.round_number, match.to_act) == (MatchStatus.OPEN, None, None)
    assert Player.objects.get(pk=match.maker_id).matches_made.get() == match
