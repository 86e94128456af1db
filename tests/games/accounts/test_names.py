"""Usernames and display names."""

import unicodedata

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from games.accounts.services.names import (
    check_username,
    new_deleted_name,
    new_guest_name,
    normalise_display_name,
    skeleton_of,
)
from games.core.errors import Problem
from games.identity.models import USERNAME_PATTERN, Player, username_skeleton
from games.identity.queries import players_by_skeleton
from tests.support.clients import anonymous_client, client_of, field_errors, make_person


@given(st.from_regex(rf"\A{USERNAME_PATTERN}\Z"))
def test_valid_usernames_need_no_escaping_in_urls(name: str) -> None:
    try:
        check_username(name)
    except Problem as refusal:
        (error,) = refusal.errors
        if error.code != "reserved":
            raise
    assert name.isascii()
    assert not set(name) & set(":/%?#. ")


@given(st.text())
def test_any_text_is_accepted_or_rejected_with_a_known_code(text: str) -> None:
    try:
        check_username(text)
    except Problem as refusal:
        assert {error.code for error in refusal.errors} <= {"invalid", "reserved"}  # noqa: PT017 -- either is right


@pytest.mark.parametrize("generate", (new_guest_name, new_deleted_name))
def test_generated_usernames_are_reserved(generate: object) -> None:
    assert callable(generate)
    with pytest.raises(Problem):
        check_username(generate())


@pytest.mark.parametrize(
    "name", ("Admin", "adm1n", "adminbot", "haggis-support", "mod_anna", "the-moderators", "guest-", "ai")
)
def test_usernames_that_look_official_are_reserved(name: str) -> None:
    with pytest.raises(Problem) as refusal:
        check_username(name)
    assert refusal.value.errors[0].code in {"reserved", "invalid"}


@pytest.mark.parametrize(
    "name", ("modesty", "system-error", "badminton", "Heather_2", "hagg1s-fan", "team-anna")
)
def test_usernames_that_only_contain_such_words_are_accepted(name: str) -> None:
    check_username(name)


@given(st.text(max_size=60))
def test_normalising_a_display_name_is_idempotent(text: str) -> None:
    try:
        name = normalise_display_name(text)
    except Problem:
        return
    assert normalise_display_name(name) == name
    assert len(name) <= 50


def test_composed_and_decomposed_letters_are_normalised_alike() -> None:
    assert normalise_display_name("Me\u0301lange") == normalise_display_name("M\u00e9lange")


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


@pytest.mark.parametrize(
    "name",
    (
        FAMILY,
        f"Heather {FAMILY}",
        "\U0001f469\U0001f3fd\u200d\U0001f680",  # an astronaut with a skin tone
        "\U0001f3f4\u200d\u2620\ufe0f",  # a pirate flag
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # the flag of Scotland
        "1\ufe0f\u20e3",
        "\u0645\u062d\u0645\u062f \u0639\u0644\u064a",  # Arabic
        "\u0634\u064e\u062f\u0651\u064e\u0629",  # Arabic with vowel marks
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian with a zero-width non-joiner
        "\u05d3\u05b8\u05bc\u05d5\u05b4\u05d3",  # Hebrew with vowel points
        "\u0e2a\u0e21\u0e28\u0e31\u0e01\u0e14\u0e34\u0e4c",  # Thai
        "\u0915\u094d\u200d\u0937",  # Devanagari with a joiner after a virama
        "\u041e\u043b\u044c\u0433\u0430",  # Russian
        "\u5c71\u7530\u3000\u592a\u90ce",  # Japanese with an ideographic space
        "S\u00e9amus \u00d3 N\u00e9ill",
        "Badminton",
        "You and I",
        "Modesto",
        "Aimee",
        "Ai-Ling",
        "Haggis Lover",
        "Modern Heather",
        "Guest of honour",
        "Staffa",
        "Supporter of Hearts",
        "AI Bot",
        "",
    ),
)
def test_names_of_any_script_and_emoji_are_accepted(database: str, name: str) -> None:
    answer = client_of(make_person()).patch("/api/v1/me", {"display_name": name})
    assert answer.status_code == 200, answer.content
    assert answer.json()["display_name"] == unicodedata.normalize("NFC", name.replace("\u3000", " "))


@pytest.mark.parametrize(
    ("name", "error"),
    (
        ("   ", "blank"),
        ("\u00a0\u3000", "blank"),
        ("\u200b", "invalid"),
        ("\u3164", "invalid"),  # a Hangul filler
        ("\u2800\u2800", "invalid"),  # blank Braille
        ("Hea\u200dther", "invalid"),
        ("Hea\u00adther", "invalid"),
        ("\u202erehtaeH", "invalid"),
        ("\u2067Heather", "invalid"),
        ("Heather\u200f", "invalid"),
        ("Heather\ufe0f", "invalid"),
        ("\U000e0041", "invalid"),
        ("\u0301Heather", "invalid"),
        ("Z\u0335\u0336\u0337\u0338\u0339lgo", "invalid"),
        ("admin", "reserved"),
        ("  Admin ", "reserved"),
        ("A d m i n", "reserved"),
        ("Haggis", "reserved"),
        ("the admin", "reserved"),
        ("Moderator (Heather)", "reserved"),
        ("\u0430dmin", "reserved"),  # a Cyrillic letter
        ("\U0001f150\U0001f153\U0001f15c\U0001f158\U0001f15d", "reserved"),  # in black circles
        ("\U0001f170\U0001f173\U0001f17c\U0001f178\U0001f17d", "reserved"),  # in black squares
        ("\uff41\uff44\uff4d\uff49\uff4e", "reserved"),  # fullwidth letters
        ("\U0001d41a\U0001d41d\U0001d426\U0001d422\U0001d427", "reserved"),  # mathematical letters
        ("\u00e1dm\u00edn", "reserved"),
        ("adm1n", "reserved"),
        ("@dm!n", "reserved"),
        ("M0D3RAT0R", "reserved"),
        ("admin \U0001f6e1\ufe0f", "reserved"),
        ("rnoderator", "reserved"),
        ("Haggis Support", "reserved"),
        ("Haggis team", "reserved"),
        ("The Haggis Team", "reserved"),
        ("H4ggis-Supp0rt", "reserved"),
        ("Mod", "reserved"),
        ("M0ds", "reserved"),
        ("administrators", "reserved"),
        ("adminbot", "reserved"),
        ("Heather, modteam", "reserved"),
        ("guest-abc", "reserved"),
        ("Guest\u2013abc", "reserved"),  # with a dash
        ("deleted-abc", "reserved"),
        ("ai:hard", "reserved"),
        ("AI\uff1ahard", "reserved"),  # with a fullwidth colon
    ),
)
def test_invisible_and_reserved_names_are_rejected(database: str, name: str, error: str) -> None:
    client = client_of(make_person())
    assert field_errors(client.patch("/api/v1/me", {"display_name": name})) == {("/display_name", error)}
    answer = anonymous_client().post("/api/v1/auth/guest", {"display_name": name})
    assert field_errors(answer) == {("/display_name", error)}


@pytest.mark.parametrize(
    "name",
    (
        "Will_Mc0rn",
        "will mcorn",
        "WIII McOm",
        "w1ll-mc\u043ern",
        "Will Mcorn \U0001f451",
        "vvill_mcorn",
    ),
)
def test_the_name_of_another_player_is_rejected(database: str, name: str) -> None:
    make_person("Will_Mcorn")
    client = client_of(make_person("somebody"))
    answer = client.patch("/api/v1/me", {"display_name": name})
    assert field_errors(answer) == {("/display_name", "imitates_player")}
    assert field_errors(client.post("/api/v1/me/bots", {"username": "robot", "display_name": name})) == {
        ("/display_name", "imitates_player")
    }


def test_the_own_username_and_names_of_deleted_players_are_accepted(database: str) -> None:
    make_person("Will_Mcorn", is_active=False)
    client = client_of(make_person("heather"))
    for name in ("Heather", "Will Mcorn"):
        assert client.patch("/api/v1/me", {"display_name": name}).status_code == 200


@given(st.from_regex(rf"\A{USERNAME_PATTERN}\Z"))
def test_every_username_is_found_by_its_skeleton_as_display_name(username: str) -> None:
    assert skeleton_of(username) == username_skeleton(username)


def test_the_database_computes_the_same_skeleton(database: str) -> None:
    for username in ("Mr_Wi11iams", "corn-0-VVind", "heather"):
        player = make_person(username)
        assert list(players_by_skeleton(username_skeleton(username))) == [player]


def test_the_skeleton_of_a_username_is_found_through_its_index(database: str) -> None:
    Player.objects.bulk_create(Player(username=f"player-{number}", password="!") for number in range(2_000))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert "player_by_username_skeleton" in players_by_skeleton("p1ayer").explain()
