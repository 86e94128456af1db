"""Notifications contain only what a spectator can see, so they do not depend on hidden cards."""

import json
from datetime import timedelta
from random import Random

from django.core.mail import EmailMessage
from django.utils import timezone

from games.matches.models.match import Match
from games.notifications.deliveries import claim_batches
from games.notifications.mail import send_due_mails
from games.notifications.models import Delivery, Notice, Webhook
from tests.games.notifications.conftest import make_endpoint
from tests.games.worlds.pairs import redeal_hidden_cards
from tests.games.worlds.test_two_worlds import WORLDS
from tests.support.factories import make_notified_player, start_match
from tests.support.table import Table


def sent_notifications(mailoutbox: list[EmailMessage]) -> list[object]:
    """Return everything that is due, and keep the notices for the next call."""
    notices = list(Notice.objects.values())
    mailoutbox.clear()
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    send_due_mails()
    Notice.objects.bulk_create(Notice(**values) for values in notices)
    Webhook.objects.update(rests_until=None, served_at=None)
    Delivery.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    bodies = [message.body for batch in claim_batches(at_most=9) for message in batch.messages]
    return [*((mail.to, mail.subject, mail.body, mail.extra_headers) for mail in mailoutbox), *bodies]


def test_two_worlds_send_the_same_notifications(database: str, mailoutbox: list[EmailMessage]) -> None:
    rng = Random(5)
    for _ in range(WORLDS):
        Webhook.objects.all().delete()
        Notice.objects.all().delete()
        people = make_notified_player("your_turn"), make_notified_player("your_turn")
        make_endpoint(people[0])
        match = start_match(*people, target_score=1000)
        table = Table.of(match, seed=rng.randrange(100))
        for _ in range(rng.randrange(6)):
            table.take_turn()
        first = sent_notifications(mailoutbox)
        hand = hidden_hand(match)
        redeal_hidden_cards(match, None, rng)
        assert hidden_hand(match) != hand
        assert sent_notifications(mailoutbox) == first
        assert len(first) >= 2


def hidden_hand(match: Match) -> str:
    """Return the stored state, which includes the hidden cards."""
    return json.dumps(Match.objects.get(pk=match.pk).snapshot.state.reveal())
