"""The pages of webhooks, deliveries and pending messages."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.matches.models.log import DeliveryStatus
from games.notifications.models import Delivery, Notice, Webhook
from games.notifications.webhooks import change_webhook, create_webhook, send_test
from games.operators.models import OperatorAction
from games.operators.services import Role
from tests.support.factories import logged_in_client, make_operator, make_player, raises_problem, start_match

SECRET_URL = "https://bots.example/hooks/s3cret-path?key=s3cret-key"


@pytest.fixture
def client(database: str) -> Client:
    """Return the browser of an operator."""
    return logged_in_client(make_operator(Role.OPERATOR))


def make_webhook() -> Webhook:
    return create_webhook(player=make_player(), url=SECRET_URL).webhook


def page(row: Webhook | Delivery | Notice, action: str = "change") -> str:
    return f"/admin/games/{row._meta.model_name}/{row.pk}/{action}/"


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def failed_delivery(webhook: Webhook) -> Delivery:
    delivery = send_test(player=webhook.player, webhook_id=webhook.public_id)
    attempt = {"at": "2026-05-04T03:02:01Z", "status": 503, "error": None, "milliseconds": 12}
    Delivery.objects.filter(pk=delivery.pk).update(
        status=DeliveryStatus.FAILED, due_at=None, tried=1, attempts=[attempt]
    )
    return Delivery.objects.get(pk=delivery.pk)


def test_stopped_webhook_is_enabled_by_an_operator_only(client: Client) -> None:
    webhook = make_webhook()
    client.post(page(webhook, "stop"), {"reason": "floods its host"})
    webhook.refresh_from_db()
    assert (webhook.active, webhook.stopped_because) == (False, "operator")
    with raises_problem("not_allowed"):
        change_webhook(player=webhook.player, webhook_id=webhook.public_id, changes={"active": True})
    assert "floods its host" in text(client, page(webhook))
    client.post(page(webhook, "enable"), {"reason": "its host has been mended"})
    webhook.refresh_from_db()
    assert (webhook.active, webhook.stopped_because) == (True, "")


def test_failed_delivery_is_sent_again(client: Client) -> None:
    delivery = failed_delivery(make_webhook())
    assert "503" in text(client, page(delivery))
    client.post(page(delivery, "redeliver"), {"reason": "the receiver works again"})
    delivery.refresh_from_db()
    assert (delivery.status, delivery.tried) == (DeliveryStatus.PENDING, 0)
    assert OperatorAction.objects.get(action="redeliver").details == {"delivery": delivery.public_id}


def test_delivery_to_a_stopped_webhook_is_not_sent_again(client: Client) -> None:
    webhook = make_webhook()
    delivery = failed_delivery(webhook)
    client.post(page(webhook, "stop"), {"reason": "floods its host"})
    assert client.post(page(delivery, "redeliver"), {"reason": "again"}).status_code == 404


def test_pages_show_neither_secrets_nor_the_path_of_the_url(client: Client) -> None:
    webhook = make_webhook()
    delivery = failed_delivery(webhook)
    for shown in (text(client, page(webhook)), text(client, page(delivery))):
        assert "https://bots.example/…" in shown
        assert "s3cret" not in shown
        assert "whsec_" not in shown


def test_body_of_a_delivery_is_what_spectators_see(client: Client) -> None:
    player = make_player()
    webhook = create_webhook(player=player, url=SECRET_URL).webhook
    match = start_match(player, make_player())
    delivery = Delivery.objects.filter(webhook=webhook).latest("pk")
    shown = text(client, page(delivery))
    assert match.pk in shown
    assert "&quot;hands&quot;" not in shown
    assert f"/admin/games/match/{match.pk}/change/" in shown


def test_pending_mail_is_sent_now(client: Client) -> None:
    due_at = timezone.now() + timedelta(hours=5)
    notice = Notice.objects.create(
        player=make_player(), kind="invitation", way="email", about="m_x", version=1, due_at=due_at, tried=4
    )
    assert "invitation" in text(client, "/admin/games/notice/").lower()
    assert "4" in text(client, page(notice))
    client.post(page(notice, "retry"), {"reason": "the mail server works again"})
    notice.refresh_from_db()
    assert notice.due_at <= timezone.now()


def test_moderators_see_webhooks_and_cannot_stop_them(database: str) -> None:
    moderator, webhook = logged_in_client(make_operator(Role.MODERATOR)), make_webhook()
    assert webhook.public_id in text(moderator, page(webhook))
    assert moderator.post(page(webhook, "stop"), {"reason": "floods"}).status_code == 404


def test_webhook_is_found_by_the_search_of_the_dashboard(client: Client) -> None:
    webhook = make_webhook()
    answer = client.get("/admin/find/", {"q": webhook.public_id})
    assert (answer.status_code, answer["Location"]) == (302, page(webhook))
