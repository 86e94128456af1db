from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.privacy.services import delete_account
from tests.support.factories import make_match, make_player, start_match


def test_deleting_an_account_resigns_its_running_matches(database: str) -> None:
    gone, stays = make_player(), make_player()
    match = start_match(gone, stays)
    delete_account(player=gone)
    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED
    assert match.result == {"winners": [1], "scores": [0, 0], "reason": "resigned"}


def test_with_three_players_an_ai_takes_over_the_seat_of_a_deleted_account(database: str) -> None:
    gone = make_player()
    match = start_match(make_player(), gone, make_player())
    delete_account(player=gone)
    assert Match.objects.get(pk=match.pk).status == MatchStatus.ACTIVE
    assert Seat.objects.get(match=match, number=1).state == SeatState.RESIGNED


def test_deleting_an_account_cancels_its_open_matches(database: str) -> None:
    gone = make_player()
    match = make_match(gone, make_player())
    delete_account(player=gone)
    assert Match.objects.get(pk=match.pk).status == MatchStatus.CANCELLED


def test_deleting_an_account_declines_its_invitations(database: str) -> None:
    gone = make_player()
    match = make_match(make_player(), gone)
    Seat.objects.filter(match=match, player=gone).update(state=SeatState.INVITED)
    delete_account(player=gone)
    assert Seat.objects.get(match=match, number=1).state == SeatState.DECLINED


def test_deleting_an_account_opens_its_seats_in_open_matches(database: str) -> None:
    gone = make_player()
    match = make_match(make_player(), gone)
    delete_account(player=gone)
    assert Match.objects.get(pk=match.pk).status == MatchStatus.OPEN
    assert Seat.objects.get(match=match, number=1).state == SeatState.OPEN
