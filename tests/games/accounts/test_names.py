"""Usernames and display names."""

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
