import logging
import logging.config

import pytest
from django.conf import settings
from django.test import Client
from django.urls import path

from games.api.problems import server_error


def fails(_: object) -> None:
    raise RuntimeError("something we did not think of")


urlpatterns = [path("api/v1/fails", fails)]  # type: ignore[arg-type]  # it gives no answer: that is the point
handler500 = server_error


@pytest.mark.urls(__name__)
def test_a_fault_is_said_on_standard_error_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    logging.config.dictConfig(settings.LOGGING)
    response = Client(raise_request_exception=False).get("/api/v1/fails")
    assert response.status_code == 500
    said = capsys.readouterr().err
    assert "RuntimeError: something we did not think of" in said
    assert "/api/v1/fails" in said


@pytest.mark.urls(__name__)
def test_what_is_not_there_is_no_news(capsys: pytest.CaptureFixture[str]) -> None:
    logging.config.dictConfig(settings.LOGGING)
    assert Client().get("/api/v1/nothing").status_code == 404
    assert capsys.readouterr().err == ""
