"""Annul rated matches, which needs two operators: one proposes it, another approves or rejects it."""

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.core.errors import Problem, require_found
from games.identity.models import Player
from games.matches.queries import IN_PLAY
from games.matches.store import find_match, lock_match
from games.operators.models import AnnulmentProposal, OperatorActionType
from games.operators.services import (
    annul_locked_match,
    lock_in_status,
    record_action,
    validated_reason,
)


def open_proposals() -> QuerySet[AnnulmentProposal]:
    """Return the proposals that nobody has decided yet, oldest first."""
    return (
        AnnulmentProposal.objects.filter(decided_at=None)
        .select_related("proposed_by", "match")
        .order_by("pk")
    )


def find_open_proposal(match_id: str) -> AnnulmentProposal | None:
    """Return the undecided proposal for a match, if there is one."""
    return open_proposals().filter(match=match_id).first()


@transaction.atomic
def propose_annulment(*, operator: Player, match_id: str, reason: str) -> AnnulmentProposal:
    """Propose to annul a rated match that is in play."""
    row = lock_in_status(match_id, IN_PLAY)
    if not row.rated:
        raise Problem("not_allowed", "An unrated match can be annulled at once.")
    text = validated_reason(reason)
    record_action(operator=operator, action=OperatorActionType.PROPOSE_ANNULMENT, match=row.id, reason=text)
    try:
        with transaction.atomic():
            return AnnulmentProposal.objects.create(match_id=row.id, proposed_by=operator, reason=text)
    except IntegrityError as error:
        raise Problem("not_allowed", "The annulment of this match has been proposed already.") from error


@transaction.atomic
def approve_annulment(*, operator: Player, match_id: str, reason: str) -> None:
    """Approve the proposal of another operator: the match is annulled."""
    row = lock_in_status(match_id, IN_PLAY)
    proposal = _lock_proposal(match_id)
    if proposal.proposed_by_id == operator.pk:
        raise Problem("not_allowed", "Another operator has to approve your proposal.")
    _decide(proposal, operator, approved=True)
    annul_locked_match(row, operator=operator, reason=reason, details={"proposal": proposal.pk})


@transaction.atomic
def reject_annulment(*, operator: Player, match_id: str, reason: str) -> None:
    """Reject a proposal, or withdraw one's own; the match goes on."""
    lock_match(match_id)
    require_found(find_match(match_id))
    proposal = _lock_proposal(match_id)
    _decide(proposal, operator, approved=False)
    record_action(
        operator=operator, action=OperatorActionType.REJECT_ANNULMENT, match=match_id, reason=reason
    )


def _lock_proposal(match_id: str) -> AnnulmentProposal:
    proposals = AnnulmentProposal.objects.select_for_update(of=("self",)).select_related("proposed_by")
    return require_found(proposals.filter(match=match_id, decided_at=None).first())


def _decide(proposal: AnnulmentProposal, operator: Player, *, approved: bool) -> None:
    proposal.decided_by, proposal.approved, proposal.decided_at = operator, approved, timezone.now()
    proposal.save(update_fields=["decided_by", "approved", "decided_at"])
