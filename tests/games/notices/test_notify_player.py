"""Writing of notices: with their cause, once, for webhooks, mails, push messages and streams."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from games.identity.models import Player
from games.matches.models.log import Move
from games.matches.publish import MatchChanged, subscribe
from games.notices import services
from games.notices.models import ExportReadyData, NoticeType, PlayerNotice
from games.notices.services import RETENTION, delete_old_notices, notify_player
from games.notifications.models import Delivery, Notice
from games.privacy.services import delete_account
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import make_notified_player, make_player, start_match

DATA: ExportReadyData = {"export": "ex_1", "expires_at": "2026-12-01T00:00:00Z"}


def notify(player: Player) -> PlayerNotice:
    """Write a notice about an export."""
    notice = notify_player(player_id=player.pk, type=NoticeType.EXPORT_READY, data=DATA)
    assert notice is not None
    return notice


def test_notice_is_stored_with_its_data_and_transaction(database: str) -> None:
    me = make_player()
    notice = notify(me)
    stored = PlayerNotice.objects.get(player=me)
    assert (stored.pk, stored.public_id, stored.type, stored.data) == (
        notice.pk,
        notice.public_id,
        "export_ready",
        DATA,
    )
    assert (stored.written_in is not None) == (database == "postgresql")


def test_notices_and_log_entries_share_one_order(database: str) -> None:
    me, you = make_player(), make_player()
    first = notify(me)
    match = start_match(me, you)
    between = notify(me)
    later = start_match(me, you)
    after = notify(you)
    entry_ids = [Move.objects.get(match=each, version=1).pk for each in (match, later)]
    ids = [first.pk, entry_ids[0], between.pk, entry_ids[1], after.pk]
    assert ids == sorted(set(ids))


def test_notice_vanishes_with_its_transaction(committing_database: str) -> None:
    me = make_notified_player("export_ready")
    make_endpoint(me, types=["export_ready"])

    def fail_after_notice() -> None:
        with transaction.atomic():
            notify(me)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_after_notice()
    assert not PlayerNotice.objects.exists()
    assert not Delivery.objects.exists()
    assert not Notice.objects.exists()


def test_streams_of_the_player_are_notified_after_the_commit(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = make_player()
    published: list[MatchChanged] = []
    monkeypatch.setattr("games.matches.publish._subscribers", [])
    subscribe(published.append)
    with transaction.atomic():
        notify(me)
        assert published == []
    assert [each.players for each in published] == [(me.pk,)]


def test_only_endpoints_that_name_the_type_get_the_notice(database: str) -> None:
    me = make_player()
    named = make_endpoint(me, types=["export_ready", "play"])
    make_endpoint(me)
    make_endpoint(me, types=["security"])
    make_endpoint(make_player(), types=["export_ready"])
    make_endpoint(me, types=["export_ready"], match=start_match(me, make_player()).pk)
    stopped = make_endpoint(me, types=["export_ready"])
    type(stopped).objects.filter(pk=stopped.pk).update(active=False)
    notice = notify(me)
    queued = Delivery.objects.get(type="export_ready")
    assert (queued.webhook_id, queued.notice_id, queued.match_id) == (named.pk, notice.pk, None)
    assert queued.status == "pending"


def test_mail_digest_and_push_are_queued_as_the_player_chose(database: str, settings: Any) -> None:
    settings.HAGGIS_PUSH_KEY = "a key"
    me = make_notified_player()
    me.notifications = {"email": ["export_ready"], "digest": ["export_ready"], "push": ["security"]}
    me.save(update_fields=["notifications"])
    notice = notify(me)
    queued = Notice.objects.filter(player=me).order_by("way")
    assert [(each.way, each.kind, each.about) for each in queued] == [
        ("digest", "export_ready", notice.public_id),
        ("email", "export_ready", notice.public_id),
    ]
    assert queued[1].due_at <= timezone.now() < queued[0].due_at


def test_player_without_a_confirmed_address_gets_no_mail(database: str) -> None:
    me = make_notified_player("export_ready", email_confirmed=False)
    notify(me)
    assert not Notice.objects.exists()


def test_closed_account_gets_no_notice(database: str) -> None:
    me = make_player(is_active=False)
    assert notify_player(player_id=me.pk, type=NoticeType.EXPORT_READY, data=DATA) is None
    assert not PlayerNotice.objects.exists()


def test_deletion_of_an_account_deletes_its_notices(committing_database: str) -> None:
    me, other = make_player(), make_player()
    notify(me)
    remaining = notify(other)
    delete_account(player=me)
    assert list(PlayerNotice.objects.values_list("pk", flat=True)) == [remaining.pk]


def test_old_notices_are_deleted_in_bounded_batches(database: str) -> None:
    me, now = make_player(), timezone.now()
    notices = [notify(me) for _ in range(4)]
    old = [notice.pk for notice in notices[:3]]
    PlayerNotice.objects.filter(pk__in=old).update(at=now - RETENTION - timedelta(minutes=1))
    assert delete_old_notices(now=now, batch_size=2) == 2
    assert delete_old_notices(now=now, batch_size=2) == 1
    assert list(PlayerNotice.objects.values_list("pk", flat=True)) == [notices[3].pk]


def test_only_the_latest_notices_of_a_player_are_stored(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_STORED_NOTICES", 3)
    me, other = make_player(), make_player()
    rest_of_other = notify(other)
    ids = [notify(me).pk for _ in range(5)]
    assert list(PlayerNotice.objects.order_by("pk").values_list("pk", flat=True)) == [
        rest_of_other.pk,
        *ids[2:],
    ]
