"""Count the source files that one move executes."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import Any, Final

import orjson
import pytest
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from pytest_django import Settings

from games.core.rate_limits import reset_reservations
from games.matches import publish
from haggis_service.serving.request_bodies import drain_unread_bodies
from tests.support.clients import HttpPlayer
from tests.support.processes import ROOT
from tests.support.table import Table

pytestmark = [
    pytest.mark.needs("postgresql"),
    pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True),
]

MOST_FILES: Final = 30
_PACKAGES: Final = ("games/", "haggis_service/")


@contextmanager
def executed_files() -> Iterator[Counter[str]]:
    """Collect the files of the service whose functions this thread calls in the block."""
    files: Counter[str] = Counter()

    def collect(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            files[str(path.relative_to(ROOT))] += 1

    before = sys.getprofile()
    sys.setprofile(collect)
    try:
        yield files
    finally:
        sys.setprofile(before)
    for name in list(files):
        if not name.startswith(_PACKAGES):
            del files[name]


def post_over_wsgi(application: Any, player: HttpPlayer, body: object) -> tuple[str, Any]:
    """Post a move as a WSGI server does; return the status and the parsed response."""
    content = orjson.dumps(body)
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": f"/api/v1/matches/{player.match_id}/moves",
        "QUERY_STRING": "",
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_AUTHORIZATION": f"Bearer {player.token}",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(content)),
        "wsgi.input": BytesIO(content),
        "wsgi.url_scheme": "http",
    }
    status: list[str] = []
    response = application(environ, lambda line, _: status.append(line))
    return status[0], orjson.loads(b"".join(response))


def test_a_move_executes_at_most_thirty_files(
    committing_database: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without those of streams in other tests of this process: a WSGI server has none.
    monkeypatch.setattr(publish, "_subscribers", [publish.publish_to_redis])
    settings.HAGGIS_LIMITS = {"player": (600, 60)}
    settings.HAGGIS_NEWS_URL = settings.REDIS_URL
    cache.clear()
    reset_reservations()
    application = drain_unread_bodies(WSGIHandler())
    table = Table.start("anna", "ben", target_score=1000)
    most: Counter[str] = Counter()
    for number in range(24):
        player, body = table.legal_action(bets=False)
        with executed_files() as files:
            status, entry = post_over_wsgi(application, player, body)
        assert status.startswith("201")
        ended = any(each["type"] == "round_end" for each in entry["move"]["then"])
        if number >= 12 and not ended and len(files) > len(most):
            most = files
    assert 20 < len(most) <= MOST_FILES, "\n".join(sorted(most))
