"""What is sent out is what a spectator may see: the same in two worlds that differ in hidden cards."""

import json
from datetime import timedelta
from random import Random

from django.core.mail import EmailMessage
from django.utils import timezone

from games.matches.models.match import Match
from games.notifications.deliveries import claim_batches
from games.notifications.mail import send_due_mails
from games.notifications.models import Delivery, Notice, Webhook
from tests.games.notifications.conftest import endpoint
from tests.games.notifications.test_notice_rows import move, wanting
from tests.games.worlds.pairs import change_the_world
from tests.games.worlds.test_two_worlds import WORLDS
from tests.support.factories import start_match


def told(mailoutbox: list[EmailMessage]) -> list[object]:
    """Everything that goes out now, with nothing forgotten of it afterwards."""
    notices = list(Notice.objects.values())
    mailoutbox.clear()
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    send_due_mails()
    Notice.objects.bulk_create(Notice(**values) for values in notices)
    Webhook.objects.update(rests_until=None, served_at=None)
    Delivery.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    bodies = [message.body for batch in claim_batches(at_most=9) for message in batch.messages]
    return [*((mail.to, mail.subject, mail.body, mail.extra_headers) for mail in mailoutbox), *bodies]


def test_two_worlds_send_the_same(database: str, mailoutbox: list[EmailMessage]) -> None:
    rng = Random(5)
    for _ in range(WORLDS):
        Webhook.objects.all().delete()
        Notice.objects.all().delete()
        people = wanting("your_turn"), wanting("your_turn")
        endpoint(people[0])
        match = start_match(*people, target_score=1000)
        for _ in range(rng.randrange(6)):
            move(match, rng.randrange(100))
        here = told(mailoutbox)
        hand = hidden_hand(match)
        change_the_world(match, None, rng)
        assert hidden_hand(match) != hand
        assert told(mailoutbox) == here
        assert len(here) >= 2


def hidden_hand(match: Match) -> str:
    """What nobody but its seat may see."""
    return json.dumps(Match.objects.get(pk=match.pk).snapshot.state.reveal())
