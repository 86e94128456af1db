import logging
import logging.config

import pytest
from django.conf import settings
from django.test import Client
from django.urls import path

from games.api.problems import server_error


def fails(_: object) -> None:
    raise RuntimeError("an unexpected error")


urlpatterns = [path("api/v1/fails", fails)]  # type: ignore[arg-type]  # it raises instead of returning a response
handler500 = server_error


@pytest.mark.urls(__name__)
def test_exception_is_logged_to_stderr_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    logging.config.dictConfig(settings.LOGGING)
    response = Client(raise_request_exception=False).get("/api/v1/fails")
    assert response.status_code == 500
    output = capsys.readouterr().err
    assert "RuntimeError: an unexpected error" in output
    assert "/api/v1/fails" in output


@pytest.mark.urls(__name__)
def test_404_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    logging.config.dictConfig(settings.LOGGING)
    assert Client().get("/api/v1/nothing").status_code == 404
    assert capsys.readouterr().err == ""
