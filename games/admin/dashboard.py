"""The first page: what goes on, what is late, and how it was over the last hours and days."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from games.selectors.operation import overdue_turns, waiting_turns
from games.selectors.oversight import failing_endpoints, matches_by_status, moves_by_hour, sign_ups_by_day


def dashboard() -> dict[str, Any]:
    """What the template shows."""
    moves, sign_ups = moves_by_hour(), sign_ups_by_day()
    return {
        "statuses": matches_by_status(),
        "late": {"Overdue turns": overdue_turns(), "AI turns waiting": waiting_turns()},
        "failing": failing_endpoints(),
        "moves_today": sum(moves.values()),
        "moves_chart": _chart("Events", moves, "%H:00"),
        "sign_ups": sum(sign_ups.values()),
        "sign_ups_chart": _chart("Accounts", sign_ups, "%d %b"),
    }


def _chart(label: str, counts: Mapping[datetime, int], form: str) -> str:
    """The data of a bar chart, as the library's charts take it."""
    return json.dumps(
        {
            "labels": [each.strftime(form) for each in counts],
            "datasets": [
                {"label": label, "data": list(counts.values()), "backgroundColor": "var(--color-primary-600)"}
            ],
        }
    )
