"""A whole match against an AI with the client that openapi-generator makes for Python."""

import json
import sys
import time

import haggis
from haggis.models import (
    ActionRequest,
    AiSeatRequest,
    AwardRequest,
    LegalMoves,
    Level,
    MatchRequest,
    MatchStatus,
    MySeatRequest,
    NamedRequest,
    PassRequest,
    PlayRequest,
    Right,
    RuleSetKey,
    SeatRequest,
    TrickEnd,
    VerifyRequest,
)


def choose(legal: LegalMoves) -> ActionRequest:
    """Return the first legal action."""
    if legal.must_award:
        return ActionRequest(AwardRequest(to=legal.awards[0], version=legal.version, type="award"))
    if not legal.combinations:
        return ActionRequest(PassRequest(version=legal.version, type="pass"))
    group = legal.combinations[0]
    combination = group.combination
    named = NamedRequest(
        kind=combination.kind, top=combination.top, width=combination.width, length=combination.length
    )
    # The alias: `as` is a reserved word of Python.
    play = PlayRequest.model_validate(
        {"cards": group.cheapest, "version": legal.version, "type": "play", "as": named}
    )
    return ActionRequest(play)


def main() -> None:
    """Play a match and print how it ended."""
    site = haggis.Configuration(host=sys.argv[1])
    entered = haggis.AccountsApi(haggis.ApiClient(site)).enter_as_guest()
    client = haggis.ApiClient(haggis.Configuration(host=sys.argv[1], access_token=entered.token))
    lobby, tables, history = haggis.LobbyApi(client), haggis.TableApi(client), haggis.HistoryApi(client)
    seats = [
        SeatRequest(MySeatRequest(kind="me")),
        SeatRequest(AiSeatRequest(kind="ai", level=Level.EASY)),
    ]
    table = lobby.create_match(MatchRequest(ruleset=RuleSetKey.CLASSIC, rounds=2, seats=seats))
    tricks = 0
    while table.status == MatchStatus.ACTIVE:
        if table.you is None or not table.you.to_act:
            time.sleep(0.05)
            table = tables.read_match(table.id)
            continue
        moved = tables.act(table.id, choose(tables.list_legal_moves(table.id)))
        tricks += sum(isinstance(each.actual_instance, TrickEnd) for each in moved.move.then)
        table = moved.match
    record = json.loads(history.read_record(table.id).to_json())
    verdict = history.verify_record(VerifyRequest(record=record)).actual_instance
    if not isinstance(verdict, Right) or not tricks:
        raise SystemExit(f"not valid, or no trick ended: {verdict}")
    print(f"{table.status.value}; deals {verdict.deals.value}")


if __name__ == "__main__":
    main()
