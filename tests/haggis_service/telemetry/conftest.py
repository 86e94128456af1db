"""Captured log lines."""

import io
import json
import logging
import logging.config
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings

from haggis_service.settings.logs import logging_settings

LogLines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines() -> Iterator[LogLines]:
    """Return a function that parses the JSON log lines written so far."""
    stream = io.StringIO()
    configuration = logging_settings("json", "INFO")
    configuration["handlers"]["console"]["stream"] = stream
    logging.config.dictConfig(configuration)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logging.config.dictConfig(settings.LOGGING)
