"""Archives of what is stored about a player: complete, without secrets, and gone when they should be."""

import io
import json
import re
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core import mail
from django.db.models import ForeignKey
from django.test.client import Client
from django.utils import timezone

from games.accounts.services import mails
from games.identity.models import ApiToken, Player
from games.notices.models import PlayerNotice
from games.notifications.models import Webhook
from games.privacy import exports
from games.privacy.archive import LEFT_OUT, SECTIONS
from games.privacy.exports import MAX_ATTEMPTS, delete_old_exports, write_next_personal_export
from games.privacy.models import PersonalExport
from games.privacy.services import delete_account
from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match
from tests.support.table import Table

Json = Any
SECRET = re.compile(r"haggis_|whsec_|\$(argon2|md5|pbkdf2)|p256dh")


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Path) -> None:
    settings.HAGGIS_EXPORTS_DIR = tmp_path / "exports"


def fresh(player: Player) -> HttpPlayer:
    client = HttpPlayer.log_in(player=player)
    ApiToken.objects.filter(user=player).update(
        fresh_until=timezone.now() + timedelta(minutes=9), session=True
    )
    return client


def request_and_write(client: HttpPlayer) -> Json:
    response = client.request("POST", "me/export", {})
    assert response.status_code == 202, response.content
    assert response.headers["Location"] == "/api/v1/me/export"
    while write_next_personal_export():
        pass
    return client.request("GET", "me/export").json()


def archive_of(client: HttpPlayer) -> dict[str, Json]:
    response = client.request("GET", "me/export/archive")
    assert response.status_code == 200, response.content
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}


def files() -> list[Path]:
    return list(exports.archive_path(PersonalExport(file="x")).parent.glob("*"))


def test_an_archive_has_the_account_and_every_match_as_the_player_sees_it(database: str) -> None:
    anna, ben = make_player(email="anna@example.org", email_confirmed=True), make_player()
    finished = Table.start(anna, ben, rounds=1).finish()
    running = start_match(anna, ben)
    others = Table.start(ben, "random", rounds=1)
    client = fresh(anna)
    client.request("POST", "me/webhooks", {"url": "https://bots.example/hook"})
    shown = request_and_write(client)
    assert (shown["status"], client.request("GET", "me/export").json()) == ("ready", shown)
    archive = archive_of(client)
    assert archive["account.json"]["email"] == "anna@example.org"
    assert set(archive) >= {"tokens.json", "matches_made.json", "account.json"}
    assert {name for name in archive if name.startswith("matches/")} == {
        f"matches/{finished.id}.json",
        f"matches/{running.pk}.json",
    }, others.id
    assert archive[f"matches/{finished.id}.json"]["log"] == finished.log
    client.match_id = running.pk
    seen, table = archive[f"matches/{running.pk}.json"], client.table()
    assert seen["table"]["round"]["hands"] == table["round"]["hands"]
    assert seen["rounds"][0]["hands"] is None
    own, other = (hand["cards"] for hand in sorted(seen["table"]["round"]["hands"], key=lambda h: h["seat"]))
    assert own is not None
    assert other is None


def test_an_archive_contains_no_secrets(database: str) -> None:
    anna = make_player(email="anna@example.org", email_confirmed=True, password="a heap of heather")
    client = fresh(anna)
    created = client.request("POST", "me/tokens", {"name": "mine", "scopes": ["matches:read"]})
    Webhook.objects.create(
        player=anna, url="https://bots.example/hook", secret="whsec_none", created_at=timezone.now()
    )
    request_and_write(client)
    text = json.dumps(archive_of(client))
    assert "bots.example" in text
    assert SECRET.search(text) is None
    token = created.json().get("secret") or created.json()["token"]
    digests = ApiToken.objects.filter(user=anna).values_list("digest", "token_key")
    assert not any(value in text for row in digests for value in row)
    assert token not in text


def test_every_reference_to_a_player_is_in_the_archive_or_left_out_for_a_reason() -> None:
    included = {f"{section.model.__name__}.{section.owner}" for section in SECTIONS}
    references = {
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey) and field.related_model is Player
    }
    assert included | set(LEFT_OUT) == references
    assert not included & set(LEFT_OUT)


def test_the_player_is_notified_when_the_archive_is_ready(
    database: str, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mails, "_sender", [mails.send_account_mail])
    anna = make_player(email="anna@example.org", email_confirmed=True, language="de")
    with django_capture_on_commit_callbacks(execute=True):
        shown = request_and_write(fresh(anna))
    notice = PlayerNotice.objects.get(player=anna, type="export_ready")
    assert notice.data == {"export": shown["id"], "expires_at": shown["expires_at"]}
    (message,) = mail.outbox
    assert message.to == ["anna@example.org"]
    assert "/account" in message.body


def test_one_archive_a_day(database: str) -> None:
    client = fresh(make_player())
    first = client.request("POST", "me/export", {}).json()
    assert client.request("POST", "me/export", {}).json()["id"] == first["id"]
    write_next_personal_export()
    refused = client.request("POST", "me/export", {})
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert int(refused.headers["Retry-After"]) > 80_000
    PersonalExport.objects.update(requested_at=timezone.now() - timedelta(days=1))
    assert client.request("POST", "me/export", {}).json()["id"] != first["id"]
    assert (PersonalExport.objects.count(), files()) == (1, [])


def test_the_password_has_to_be_fresh_and_others_have_no_access(database: str) -> None:
    anna, ben = make_player(), make_player()
    client = fresh(anna)
    request_and_write(client)
    assert fresh(ben).request("GET", "me/export").status_code == 404
    assert fresh(ben).request("GET", "me/export/archive").status_code == 404
    ApiToken.objects.filter(user=anna).update(fresh_until=None)
    for method, path in (("POST", "me/export"), ("GET", "me/export/archive")):
        refused = client.request(method, path, {} if method == "POST" else None)
        assert refused.json()["code"] == "reauthentication_required"
    assert Client().get("/api/v1/me/export/archive").status_code == 401


def test_archives_expire_and_are_deleted_with_the_account(database: str) -> None:
    anna = make_player()
    client = fresh(anna)
    request_and_write(client)
    assert len(files()) == 1
    PersonalExport.objects.update(expires_at=timezone.now())
    assert client.request("GET", "me/export").status_code == 404
    delete_old_exports(now=timezone.now())
    assert (files(), PersonalExport.objects.count()) == ([], 0)
    request_and_write(client)
    delete_account(player=anna)
    assert (files(), PersonalExport.objects.count()) == ([], 0)


def test_files_without_a_row_are_deleted(database: str) -> None:
    client = fresh(make_player())
    request_and_write(client)
    (archive,) = files()
    (archive.parent / "left.zip").write_bytes(b"")
    delete_old_exports(now=timezone.now())
    assert len(files()) == 2
    delete_old_exports(now=timezone.now() + timedelta(hours=1))
    assert files() == [archive]


def test_a_failed_archive_is_retried_and_then_fails(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = fresh(make_player())
    client.request("POST", "me/export", {})

    def fail(_: Any) -> Any:
        raise ValueError("stored words")

    monkeypatch.setattr(exports, "account_document", fail)
    for _ in range(MAX_ATTEMPTS):
        assert write_next_personal_export()
        PersonalExport.objects.filter(wake_at__isnull=False).update(wake_at=timezone.now())
    assert not write_next_personal_export()
    assert client.request("GET", "me/export").json()["status"] == "failed"
    assert "stored words" not in caplog.text
    monkeypatch.undo()
    assert request_and_write(client)["status"] == "ready"
