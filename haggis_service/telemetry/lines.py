"""How a line of the log is written: as JSON, or to be read at a desk."""

import logging
import traceback
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor

# What loggers of ours add to a line. Anything else that comes along is left out: it may hold a request.
KNOWN: Final = frozenset(
    {"method", "route", "status", "ms", "player_id", "match_id", "version", "task", "task_id", "state"}
)


def json_lines() -> logging.Formatter:
    """One JSON object a line."""
    return _formatter(_fault_without_its_words, structlog.processors.JSONRenderer())


def text_lines() -> logging.Formatter:
    """A line for people, with tracebacks as Python writes them."""
    plain = structlog.dev.plain_traceback
    return _formatter(structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain))


def _formatter(*renderers: Processor) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(allow=KNOWN),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
    )


def _fault_without_its_words(_: Any, __: str, line: EventDict) -> EventDict:  # noqa: ANN401 -- any logger
    """Replace an exception by its kind and its place."""
    parts = line.pop("exc_info", None)
    if isinstance(parts, tuple) and parts[1] is not None:
        line["fault"] = fault_told(parts[1])
    return line


def fault_told(error: BaseException) -> list[dict[str, Any]]:
    """Each error of a chain, the first cause first: its kind, and where in the code it came about."""
    told: list[dict[str, Any]] = []
    following: BaseException | None = error
    while following is not None:
        frames = traceback.extract_tb(following.__traceback__)
        places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        told.append({"kind": type(following).__name__, "at": places})
        following = following.__cause__ or following.__context__
    return told[::-1]
