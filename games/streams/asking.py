"""Asking Django: a request from the event loop, answered by its view in a thread, as WSGI has it.

Django's own ASGI handler keeps a thread for every request until its last byte is written, and so a connection
to the database. Here the view is done before the waiting begins.
"""

import logging
from io import BytesIO
from typing import Any

from django.core import signals
from django.core.handlers.asgi import ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from games.api.events.door import Door
from games.api.problems import problem_response
from games.errors import Problem

Scope = Any  # what ASGI says of a request
Headers = list[tuple[bytes, bytes]]

log = logging.getLogger(__name__)


class Asking(BaseHandler):
    """Django's views with all that stands around them."""

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware()

    def answer(self, scope: Scope, door: Door) -> HttpResponse:
        """The answer to a request without a body. `door` is what it may wait by."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        try:
            request = ASGIRequest(scope, BytesIO())
        except UnicodeDecodeError:
            return problem_response(Problem("invalid_parameter", "The address is not UTF-8."))
        request.door = door  # type: ignore[attr-defined]  # read by games.api.events.door
        response = self.get_response(request)
        # Ends the request as far as Django goes; what was rendered stays.
        response.close()
        return _whole(response)


def _whole(response: HttpResponseBase) -> HttpResponse:
    if not isinstance(response, HttpResponse):
        raise TypeError("Nothing that is asked this way answers in pieces.")
    return response


def headers_of(response: HttpResponse) -> Headers:
    """The headers as ASGI wants them."""
    headers = [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    cookies = [(b"set-cookie", each.output(header="").strip().encode()) for each in response.cookies.values()]
    return headers + cookies
