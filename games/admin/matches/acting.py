"""The page of one deed: what will happen, why it is done, and then doing it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.admin.matches.deeds import DEEDS, Deed, DeedForm
from games.admin.reading import operator_of, wanted_match
from games.admin.site import site
from games.errors import Problem
from games.matches.store import MatchRow


def act_on_match(request: HttpRequest, match_id: str, deed: str) -> HttpResponse:
    """Ask for the reason, then do it; a deed that is not for this operator or this match is not there."""
    row = wanted_match(match_id)
    wanted = DEEDS.get(deed)
    if wanted is None or not wanted.is_for(row, operator_of(request)):
        raise Http404
    form = wanted.form(row, request.POST or None)
    if form.is_valid() and _done(request, row, wanted, form):
        messages.success(request, f"{wanted.label}: done.")
        return redirect("admin:games_match_change", match_id)
    context = {
        **site.each_context(request),
        "title": f"{wanted.label}: {match_id}",
        "match": row,
        "deed": wanted,
        "form": form,
    }
    return render(request, "operators/deed.html", context)


def _done(request: HttpRequest, row: MatchRow, deed: Deed, form: DeedForm) -> bool:
    try:
        deed.act(operator=operator_of(request), match_id=row.id, **form.cleaned_data)
    except Problem as refused:
        form.add_error(None, refused.detail)
        return False
    return True
