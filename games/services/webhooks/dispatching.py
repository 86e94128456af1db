"""Emptying the outbox: several endpoints at once, each in a thread that knows nothing of the database."""

import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final

from django.utils import timezone

from games.services.webhooks.claiming import Batch, claim_batches
from games.services.webhooks.messages import headers_of
from games.services.webhooks.posting import post
from games.services.webhooks.recording import Sent, record

ENDPOINTS_AT_ONCE: Final = 16
# A dispatcher takes on nothing new after this time, and an endpoint is sent nothing new after its share.
SECONDS_IN_A_ROW: Final = 20.0
SECONDS_FOR_A_BATCH: Final = 15.0
SECONDS_BETWEEN_LOOKS: Final = 0.5

_Sending = Future[list[Sent]]


def dispatch(*, seconds: float = SECONDS_IN_A_ROW) -> int:
    """Send what is due until nothing is, or the time is over; how many requests were made.

    Any number may do so at once. Whatever kills one of them, what it had in hand is sent again by another.
    """
    until = time.monotonic() + seconds
    made = 0
    sending: dict[_Sending, Batch] = {}
    with ThreadPoolExecutor(ENDPOINTS_AT_ONCE, thread_name_prefix="webhooks") as threads:
        while True:
            if time.monotonic() < until:
                for batch in claim_batches(at_most=ENDPOINTS_AT_ONCE - len(sending)):
                    sending[threads.submit(send_batch, batch)] = batch
            if not sending:
                return made
            done, _ = wait(sending, SECONDS_BETWEEN_LOOKS, FIRST_COMPLETED)
            for future in done:
                sent = future.result()
                record(batch=sending.pop(future), sent=sent)
                made += len(sent)


def send_batch(batch: Batch) -> list[Sent]:
    """Send what is due at one endpoint, one after the other, up to the first that it does not take."""
    until = time.monotonic() + SECONDS_FOR_A_BATCH
    sent: list[Sent] = []
    for message in batch.messages:
        now = timezone.now()
        headers = headers_of(message.public_id, message.body, batch.secrets, now)
        answered = post(batch.url, message.body.encode(), headers)
        sent.append(Sent(message, answered, now))
        if not answered.is_taken or time.monotonic() > until:
            break
    return sent
