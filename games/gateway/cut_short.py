"""A round that ends without having been played out, as the log tells it."""

from typing import Any

from games.gateway.table import Table

Form = dict[str, Any]


def round_cut_short(table: Table, link: str) -> Form:
    """The end of the running round: its deal and its link are shown, and nothing is scored."""
    return {
        "type": "round_end",
        "number": table.round_number,
        "out": list(table.state.round.position.out),
        "scores": None,
        "totals": table.totals,
        **table.deal_form(),
        "link": link,
    }
