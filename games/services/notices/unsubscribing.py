"""The way out of mails: a signed word in each, which needs no log-in and lasts as long as the mail."""

from collections.abc import Iterable
from typing import Final

from django.core import signing
from django.db import transaction

from games.errors import Problem, invalid
from games.models import MAIL_WAYS, NoticeKind, Player

_SIGNER: Final = signing.Signer(salt="games.notices.unsubscribe")


def unsubscribe_token(player: Player, kinds: Iterable[str]) -> str:
    """The right to have no more mails of these kinds sent to this player."""
    return _SIGNER.sign_object([player.pk, sorted(kinds)])


def kinds_of(token: str) -> list[NoticeKind]:
    """What the token is about; refused if it is none."""
    return _read(token)[1]


def unsubscribe(*, token: str, everything: bool = False) -> None:
    """Send no more mails of these kinds, or none at all, by themselves or with others. Twice does no harm."""
    player_id, kinds = _read(token)
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).filter(pk=player_id).first()
        if player is None:
            return
        unwanted = frozenset(NoticeKind) if everything else frozenset(kinds)
        for way in MAIL_WAYS:
            if way in player.notifications:
                kept = [kind for kind in player.notifications[way] if kind not in unwanted]
                player.notifications[way.value] = kept
        player.save(update_fields=["notifications"])


def _read(token: str) -> tuple[int, list[NoticeKind]]:
    try:
        player_id, kinds = _SIGNER.unsign_object(token)
        return player_id, [NoticeKind(kind) for kind in kinds]
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise _refusal() from error


def _refusal() -> Problem:
    return invalid("/token", "invalid_token", "The link is not valid.")
