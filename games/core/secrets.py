"""Values that must not be seen: hidden by their type, not by everyone remembering to leave them out.

A `Secret` prints as `<secret>` and cannot be made into JSON, so that no log line, serializer, admin list or
task argument shows it by accident. Whoever really needs the value says so: `secret.reveal()`.
"""

# ruff: noqa: ANN401, FBT001, FBT002 -- the signatures of fields are Django's

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from games.core import compact_json

T = TypeVar("T")


class Secret(Generic[T]):
    """A value that is only given away on purpose."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def reveal(self) -> T:
        """Give the value away."""
        return self._value

    def __repr__(self) -> str:
        """Show nothing."""
        return "<secret>"

    def __eq__(self, other: object) -> bool:
        """Secrets are compared as what they hold."""
        return isinstance(other, Secret) and self._value == other._value

    __hash__ = None  # type: ignore[assignment]  # a hash would give a little of it away


def dump_secret(value: Secret[Any] | None) -> str | None:
    """The text that is stored of a JSON value."""
    return None if value is None else compact_json.dump_json(value.reveal()).decode()


class SecretJSONField(models.TextField):  # type: ignore[type-arg]  # generic to the type checker only
    """A JSON value kept as a secret. It is text to the database: nothing there ever looks into it."""

    if TYPE_CHECKING:  # for the plugin of the type checker: what it takes and gives is not text
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def from_db_value(
        self, value: str | None, _expression: object, _connection: object
    ) -> Secret[Any] | None:
        """Wrap what was stored."""
        return None if value is None else Secret(compact_json.load_json(value))

    def to_python(self, value: Any) -> Secret[Any] | None:
        """Wrap what is assigned."""
        return value if value is None or isinstance(value, Secret) else Secret(value)

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        """Unwrap on the way into the database, and only there."""
        if isinstance(value, Secret):
            value = dump_secret(value)
        return super().get_db_prep_value(value, connection, prepared)

    def get_prep_value(self, value: Any) -> Any:
        """Leave the value to `get_db_prep_value`."""
        return value

    def value_to_string(self, obj: models.Model) -> str:
        """Serialize nothing."""
        return repr(self.value_from_object(obj))


class SecretBytesField(models.BinaryField):  # type: ignore[type-arg]  # as above
    """Bytes kept as a secret."""

    if TYPE_CHECKING:  # as above
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def from_db_value(self, value: Any, _expression: object, _connection: object) -> Secret[bytes] | None:
        """Wrap what was stored."""
        return None if value is None else Secret(bytes(value))

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        """Unwrap on the way into the database, and only there."""
        if isinstance(value, Secret):
            value = value.reveal()
        return super().get_db_prep_value(value, connection, prepared)

    def value_to_string(self, obj: models.Model) -> str:
        """Serialize nothing."""
        return repr(self.value_from_object(obj))
