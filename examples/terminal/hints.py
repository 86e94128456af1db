"""Legal plays: one line per combination, with its cheapest cards."""

from engine.ai.turn import legal_plays
from engine.plays.grouped import Group, grouped
from engine.views.round_view import RoundView
from examples.terminal.paint import Paint

MAX_HINTS = 15


def list_hints(view: RoundView, paint: Paint, *, show_all: bool) -> str:
    """List the legal plays by combination, fewest wild cards first; some or all of them."""
    groups = grouped(legal_plays(view))
    shown = groups if show_all else groups[:MAX_HINTS]
    lines = [_line(group, paint) for group in shown]
    if len(groups) > len(shown):
        lines.append(f"  and {len(groups) - len(shown)} more: hint all")
    if view.current:
        lines.append("  pass" if groups else "  Nothing you hold beats it: pass")
    return "\n".join(lines)


def _line(group: Group, paint: Paint) -> str:
    ways = f", one of {group.count} ways" if group.count > 1 else ""
    return f"  {paint.play(group.cheapest)}{paint.faint(ways)}"
