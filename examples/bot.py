"""A bot with the generated client (`make clients`): PYTHONPATH=clients/python python examples/bot.py URL."""

import sys
import time

from haggis_client import AuthenticatedClient, Client
from haggis_client import models as m
from haggis_client.api.accounts import enter_as_guest
from haggis_client.api.lobby import create_match
from haggis_client.api.table import act, list_legal_moves, read_match


def choose(legal: m.LegalMoves) -> m.AwardRequest | m.PassRequest | m.PlayRequest:
    """Return the first play of the list, which has the fewest wild cards, or a pass if there is none."""
    if legal.must_award:
        return m.AwardRequest(type_=m.AwardRequestType.AWARD, version=legal.version, to=legal.awards[0])
    for play in legal.combinations:
        c = play.combination
        named = m.NamedRequest(kind=c.kind, top=c.top, width=c.width, length=c.length)
        cards, kind = play.cheapest, m.PlayRequestType.PLAY
        return m.PlayRequest(type_=kind, version=legal.version, cards=cards, as_=named)
    return m.PassRequest(type_=m.PassRequestType.PASS, version=legal.version)


guest = enter_as_guest.sync(client=Client(sys.argv[1]), body=m.GuestRequest(display_name="Bot"))
assert isinstance(guest, m.Entered), guest  # noqa: S101 -- stop if the request was rejected
client = AuthenticatedClient(sys.argv[1], token=guest.token)
me, ai = m.MySeatRequest(m.MySeatRequestKind.ME), m.AiSeatRequest(m.AiSeatRequestKind.AI, m.Level.EASY)
table = create_match.sync(client=client, body=m.MatchRequest(m.RuleSetKey.CLASSIC, seats=[me, ai], rounds=1))
while isinstance(table, m.Table) and table.status == "active":
    legal = list_legal_moves.sync(table.id, client=client)
    if isinstance(legal, m.LegalMoves):
        act.sync(table.id, client=client, body=choose(legal))
    else:
        time.sleep(0.2)  # not our turn
    table = read_match.sync(table.id, client=client)
assert isinstance(table, m.Table), table  # noqa: S101 -- as above
print(table.status, *[seat.score for seat in table.seats])  # noqa: T201 -- a program prints its result
