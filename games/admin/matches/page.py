"""The page of one match: what a spectator sees of its table, who sits there, its log, what operators did."""

from typing import Any, Final

from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.admin.matches.deeds import DEEDS
from games.admin.reading import operator_of, wanted_match
from games.admin.reasons import ReasonForm
from games.admin.site import site
from games.errors import Problem
from games.matches.store import MatchRow
from games.models import OperatorAction
from games.selectors.history import log_before, rounds_shown
from games.selectors.table_form import PLAYED, table_form
from games.services.operators.revealing import reveal_hands

ENTRIES_A_PAGE: Final = 40


@permission_required("games.view_match", raise_exception=True)
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """Look at a match. Hands are shown only when that is asked for, with a reason, once."""
    row = wanted_match(match_id)
    form, revealed = ReasonForm(), None
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            revealed = _reveal(request, row, form)
    context = {**_shown(request, row), "form": form, "revealed": revealed}
    return render(request, "operators/match.html", context)


def _reveal(request: HttpRequest, row: MatchRow, form: ReasonForm) -> dict[str, Any] | None:
    """The hands; None, with the reason on the form, where they may not be looked at."""
    operator = operator_of(request)
    if not operator.has_perm("games.reveal_hands"):
        form.add_error(None, "You may not look into hands.")
        return None
    try:
        return reveal_hands(operator=operator, match_id=row.id, reason=form.cleaned_data["reason"])
    except Problem as refused:
        form.add_error(None, refused.detail)
        return None


def _shown(request: HttpRequest, row: MatchRow) -> dict[str, Any]:
    operator = operator_of(request)
    before = _before(request, row.version)
    entries = log_before(row, before, ENTRIES_A_PAGE)
    earlier = entries[-1]["version"] if entries and entries[-1]["version"] > 1 else None
    return {
        **site.each_context(request),
        "title": f"Match {row.id}",
        "table": table_form(row, None),
        "row": row,
        "match": row,
        "entries": entries,
        "earlier": earlier,
        "rounds": [each for each in rounds_shown(row) if each["hands"] is not None],
        "deeds": [deed for deed in DEEDS.values() if deed.is_for(row, operator)],
        "done": OperatorAction.objects.filter(match=row.id).select_related("operator").order_by("-pk")[:50],
        "may_reveal": row.status in PLAYED and operator.has_perm("games.reveal_hands"),
    }


def _before(request: HttpRequest, version: int) -> int:
    asked = request.GET.get("before", "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else version + 1  # noqa: PLR2004 -- digits of a version
