"""Every clause of the five texts is covered by a test, and tests name only existing clauses."""

from pathlib import Path

import pytest

from tests.engine.clauses.catalogue import TEXTS, every_clause, own_clauses, shared_clauses
from tests.engine.clauses.marks import marks_in, marks_under

TESTS = Path(__file__).parents[2]


def test_every_clause_is_named_by_a_test() -> None:
    unnamed = sorted(every_clause().keys() - marks_under(TESTS).keys())
    assert unnamed == []


def test_no_test_names_a_clause_that_does_not_exist() -> None:
    unknown = {name: paths for name, paths in marks_under(TESTS).items() if name not in every_clause()}
    assert unknown == {}


@pytest.mark.parametrize("text", TEXTS)
def test_the_clauses_a_text_shares_are_common_and_listed_once(text: str) -> None:
    shared = shared_clauses(text)
    assert set(shared) <= own_clauses("common").keys()
    assert len(set(shared)) == len(shared)


def test_a_common_clause_belongs_to_at_least_two_texts() -> None:
    stated = [name for text in TEXTS for name in shared_clauses(text)]
    assert [name for name in own_clauses("common") if stated.count(name) < 2] == []


def test_a_clause_mark_must_be_a_plain_string() -> None:
    with pytest.raises(ValueError, match="line 1"):
        list(marks_in("@pytest.mark.clause(NAME)\ndef test_it(): ..."))
