"""How a line of the log is written: as JSON, or to be read at a desk."""

import logging
import traceback
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor

# What loggers of ours add to a line. Anything else that comes along is left out: it may hold a request.
LOGGED_FIELDS: Final = frozenset(
    {"method", "route", "status", "ms", "player_id", "match_id", "version", "task", "task_id", "state"}
)


def json_formatter() -> logging.Formatter:
    """One JSON object a line."""
    return _formatter(_replace_exception, structlog.processors.JSONRenderer())


def text_formatter() -> logging.Formatter:
    """A line for people, with tracebacks as Python writes them."""
    plain = structlog.dev.plain_traceback
    return _formatter(structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain))


def _formatter(*renderers: Processor) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(allow=LOGGED_FIELDS),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
    )


def _replace_exception(_: Any, __: str, line: EventDict) -> EventDict:  # noqa: ANN401 -- any logger
    """Replace an exception by its kind and its place."""
    exc_info = line.pop("exc_info", None)
    if isinstance(exc_info, tuple) and exc_info[1] is not None:
        line["fault"] = describe_exception(exc_info[1])
    return line


def describe_exception(error: BaseException) -> list[dict[str, Any]]:
    """Each error of a chain, the first cause first: its kind, and where in the code it came about."""
    described: list[dict[str, Any]] = []
    current: BaseException | None = error
    while current is not None:
        frames = traceback.extract_tb(current.__traceback__)
        locations = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        described.append({"kind": type(current).__name__, "at": locations})
        current = current.__cause__ or current.__context__
    return described[::-1]
