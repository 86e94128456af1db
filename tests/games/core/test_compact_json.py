"""Compact JSON agrees with the encoder of REST framework."""

import json
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.utils.encoders import JSONEncoder

from games.core import compact_json
from games.matches.models.log import Actor


class _Pair(NamedTuple):
    one: int
    two: tuple[int, ...]


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
)


@given(VALUES)
def test_encoded_values_are_decoded_unchanged(value: Any) -> None:
    assert json.loads(compact_json.dump_json(value)) == value
    assert compact_json.load_json(compact_json.dump_json(value)) == value


@pytest.mark.parametrize(
    "value", (_Pair(1, (2, 3)), {"by": Actor.CLOCK}, [datetime(2026, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC)])
)
def test_other_types_are_encoded_as_rest_framework_does(value: Any) -> None:
    assert json.loads(compact_json.dump_json(value)) == json.loads(json.dumps(value, cls=JSONEncoder))


def test_an_unsupported_type_raises_type_error() -> None:
    with pytest.raises(TypeError):
        compact_json.dump_json({"secret": object()})
