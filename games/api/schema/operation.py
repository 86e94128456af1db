"""What a view says of each of its methods, so that clients can be told.

    class TokensView(ApiView):
        access = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
        operations = {"GET": LIST_TOKENS, "POST": CREATE_TOKEN}

Only what the frame cannot know is said here. Scopes, the parameters of the address, bodies that cannot be
read, limits and repeated requests follow from the view itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rest_framework.serializers import Serializer

from games.api.schema.fields import Form, Union
from games.api.shapes import Shape

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tag:
    """A chapter of the contract."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Page:
    """The answer of a list: so many of these, and the addresses of the pages before and after."""

    of: type[Form]
    by_cursor: bool = True


Answer = type[Form] | Union | Page | None
Body = type[Shape] | Union
Part = type[Form] | type[Shape] | type[Serializer[Any]] | Union | Page | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter behind the question mark, or a header: its name, its JSON schema, and what it does."""

    name: str
    schema: Json
    description: str
    place: str = "query"


@dataclass(frozen=True, slots=True)
class Lead:
    """What can be asked next with what stands in the answer: an operation, with parameters and body for it.

    What begins with `$response.body#` is taken from the answer. Names in the address that are the same in
    both addresses stay as they were.
    """

    to: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: Json | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one address.

    `id` is what generators call it. `problems` are the codes that only this operation has; those that follow
    from its frame are added. `other_forms` are media types besides JSON, with the schema of each. `makes`
    tells where in the answer stands what other addresses need: {"match_id": "/id"}, and `leads` to single
    operations with more than that.
    """

    id: str
    summary: str
    description: str
    tag: Tag
    answers: Mapping[int, Answer]
    body: Body | None = None
    body_may_be_left_out: bool = False
    parameters: tuple[Parameter, ...] = ()
    problems: tuple[str, ...] = ()
    conditional: bool = False
    tells_location: bool = False
    other_forms: Mapping[str, Json] = field(default_factory=dict)
    makes: Mapping[str, str] = field(default_factory=dict)
    leads: tuple[Lead, ...] = ()


OK: Final = 200
CREATED: Final = 201
ACCEPTED: Final = 202
NO_CONTENT: Final = 204
NOT_MODIFIED: Final = 304
