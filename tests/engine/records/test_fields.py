"""Untrusted JSON values are valid, or the error says where they are not."""

from collections.abc import Callable

import pytest

from engine.errors import Malformed
from engine.records.fields import (
    child_pointer,
    optional,
    read_choice,
    read_int,
    read_items,
    read_list,
    read_object,
    read_text,
    schema,
)
from engine.records.record import By

SHAPE = schema("seat type", "by at")


def error_of(read: Callable[[], object]) -> tuple[str, str]:
    """Return the code and location of the error."""
    with pytest.raises(Malformed) as refusal:
        read()
    return refusal.value.code, refusal.value.where


def test_an_object_needs_required_fields_and_rejects_unknown_ones() -> None:
    assert read_object({"seat": 1, "type": "pass", "by": None}, "/a", SHAPE) == {
        "seat": 1,
        "type": "pass",
        "by": None,
    }
    assert error_of(lambda: read_object([], "/a", SHAPE)) == ("wrong_type", "/a")
    assert error_of(lambda: read_object({"seat": 1}, "/a", SHAPE)) == ("missing_field", "/a/type")
    assert error_of(lambda: read_object({"seat": 1, "x": 1}, "/a", SHAPE)) == ("unknown_field", "/a/x")


def test_a_pointer_escapes_special_characters_and_omits_unsafe_names() -> None:
    assert child_pointer("/a", "b~/c") == "/a/b~0~1c"
    assert child_pointer("/a", "b" * 65) == child_pointer("/a", "b\n") == "/a"


@pytest.mark.parametrize("value", ("1", 1.0, True, False, None, [1], {}))
def test_only_an_integer_is_a_number(value: object) -> None:
    assert error_of(lambda: read_int(value, "/a", range(9))) == ("wrong_type", "/a")


@pytest.mark.parametrize("value", (-1, 3, 10**400))
def test_a_number_must_be_in_its_range(value: int) -> None:
    assert read_int(0, "/a", range(3)) == 0
    assert error_of(lambda: read_int(value, "/a", range(3))) == ("out_of_range", "/a")


def test_a_list_must_have_its_size_and_errors_point_to_the_item() -> None:
    assert read_list([1], "/a", range(2)) == [1]
    assert error_of(lambda: read_list("ab", "/a", range(3))) == ("wrong_type", "/a")
    assert error_of(lambda: read_list([1, 2], "/a", range(1, 2))) == ("wrong_length", "/a")
    numbers = [1, "2"]
    read = read_int
    assert error_of(
        lambda: read_items(numbers, "/a", range(3), lambda each, where: read(each, where, range(9)))
    ) == ("wrong_type", "/a/1")


def test_a_text_must_be_short_and_encodable() -> None:
    assert read_text("é\n", "/a", 2) == "é\n"
    assert error_of(lambda: read_text(1, "/a", 2)) == ("wrong_type", "/a")
    assert error_of(lambda: read_text("abc", "/a", 2)) == ("wrong_length", "/a")
    assert error_of(lambda: read_text("\0", "/a", 2)) == ("invalid_text", "/a")
    assert error_of(lambda: read_text("\ud800", "/a", 2)) == ("invalid_text", "/a")


def test_a_choice_must_be_one_of_its_values() -> None:
    assert read_choice("ai", "/a", By) is By.AI
    assert error_of(lambda: read_choice("robot", "/a", By)) == ("invalid_value", "/a")
    assert error_of(lambda: read_choice(1, "/a", By)) == ("wrong_type", "/a")


def test_an_optional_field_may_be_null() -> None:
    def read(value: object, where: str) -> str:
        return read_text(value, where, 9)

    assert optional({}, "/a", "b", read) is None
    assert optional({"b": None}, "/a", "b", read) is None
    assert optional({"b": "c"}, "/a", "b", read) == "c"
    assert error_of(lambda: optional({"b": 1}, "/a", "b", read)) == ("wrong_type", "/a/b")
