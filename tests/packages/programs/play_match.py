"""Two matches against an AI with the installed client, sync and async: events say when it is our turn."""

import asyncio
import sys
from typing import TypeVar

from haggis_client import AuthenticatedClient, Client
from haggis_client import models as m
from haggis_client.api.accounts import enter_as_guest
from haggis_client.api.lobby import create_match
from haggis_client.api.table import act, list_legal_moves, read_match
from haggis_client.streams import EntryEvent, watch, watch_async

Answer = TypeVar("Answer")


def expect(kind: type[Answer], answer: object) -> Answer:
    """Return the answer if it has the expected type."""
    if not isinstance(answer, kind):
        raise SystemExit(f"not a {kind.__name__}: {answer}")
    return answer


def choose(legal: m.LegalMoves) -> m.AwardRequest | m.PassRequest | m.PlayRequest:
    """Return the first play of the list, or a pass if there is none."""
    if legal.must_award:
        return m.AwardRequest(type_=m.AwardRequestType.AWARD, version=legal.version, to=legal.awards[0])
    for play in legal.combinations:
        c = play.combination
        named = m.NamedRequest(kind=c.kind, top=c.top, width=c.width, length=c.length)
        cards, kind = play.cheapest, m.PlayRequestType.PLAY
        return m.PlayRequest(type_=kind, version=legal.version, cards=cards, as_=named)
    return m.PassRequest(type_=m.PassRequestType.PASS, version=legal.version)


def body() -> m.MatchRequest:
    """Return the request for a match of one round against an AI."""
    me, ai = m.MySeatRequest(m.MySeatRequestKind.ME), m.AiSeatRequest(m.AiSeatRequestKind.AI, m.Level.EASY)
    return m.MatchRequest(m.RuleSetKey.CLASSIC, seats=[me, ai], rounds=1)


def play(site: str) -> None:
    """Play with the synchronous functions."""
    guest = expect(m.Entered, enter_as_guest.sync(client=Client(site), body=m.GuestRequest()))
    client = AuthenticatedClient(site, token=guest.token)
    match = expect(m.Table, create_match.sync(client=client, body=body())).id
    versions = []
    for event in watch(client, match):
        versions.append(event.version)
        legal = list_legal_moves.sync(match, client=client)
        if isinstance(legal, m.LegalMoves) and legal.version == event.version:
            expect(m.Moved, act.sync(match, client=client, body=choose(legal)))
    check(versions)
    print(f"sync {expect(m.Table, read_match.sync(match, client=client)).status}")


async def play_async(site: str) -> None:
    """Play with the asynchronous functions, from the first entry of the log."""
    guest = expect(m.Entered, await enter_as_guest.asyncio(client=Client(site), body=m.GuestRequest()))
    client = AuthenticatedClient(site, token=guest.token)
    match = expect(m.Table, await create_match.asyncio(client=client, body=body())).id
    versions = []
    async for event in watch_async(client, match, after=0):
        if not isinstance(event, EntryEvent):
            raise SystemExit("a table although a version was given")
        versions.append(event.version)
        legal = await list_legal_moves.asyncio(match, client=client)
        if isinstance(legal, m.LegalMoves) and legal.version == event.version:
            expect(m.Moved, await act.asyncio(match, client=client, body=choose(legal)))
    check(versions)
    print(f"async {expect(m.Table, await read_match.asyncio(match, client=client)).status}")


def check(versions: list[int]) -> None:
    """Stop unless every version after the first one was there once."""
    if versions != list(range(versions[0], versions[0] + len(versions))):
        raise SystemExit(f"gaps or repetitions: {versions}")


play(sys.argv[1])
asyncio.run(play_async(sys.argv[1]))
