"""Published records as a table of Apache Parquet, if the extra package pyarrow is installed."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from games.core.compact_json import load_json
from games.records.published import read_segments
from games.records.segments import expand_segment

# Rows that are written at once; a row takes some 100 kB of memory.
GROUP_SIZE: Final = 500


def write_parquet(path: Path, numbers: Sequence[int]) -> int:
    """Write the records with these numbers, a row for each match; return how many there were."""
    import pyarrow as pa  # noqa: PLC0415 -- an extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = _schema(pa)
    rows = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for group in _groups(numbers):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
            rows += len(group)
    return rows


def _groups(numbers: Sequence[int]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(numbers), GROUP_SIZE):
        segments = read_segments(numbers[start : start + GROUP_SIZE])
        yield [_row(load_json(expand_segment(segment))) for segment in segments]


def _row(line: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a record: what analyses select by, the rounds, and the record itself as JSON."""
    record = line["record"]
    result = record["result"]
    return {
        "number": line["number"],
        "match": record["match"],
        "finished_at": line["finished_at"],
        "ruleset": record["ruleset"],
        "ruleset_version": record["ruleset_version"],
        "options": [{"name": name, "value": value} for name, value in record["options"].items()],
        "players": record["players"],
        "target_score": record["target_score"],
        "rounds_limit": record["rounds_limit"],
        "kind": line["kind"],
        "kinds": line["kinds"],
        "seats": record["seats"],
        "reason": result["reason"],
        "winners": result["winners"],
        "scores": result["scores"],
        "rounds": [_round(each) for each in record["rounds"]],
    }


def _round(played: dict[str, Any]) -> dict[str, Any]:
    scores = played["scores"]
    return {
        **{name: played[name] for name in ("number", "dealer", "leader", "hands", "haggis", "out", "totals")},
        "points": None if scores is None else [each["total"] for each in scores],
        "actions": [_action(each) for each in played["actions"]],
    }


def _action(action: dict[str, Any]) -> dict[str, Any]:
    names = ("seat", "type", "cards", "amount", "to", "by", "at")
    named = action.get("as")
    return {**{name: action.get(name) for name in names}, "combination": named}


def _schema(pa: Any) -> Any:  # noqa: ANN401 -- the module, which has no types
    texts, numbers = pa.list_(pa.string()), pa.list_(pa.int16())
    combination = pa.struct(
        [("kind", pa.string()), ("top", pa.int16()), ("width", pa.int16()), ("length", pa.int16())]
    )
    action = pa.struct(
        [
            ("seat", pa.int8()),
            ("type", pa.string()),
            ("cards", texts),
            ("amount", pa.int16()),
            ("to", pa.int8()),
            ("by", pa.string()),
            ("at", pa.string()),
            ("combination", combination),
        ]
    )
    played = pa.struct(
        [
            ("number", pa.int16()),
            ("dealer", pa.int8()),
            ("leader", pa.int8()),
            ("hands", pa.list_(texts)),
            ("haggis", texts),
            ("out", numbers),
            ("totals", numbers),
            ("points", numbers),
            ("actions", pa.list_(action)),
        ]
    )
    option = pa.struct([("name", pa.string()), ("value", pa.string())])
    return pa.schema(
        [
            ("number", pa.int64()),
            ("match", pa.string()),
            ("finished_at", pa.string()),
            ("ruleset", pa.string()),
            ("ruleset_version", pa.string()),
            ("options", pa.list_(option)),
            ("players", pa.int8()),
            ("target_score", pa.int16()),
            ("rounds_limit", pa.int16()),
            ("kind", pa.string()),
            ("kinds", texts),
            ("seats", texts),
            ("reason", pa.string()),
            ("winners", numbers),
            ("scores", numbers),
            ("rounds", pa.list_(played)),
        ]
    )
