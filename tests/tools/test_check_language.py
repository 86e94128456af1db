import pytest

from tools.check_language import (
    Vocabulary,
    check_prose,
    check_python,
    check_subjects,
    findings_in,
    read_vocabulary,
)

VOCABULARY = Vocabulary(
    {
        "identifiers": {"kept": "cached", "told": "notified"},
        "phrases": {r"\bwhoever\b": "the player"},
        "allowed": {"kept": {"games/memo.py": "quotes the rulebook"}},
        "commits": {"since": ""},
    }
)


def words(source: str, path: str = "games/example.py") -> list[tuple[int, str]]:
    return [(finding.line, finding.word) for finding in check_python(path, source, VOCABULARY)]


@pytest.mark.parametrize(
    "source",
    (
        "kept = 1",
        "def kept_answers(): ...",
        "class KeptAnswers: ...",
        "def store(kept): ...",
        "self.kept = 1",
    ),
)
def test_a_listed_word_is_found_in_every_kind_of_definition(source: str) -> None:
    assert [line for line, _ in words(source)] == [1]


def test_a_listed_word_is_found_in_the_name_of_a_module() -> None:
    assert words("", "games/kept.py") == [(1, "kept (kept)")]


def test_a_word_that_only_contains_a_listed_word_is_accepted() -> None:
    assert words("bookkeeper = skeptic = untoldness = 1") == []


def test_only_the_definition_of_a_listed_name_is_reported() -> None:
    assert len(words("kept = 1\nprint(kept, kept)")) == 1


@pytest.mark.parametrize(
    "source", ('"""For whoever asks."""', "x = 1  # whoever asks", 'x = "Whoever asks."')
)
def test_a_listed_phrase_is_found_in_docstrings_comments_and_messages(source: str) -> None:
    assert [line for line, _ in words(source)] == [1]


def test_a_phrase_in_a_long_docstring_is_found_at_its_line() -> None:
    assert [line for line, _ in words('"""Return it.\n\nWhoever asks.\n"""')] == [3]


def test_an_allowed_place_is_accepted() -> None:
    assert words("kept = 1", "games/memo.py") == []


def test_pages_and_scripts_are_checked_line_by_line() -> None:
    found = [*check_prose("docs/page.md", "# Title\n\nWhoever asks.\n", VOCABULARY)]
    assert [str(finding) for finding in found] == [r"docs/page.md:3: \bwhoever\b: write the player"]


@pytest.mark.parametrize(
    ("subject", "count"), (("Add Swiss pairing", 0), ("Add " + "x" * 70, 1), ("Done.", 1))
)
def test_long_subjects_and_final_periods_are_refused(subject: str, count: int) -> None:
    assert len([*check_subjects([subject])]) == count


def test_every_exception_of_the_list_has_a_reason_and_is_used() -> None:
    vocabulary = read_vocabulary()
    exceptions = [
        (word, path, why) for word, paths in vocabulary.allowed.items() for path, why in paths.items()
    ]
    vocabulary.allowed = {}
    found = {path: [each.word for each in findings_in([path], vocabulary)] for _, path, _ in exceptions}
    assert [
        (word, path)
        for word, path, why in exceptions
        if not why or not any(word in each for each in found[path])
    ] == []
