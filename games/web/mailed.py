"""The way out of mails: the one page that does something by itself."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.errors import Problem
from games.services.notices.unsubscribing import kinds_of, unsubscribe

_NAMES: Final = {
    "invitation": "invitations",
    "your_turn": "your turns",
    "reminder": "turns that run out",
    "caretaker": "seats that an AI keeps for you",
    "match_end": "matches that are over",
}
_NO_SUCH_LINK: Final = 404


# The signed word is all that counts, whoever sends it: mail programs do so by themselves (RFC 8058).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
def unsubscribe_page(request: HttpRequest) -> HttpResponse:
    """Ask before anything is done; do it when it is posted."""
    token = request.GET.get("token", "")
    try:
        kinds = kinds_of(token)
        if request.method == "POST":
            unsubscribe(token=token, everything="everything" in request.POST)
    except Problem:
        return render(request, "web/unsubscribe.html", {"unknown": True}, status=_NO_SUCH_LINK)
    names = [_NAMES[kind] for kind in kinds if kind in _NAMES]
    return render(request, "web/unsubscribe.html", {"names": names, "done": request.method == "POST"})
