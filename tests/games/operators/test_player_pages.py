"""The admin pages of players, and searches."""

from games.identity.models import Player
from games.operators.models import OperatorAction
from games.operators.services import Role
from tests.support.factories import logged_in_client, make_operator, make_player, start_match


def _page(player: Player) -> str:
    return f"/admin/games/player/{player.pk}/change/"


def test_moderator_bans_and_unbans_a_player(database: str) -> None:
    player, client = make_player("rude-one"), logged_in_client(make_operator(Role.MODERATOR))
    client.post(_page(player).replace("change", "ban"), {"reason": "swears"})
    assert not Player.objects.get(pk=player.pk).is_active
    assert "banned" in client.get(_page(player)).content.decode()
    client.post(_page(player).replace("change", "unban"), {"reason": "is sorry"})
    assert Player.objects.get(pk=player.pk).is_active


def test_player_page_shows_notes(database: str) -> None:
    player, client = make_player(), logged_in_client(make_operator(Role.MODERATOR))
    client.post(_page(player).replace("change", "note"), {"reason": "asked for a new name twice"})
    assert "asked for a new name twice" in client.get(_page(player)).content.decode()


def test_player_page_lists_matches(database: str) -> None:
    player = make_player()
    match = start_match(player, make_player())
    assert match.pk in logged_in_client(make_operator(Role.MODERATOR)).get(_page(player)).content.decode()


def test_page_for_banning_staff_returns_404(database: str) -> None:
    operator = make_operator(Role.OPERATOR)
    page = _page(operator).replace("change", "ban")
    assert (
        logged_in_client(make_operator(Role.MODERATOR)).post(page, {"reason": "a quarrel"}).status_code == 404
    )
    assert not OperatorAction.objects.filter(action="ban").exists()


def test_players_are_found_by_name_and_by_e_mail_address(database: str) -> None:
    make_player("heather-moor", email="moor@example.org")
    make_player("angus-glen")
    client = logged_in_client(make_operator(Role.MODERATOR))
    for search in ("HEATHER", "moor@example.org"):
        text = client.get("/admin/games/player/", {"q": search}).content.decode()
        assert ("heather-moor" in text, "angus-glen" in text) == (True, False)


def test_matches_are_found_by_player_and_by_the_beginning_of_their_id(database: str) -> None:
    match = start_match(make_player("heather-moor"), make_player())
    other = start_match(make_player(), make_player())
    client = logged_in_client(make_operator(Role.MODERATOR))
    for search in ("Heather-Moor", match.pk):
        text = client.get("/admin/games/match/", {"q": search}).content.decode()
        assert (match.pk in text, other.pk in text) == (True, False)
