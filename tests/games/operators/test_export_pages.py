"""The pages of the files of the data set."""

from datetime import date

import pytest
from django.test import Client

from games.operators.models import OperatorAction
from games.operators.services import Role
from games.records.models import DatasetFile, FileFormat
from tests.support.factories import logged_in_client, make_operator

NAME = "haggis-2026-10.parquet"


@pytest.fixture
def file(database: str) -> DatasetFile:
    return DatasetFile.objects.create(
        name=NAME, month=date(2026, 10, 1), format=FileFormat.PARQUET, attempts=5, fault="OSError"
    )


def test_an_operator_has_a_failed_file_written_again(file: DatasetFile) -> None:
    client = logged_in_client(make_operator(Role.OPERATOR))
    page = f"/admin/games/datasetfile/{file.pk}"
    assert NAME in client.get("/admin/games/datasetfile/").content.decode()
    shown = client.get(f"{page}/change/").content.decode()
    assert "failed with OSError" in shown
    client.post(f"{page}/retry/", {"reason": "the disk has space again"})
    file.refresh_from_db()
    assert (file.status, file.attempts, file.fault) == ("waiting", 0, "")
    entry = OperatorAction.objects.get(action="note")
    assert (entry.details, entry.reason) == ({"file": NAME}, "the disk has space again")
    assert "the disk has space again" in client.get(f"{page}/change/").content.decode()


def test_a_moderator_sees_files_and_cannot_write_them(file: DatasetFile) -> None:
    client = logged_in_client(make_operator(Role.MODERATOR))
    page = f"/admin/games/datasetfile/{file.pk}"
    assert "Write again" not in client.get(f"{page}/change/").content.decode()
    assert client.post(f"{page}/retry/", {"reason": "try it"}).status_code == 404
    assert Client().get(f"{page}/change/").status_code in {302, 404}
