"""Queries that are written as any other, and compiled once for each connection.

Django puts the SQL of a query together each time that it is asked, and finds out anew how its rows are read.
For those that every action needs that is half of the CPU time of a move, and always the same: only the
arguments differ.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import JSONField, Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.query import get_related_populators
from django.db.models.sql.compiler import SQLCompiler

from games import compact_json
from games.selectors.kept_statements import Row, one_row

M = TypeVar("M", bound=Model)
N = TypeVar("N", bound=Model)

# What stands for the argument while a query is compiled. No argument is ever like it.
ARGUMENT: Final = "\x00the argument\x00"
_KEPT: Final = "_haggis_kept_queries"


@dataclass(frozen=True)
class _Compiled:
    """A query as SQL, and how its rows become models: as `ModelIterable` does it, found out once."""

    compiler: SQLCompiler
    sql: str
    parameters: tuple[Any, ...]

    @classmethod
    def of(cls, queryset: QuerySet[Any]) -> "_Compiled":
        """Compile it."""
        compiler = queryset.query.get_compiler(using=DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        return cls(compiler, sql, tuple(parameters))

    def given(self, arguments: Mapping[str, str]) -> list[Any]:
        """The parameters with the arguments among them, by what stands for each."""
        return [arguments.get(each, each) if isinstance(each, str) else each for each in self.parameters]

    @cached_property
    def width(self) -> int:
        """How many columns a row has."""
        return len(self.compiler.select)

    @cached_property
    def _model(self) -> type[Model]:
        model: type[Model] = self.compiler.klass_info["model"]
        return model

    @cached_property
    def _names(self) -> list[str]:
        """The columns of the model itself: they come first."""
        own = self.compiler.klass_info["select_fields"]
        return [self.compiler.select[place][0].target.attname for place in own]

    @cached_property
    def _converters(self) -> list[tuple[int, list[Callable[..., Any]], Any]]:
        converters = self.compiler.get_converters([column for column, *_ in self.compiler.select])
        return [(place, [*map(_quicker, each)], column) for place, (each, column) in converters.items()]

    @cached_property
    def _related(self) -> "list[_Related]":
        info, select = self.compiler.klass_info, self.compiler.select
        found = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # of a later Django
        return list(map(_Related, found))

    def read(self, row: Row, wrapper: BaseDatabaseWrapper) -> Any:  # noqa: ANN401 -- the model of the query
        """The model of a row, with what is read along with it."""
        values = list(row)
        for place, converters, column in self._converters:
            for convert in converters:
                values[place] = convert(values[place], column, wrapper)
        made = _made(self._model, self._names, values)
        for related in self._related:
            related.populate(values, made)
        for name, place in self.compiler.annotation_col_map.items():
            setattr(made, name, values[place])
        return made


@dataclass(frozen=True)
class _Related:
    """One model that is read along with another: as Django's own populator does it, without a constructor."""

    of: Any

    def populate(self, values: list[Any], made: Model) -> None:
        """Make it of its columns, and have the two know each other."""
        columns = values[self.of.cols_start : self.of.cols_end]
        related = None
        if columns[self.of.pk_idx] is not None:
            related = _made(self.of.model_cls, self.of.init_list, columns)
            for each in self.others:
                each.populate(values, related)
            self.of.remote_setter(related, made)
        self.of.local_setter(made, related)

    @cached_property
    def others(self) -> "list[_Related]":
        """Models that are read along with this one."""
        return [_Related(each) for each in self.of.related_populators]


def _made(model: type[M], names: Iterable[str], values: Iterable[Any]) -> M:
    """A model of its columns. Its constructor would sort out arguments first, up to fifty of them."""
    made = model.__new__(model)
    made._state = ModelState()  # noqa: SLF001 -- Django's documented way to say whence a model came
    made._state.db, made._state.adding = DEFAULT_DB_ALIAS, False  # noqa: SLF001 -- as above
    vars(made).update(zip(names, values, strict=False))
    return made


def _quicker(convert: Callable[..., Any]) -> Callable[..., Any]:
    """How Django reads a value, with another reader of JSON where it takes Python's own."""
    field = getattr(convert, "__self__", None)
    if isinstance(field, JSONField) and field.decoder is None:
        return _read_json
    return convert


def _read_json(value: str | None, *_: object) -> Any:  # noqa: ANN401 -- JSON
    return None if value is None else compact_json.read(value)


class KeptQuery(Generic[M]):
    """A query for one row by one text, such as an id."""

    def __init__(self, ask: Callable[[str], QuerySet[M]]) -> None:
        self._ask = ask

    def on(self, wrapper: BaseDatabaseWrapper) -> _Compiled:
        """The query as compiled on a connection."""
        return _kept(wrapper, self, lambda: self._ask(ARGUMENT))

    def first(self, argument: str) -> M | None:
        """The row, as its model; None if there is none."""
        wrapper = connections[DEFAULT_DB_ALIAS]
        query = self.on(wrapper)
        row = one_row(wrapper, query.sql, query.given({ARGUMENT: argument}))
        return None if row is None else query.read(row, wrapper)

    def first_with(self, argument: str, other: "KeptQuery[N]", others: str) -> tuple[M | None, N | None]:
        """The row and, where it is there, that of another query, in one trip."""
        wrapper = connections[DEFAULT_DB_ALIAS]
        one, two = self.on(wrapper), other.on(wrapper)
        row = one_row(
            wrapper,
            _joined(one.sql, two.sql),
            one.given({ARGUMENT: argument}) + two.given({ARGUMENT: others}),
        )
        if row is None:
            return None, None
        rest = row[one.width :]
        found = None if all(value is None for value in rest) else two.read(rest, wrapper)
        return one.read(row[: one.width], wrapper), found


class KeptListQuery(Generic[M]):
    """A query for rows by any number of such texts, which it asks for by `IN`."""

    def __init__(self, ask: Callable[[Sequence[str]], QuerySet[M]]) -> None:
        self._ask = ask

    def all(self, arguments: Sequence[str]) -> Iterator[M]:
        """The rows, in no particular order.

        There is a text for 1, 2, 4, 8 arguments and so on: the last argument is repeated to fill one up.
        """
        if not arguments:
            return
        wrapper = connections[DEFAULT_DB_ALIAS]
        names = [f"{ARGUMENT}{place}" for place in range(1 << (len(arguments) - 1).bit_length())]
        query = _kept(wrapper, (self, len(names)), lambda: self._ask(names))
        given = dict.fromkeys(names, arguments[-1]) | dict(zip(names, arguments, strict=False))
        with wrapper.cursor() as cursor:
            cursor.execute(query.sql, query.given(given))
            rows = cursor.fetchall()
        for row in rows:
            yield query.read(row, wrapper)


@cache
def _joined(one: str, two: str) -> str:
    return f"SELECT * FROM ({one}) AS one LEFT JOIN ({two}) AS two ON TRUE"  # noqa: S608 -- Django's own


def _kept(wrapper: BaseDatabaseWrapper, name: object, ask: Callable[[], QuerySet[Any]]) -> _Compiled:
    """A query as compiled on a connection, which alone keeps it: with the connection it goes."""
    compiled: dict[object, _Compiled] = vars(wrapper).setdefault(_KEPT, {})
    if name not in compiled:
        compiled[name] = _Compiled.of(ask())
    return compiled[name]
