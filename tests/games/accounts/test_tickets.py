from datetime import timedelta

import pytest
from django.utils import timezone

from games.accounts.models import Ticket
from games.accounts.services import credentials
from games.accounts.services.credentials import delete_expired_tickets, issue_ticket, redeem_ticket
from games.core.errors import Problem
from games.identity.services import NewToken, log_in_token, revoke_token
from tests.support.concurrency import run_concurrently
from tests.support.factories import make_player


def logged_in() -> NewToken:
    return log_in_token(player=make_player())


def end_all_tickets() -> None:
    Ticket.objects.update(expires_at=timezone.now() - timedelta(milliseconds=1))


def test_a_ticket_stands_for_the_token_it_was_asked_for_with_and_opens_one_door(database: str) -> None:
    mine = logged_in()
    ticket = issue_ticket(token=mine.token.row())
    shown = redeem_ticket(secret=ticket.secret)
    assert shown is not None
    assert (shown.digest, shown.player) == (mine.token.digest, mine.token.user)
    assert redeem_ticket(secret=ticket.secret) is None


def test_of_many_who_show_one_ticket_at_once_one_is_let_in(committing_database: str) -> None:
    ticket = issue_ticket(token=logged_in().token.row())
    let_in = run_concurrently(8, lambda _: redeem_ticket(secret=ticket.secret))
    assert sum(each is not None for each in let_in) == 1


def test_a_ticket_ends_after_a_minute(database: str) -> None:
    before = timezone.now()
    ticket = issue_ticket(token=logged_in().token.row())
    assert before < ticket.expires_at <= timezone.now() + timedelta(seconds=60)
    end_all_tickets()
    assert redeem_ticket(secret=ticket.secret) is None


def test_a_ticket_ends_with_its_token_and_with_its_player(database: str) -> None:
    mine, theirs = logged_in(), logged_in()
    of_mine, of_theirs = issue_ticket(token=mine.token.row()), issue_ticket(token=theirs.token.row())
    revoke_token(token=mine.token.row())
    theirs.token.user.is_active = False
    theirs.token.user.save()
    assert redeem_ticket(secret=of_mine.secret) is None
    assert redeem_ticket(secret=of_theirs.secret) is None


def test_neither_what_is_stored_nor_what_is_printed_can_be_used(database: str) -> None:
    ticket = issue_ticket(token=logged_in().token.row())
    stored = Ticket.objects.get()
    assert ticket.secret not in f"{vars(stored)} {ticket} {stored}"
    assert redeem_ticket(secret=stored.digest) is None


def test_nobody_heaps_up_tickets(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "MAX_TICKETS", 2)
    token = logged_in().token.row()
    issue_ticket(token=token)
    issue_ticket(token=token)
    with pytest.raises(Problem) as refused:
        issue_ticket(token=token)
    assert refused.value.code == "limit_reached"
    issue_ticket(token=logged_in().token.row())
    end_all_tickets()
    issue_ticket(token=token)


def test_old_tickets_are_forgotten_a_bounded_number_at_a_time(database: str) -> None:
    token = logged_in().token.row()
    for _ in range(3):
        issue_ticket(token=token)
    end_all_tickets()
    new = issue_ticket(token=token)
    assert delete_expired_tickets(now=timezone.now(), at_once=2) == 2
    assert delete_expired_tickets(now=timezone.now()) == 1
    assert delete_expired_tickets(now=timezone.now()) == 0
    assert redeem_ticket(secret=new.secret) is not None
