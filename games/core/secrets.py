"""Secret values, protected by their type.

A `Secret` prints as `<secret>` and cannot be encoded as JSON, so no log line, serializer, admin list or task
argument shows it by accident. Code that needs the value calls `secret.reveal()`.
"""

# ruff: noqa: ANN401, FBT001, FBT002 -- the signatures of fields are Django's

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from games.core import compact_json

T = TypeVar("T")


class Secret(Generic[T]):
    """A value that is only readable through `reveal()`."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def reveal(self) -> T:
        """Return the secret value."""
        return self._value

    def __repr__(self) -> str:
        """Return a placeholder."""
        return "<secret>"

    def __eq__(self, other: object) -> bool:
        """Compare the secret values."""
        return isinstance(other, Secret) and self._value == other._value

    __hash__ = None  # type: ignore[assignment]  # a hash would reveal part of the value


def dump_secret(value: Secret[Any] | None) -> str | None:
    """Encode a secret as JSON text for the database."""
    return None if value is None else compact_json.dump_json(value.reveal()).decode()


class SecretJSONField(models.TextField):  # type: ignore[type-arg]  # generic to the type checker only
    """A secret JSON value, stored as text because it is never queried."""

    if TYPE_CHECKING:  # tells the mypy plugin that values are not text
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def from_db_value(
        self, value: str | None, _expression: object, _connection: object
    ) -> Secret[Any] | None:
        """Wrap the stored value."""
        return None if value is None else Secret(compact_json.load_json(value))

    def to_python(self, value: Any) -> Secret[Any] | None:
        """Wrap an assigned value."""
        return value if value is None or isinstance(value, Secret) else Secret(value)

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        """Unwrap the value for the database."""
        if isinstance(value, Secret):
            value = dump_secret(value)
        return super().get_db_prep_value(value, connection, prepared)

    def get_prep_value(self, value: Any) -> Any:
        """Leave the value to `get_db_prep_value`."""
        return value

    def value_to_string(self, obj: models.Model) -> str:
        """Return the placeholder, so that fixtures contain no secrets."""
        return repr(self.value_from_object(obj))


class SecretBytesField(models.BinaryField):  # type: ignore[type-arg]  # as above
    """Secret bytes."""

    if TYPE_CHECKING:  # as above
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def from_db_value(self, value: Any, _expression: object, _connection: object) -> Secret[bytes] | None:
        """Wrap the stored value."""
        return None if value is None else Secret(bytes(value))

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        """Unwrap the value for the database."""
        if isinstance(value, Secret):
            value = value.reveal()
        return super().get_db_prep_value(value, connection, prepared)

    def value_to_string(self, obj: models.Model) -> str:
        """Return the placeholder, so that fixtures contain no secrets."""
        return repr(self.value_from_object(obj))
