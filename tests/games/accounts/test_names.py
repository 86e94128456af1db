"""Names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.accounts.services.profile import (
    check_username,
    new_deleted_name,
    new_guest_name,
    normalise_display_name,
)
from games.core.errors import Problem
from games.identity.models import USERNAME_PATTERN


@given(st.from_regex(rf"\A{USERNAME_PATTERN}\Z"))
def test_a_name_that_is_taken_can_stand_in_an_address(name: str) -> None:
    try:
        check_username(name)
    except Problem as refusal:
        (error,) = refusal.errors
        if error.code != "reserved":
            raise
    assert name.isascii()
    assert not set(name) & set(":/%?#. ")


@given(st.text())
def test_any_text_is_a_name_or_refused(text: str) -> None:
    try:
        check_username(text)
    except Problem as refusal:
        assert {error.code for error in refusal.errors} <= {"invalid", "reserved"}  # noqa: PT017 -- either is right


@pytest.mark.parametrize("make", (new_guest_name, new_deleted_name))
def test_names_that_the_service_gives_can_be_asked_for_by_nobody(make: object) -> None:
    assert callable(make)
    with pytest.raises(Problem):
        check_username(make())


@given(st.text(max_size=60))
def test_a_tidy_name_stays_as_it_is(text: str) -> None:
    try:
        name = normalise_display_name(text)
    except Problem:
        return
    assert normalise_display_name(name) == name
    assert len(name) <= 50


def test_two_spellings_of_one_letter_are_one() -> None:
    assert normalise_display_name("Me\u0301lange") == normalise_display_name("M\u00e9lange")
