"""What the service says in its log while a test runs."""

import io
import json
import logging
import logging.config
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings

from haggis_service.settings.logs import logging_settings

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Every line said so far, as production writes it."""
    told = io.StringIO()
    form = logging_settings("json", "INFO")
    form["handlers"]["console"]["stream"] = told
    logging.config.dictConfig(form)
    yield lambda: [json.loads(line) for line in told.getvalue().splitlines()]
    logging.config.dictConfig(settings.LOGGING)
