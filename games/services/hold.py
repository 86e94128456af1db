"""Keeping a match as it is for the length of a transaction."""

from games.models import Match


def hold(match_id: str) -> None:
    """Let nobody else change the match until the running transaction ends.

    PostgreSQL locks the row, though not against rows that refer to it; SQLite has one writer at a time
    anyway. Actions at the table need none of this: they hold by their version. It is for what has none.
    """
    list(Match.objects.select_for_update(no_key=True).filter(pk=match_id).values_list("pk"))
