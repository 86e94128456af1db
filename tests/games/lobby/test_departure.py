from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.privacy.services import delete_account
from tests.support.factories import make_match, make_player, start_match


def test_who_deletes_the_account_resigns_what_is_being_played(database: str) -> None:
    gone, stays = make_player(), make_player()
    match = start_match(gone, stays)
    delete_account(player=gone)
    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED
    assert match.result == {"winners": [1], "scores": [0, 0], "reason": "resigned"}


def test_at_a_table_of_three_an_ai_keeps_the_seat(database: str) -> None:
    gone = make_player()
    match = start_match(make_player(), gone, make_player())
    delete_account(player=gone)
    assert Match.objects.get(pk=match.pk).status == MatchStatus.ACTIVE
    assert Seat.objects.get(match=match, number=1).state == SeatState.RESIGNED


def test_what_the_account_made_and_nobody_began_is_called_off(database: str) -> None:
    gone = make_player()
    match = make_match(gone, make_player())
    delete_account(player=gone)
    assert Match.objects.get(pk=match.pk).status == MatchStatus.CANCELLED


def test_an_invitation_is_declined(database: str) -> None:
    gone = make_player()
    match = make_match(make_player(), gone)
    Seat.objects.filter(match=match, player=gone).update(state=SeatState.INVITED)
    delete_account(player=gone)
    assert Seat.objects.get(match=match, number=1).state == SeatState.DECLINED


def test_a_seat_at_the_match_of_another_is_free_again_before_the_start(database: str) -> None:
    gone = make_player()
    match = make_match(make_player(), gone)
    delete_account(player=gone)
    assert Match.objects.get(pk=match.pk).status == MatchStatus.OPEN
    assert Seat.objects.get(match=match, number=1).state == SeatState.OPEN
