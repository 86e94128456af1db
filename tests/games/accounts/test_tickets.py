from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from games.accounts.models import Ticket
from games.accounts.services import credentials
from games.accounts.services.credentials import delete_expired_tickets, issue_ticket, redeem_ticket
from games.core.errors import Problem
from games.identity.models import Closing
from games.identity.services import NewToken, close_account, log_in_token, revoke_token
from tests.support.concurrency import run_concurrently
from tests.support.factories import make_player


def log_in_new_player() -> NewToken:
    return log_in_token(player=make_player())


def expire_all_tickets() -> None:
    Ticket.objects.update(expires_at=timezone.now() - timedelta(milliseconds=1))


def test_a_ticket_can_be_redeemed_once_for_its_token(database: str) -> None:
    mine = log_in_new_player()
    ticket = issue_ticket(token=mine.token.row())
    token_row = redeem_ticket(secret=ticket.secret)
    assert token_row is not None
    assert (token_row.digest, token_row.player) == (mine.token.digest, mine.token.user)
    assert redeem_ticket(secret=ticket.secret) is None


def test_only_one_of_many_concurrent_redemptions_succeeds(committing_database: str) -> None:
    ticket = issue_ticket(token=log_in_new_player().token.row())
    redeemed = run_concurrently([partial(redeem_ticket, secret=ticket.secret)] * 8)
    assert sum(each is not None for each in redeemed) == 1


def test_a_ticket_expires_after_a_minute(database: str) -> None:
    before = timezone.now()
    ticket = issue_ticket(token=log_in_new_player().token.row())
    assert before < ticket.expires_at <= timezone.now() + timedelta(seconds=60)
    expire_all_tickets()
    assert redeem_ticket(secret=ticket.secret) is None


def test_a_ticket_ends_with_its_token_or_its_player(database: str) -> None:
    mine, theirs = log_in_new_player(), log_in_new_player()
    of_mine, of_theirs = issue_ticket(token=mine.token.row()), issue_ticket(token=theirs.token.row())
    revoke_token(token=mine.token.row())
    close_account(player=theirs.token.user, closing=Closing.BAN)
    assert redeem_ticket(secret=of_mine.secret) is None
    assert redeem_ticket(secret=of_theirs.secret) is None


def test_the_secret_of_a_ticket_is_neither_stored_nor_printed(database: str) -> None:
    ticket = issue_ticket(token=log_in_new_player().token.row())
    stored = Ticket.objects.get()
    assert ticket.secret not in f"{vars(stored)} {ticket} {stored}"
    assert redeem_ticket(secret=stored.digest) is None


def test_the_number_of_unused_tickets_is_limited(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "MAX_TICKETS", 2)
    token = log_in_new_player().token.row()
    issue_ticket(token=token)
    issue_ticket(token=token)
    with pytest.raises(Problem) as refused:
        issue_ticket(token=token)
    assert refused.value.code == "limit_reached"
    issue_ticket(token=log_in_new_player().token.row())
    expire_all_tickets()
    issue_ticket(token=token)


def test_expired_tickets_are_deleted_in_batches(database: str) -> None:
    token = log_in_new_player().token.row()
    for _ in range(3):
        issue_ticket(token=token)
    expire_all_tickets()
    new = issue_ticket(token=token)
    assert delete_expired_tickets(now=timezone.now(), at_once=2) == 2
    assert delete_expired_tickets(now=timezone.now()) == 1
    assert delete_expired_tickets(now=timezone.now()) == 0
    assert redeem_ticket(secret=new.secret) is not None
