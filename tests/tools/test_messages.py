"""The catalogues: complete, current and consistent, and what the tool finds."""

import polib
import pytest

from tools import message_sources, messages
from tools.message_sources import Message


def test_every_message_is_translated_and_every_catalogue_is_current(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = messages.main(["--check"])
    assert status == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "expected"),
    (
        ('t("One")', [Message("One")]),
        ('t("One {name}", { name: f(")") })', [Message("One {name}")]),
        ('t(\n  "One " +\n    "two",\n)', [Message("One two")]),
        ('t(open ? "Open" : "Closed")', [Message("Open"), Message("Closed")]),
        ('t(kind === "x" ? "A" : "B")', [Message("A"), Message("B")]),
        ('tn("{count} card", "{count} cards", 2)', [Message("{count} card", "{count} cards")]),
        ('tc("count", "two")', [Message("two", context="count")]),
        ("tx('It\\'s {a}', { a })", [Message("It's {a}")]),
        ("t(`Plain`)", [Message("Plain")]),
        ("t(TITLES[key])", []),
    ),
)
def test_messages_of_scripts_are_found(source: str, expected: list[Message]) -> None:
    [call] = message_sources._CALL.finditer(source)
    assert message_sources._messages_of_call(call[1], source, call.end()) == expected


def test_a_message_that_is_put_together_is_refused() -> None:
    with pytest.raises(SystemExit, match="put together"):
        message_sources._messages_of_call("t", "t(`You have ${count} cards`)", 2)


def test_the_image_has_the_locales_of_every_language() -> None:
    dockerfile = (message_sources.ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert all(f'-not -path "*/locale/{language}*"' in dockerfile for language in messages.LANGUAGES)


def catalogue(text: str, translation: str, place: str = "games/web/views.py") -> polib.POFile:
    """Return a catalogue with one message."""
    result = polib.POFile()
    result.append(polib.POEntry(msgid=text, msgstr=translation, occurrences=[(place, "")]))
    return result


@pytest.mark.parametrize(
    ("text", "translation", "fault"),
    (
        ("{name} passes.", "", "not translated"),
        ("{name} passes.", "Jemand passt.", "other placeholders"),
        ("{name} passes.", "{nam} passt.", "other placeholders"),
        ("We mailed %(topics)s.", "Wir haben gemailt.", "other placeholders"),
        ('See <a href="/rules">rules</a>.', "Siehe Regeln.", "other code, links and tags"),
        (" to ", "zu", "other spaces"),
    ),
)
def test_translations_that_differ_in_form_are_faults(text: str, translation: str, fault: str) -> None:
    [first, *_] = messages.faults_of(catalogue(text, translation))
    assert first.startswith(fault)


def test_numbers_of_rules_must_agree() -> None:
    place = "docs/rules/classic.md"
    assert list(messages.faults_of(catalogue("5 points", "15 Punkte", place)))
    assert not list(messages.faults_of(catalogue("5 points", "5 Punkte", place)))


def test_a_singular_form_may_leave_the_number_out() -> None:
    entry = polib.POEntry(
        msgid="one round", msgid_plural="{count} rounds", msgstr_plural={0: "eine Runde", 1: "{count} Runden"}
    )
    result = polib.POFile()
    result.append(entry)
    assert list(messages.faults_of(result)) == []
