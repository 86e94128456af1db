"""The tools with which a language model plays as a bot: it sees what its own seat may see, and no more."""

import os
import sys
import time
from typing import Annotated, Literal

import anyio
from mcp.server import MCPServer
from pydantic import Field

from haggis_mcp.api import Api, Json, NotABotError, RefusedError

INSTRUCTIONS = """\
You play Haggis, a climbing card game for two or three players, as a bot. Call `rules` first. Then repeat:
`wait_for_my_turn`, `show_table` and `legal_moves` of a match in which it is your turn, `act`. A card is a
rank 2 to 9 or T and a suit r, o, y, g or b, such as `7r`; J, Q and K are wild. A lead is a single, a set, a
run, a stair or a bomb; the others must play the same combination, higher, or pass. If cards can be several
combinations, say in `combination` which one you mean; `readings` lists them. A refused action changes
nothing: read why, and act again. You cannot see the hands of others, and no tool shows them.
"""
WAIT_SECONDS = 25
# What to do after a refusal, by its code.
ADVICE = {
    "ambiguous_combination": "Repeat the action with `combination` set to one of the readings.",
    "stale_version": "Somebody acted before you: read the table again.",
    "not_your_turn": "Wait for your turn with wait_for_my_turn.",
    "deadline_passed": "Your time for this turn is over.",
    "match_not_active": "The match is not running.",
    "must_lead": "You lead this trick, so you must play cards.",
    "award_due": "Award the bombed trick to one of `awards` first.",
    "card_not_in_hand": "Play only cards of your own hand.",
    "does_not_beat": "Play one of legal_moves, or pass.",
    "not_a_combination": "Play one of legal_moves, or pass.",
}

Cards = Annotated[list[str], Field(description="Codes of cards, such as 7r, Tg or J.", max_length=17)]
MatchId = Annotated[str, Field(description="The id of a match, such as m_01abc.", pattern="^[A-Za-z0-9_-]+$")]


server = MCPServer("haggis", instructions=INSTRUCTIONS)


def _api() -> Api:
    """Return the connection, which is created with the first request."""
    global _connection  # noqa: PLW0603 -- one connection for the process
    if _connection is None:
        _connection = Api(os.environ["HAGGIS_SITE"], os.environ["HAGGIS_TOKEN"])
    return _connection


_connection: Api | None = None


def _refusal(error: RefusedError) -> Json:
    """Return a refusal as a result that explains it."""
    problem = error.problem
    members = ("version", "readings", "rule", "errors", "condition", "retry_after")
    advice = ADVICE.get(problem["code"], problem["title"])
    return {
        "accepted": False,
        "code": problem["code"],
        "why": problem["detail"],
        "what_to_do": advice,
        **{name: problem[name] for name in members if name in problem},
    }


@server.tool()
async def rules(ruleset: str = "classic") -> Json:
    """Read the rules of a rule set: options, combinations, scoring and rulings."""
    return await _api().get(f"/rulesets/{ruleset}")


@server.tool()
async def list_matches(*, my_turn_only: bool = False) -> Json:
    """List your unfinished matches, the most urgent first, and your open invitations."""
    matches = await _api().get("/me/matches", limit=200, my_turn="true" if my_turn_only else None)
    invitations = await _api().get("/me/invitations", limit=100)
    return {
        "matches": [_summary(match) for match in matches["results"]],
        "invitations": [_summary(match) for match in invitations["results"]],
    }


def _summary(match: Json) -> Json:
    names = ("id", "status", "ruleset", "my_seat", "my_turn", "deadline", "seconds_left", "version")
    players = [(seat["player"] or {}).get("username") or seat["level"] for seat in match["seats"]]
    return {**{name: match[name] for name in names if name in match}, "players": players}


@server.tool()
async def show_table(match_id: MatchId) -> Json:
    """Show a table as your seat sees it: your hand, the trick, what was captured, scores and your options."""
    return await _api().get(f"/matches/{match_id}")


@server.tool()
async def legal_moves(match_id: MatchId, kind: Literal["set", "run", "stair", "bomb"] | None = None) -> Json:
    """List what you may do now, grouped by combination, each with its play of fewest wild cards."""
    try:
        return await _api().get(f"/matches/{match_id}/legal-moves", kind=kind)
    except RefusedError as error:
        return _refusal(error)


@server.tool()
async def readings(match_id: MatchId, cards: Cards) -> Json:
    """Say which combinations some of your cards can be, and which you could play now."""
    try:
        return await _api().post(f"/matches/{match_id}/moves/check", {"cards": cards})
    except RefusedError as error:
        return _refusal(error)


@server.tool()
async def act(  # noqa: PLR0913, PLR0917 -- the members of an action
    match_id: MatchId,
    version: Annotated[int, Field(description="The version of the table that you acted on.", ge=0)],
    type: Literal["play", "pass", "bet", "award"],  # noqa: A002 -- the name in the API
    cards: Cards | None = None,
    combination: Annotated[
        dict[str, str | int] | None,
        Field(description="For a play: kind, top, width and length, as legal_moves gives them."),
    ] = None,
    amount: Annotated[int | None, Field(description="For a bet: 15 or 30.")] = None,
    to: Annotated[int | None, Field(description="For an award: the seat that gets the trick.")] = None,
) -> Json:
    """Play cards, pass, bet or award a bombed trick. A refusal says why and changes nothing."""
    body: Json = {"version": version, "type": type}
    if combination is not None:
        combination = {
            name: combination[name] for name in ("kind", "top", "width", "length") if name in combination
        }
    given = {"cards": cards, "as": combination, "amount": amount, "to": to}
    body |= {name: value for name, value in given.items() if value is not None}
    try:
        done = await _api().post(f"/matches/{match_id}/moves", body)
    except RefusedError as error:
        return _refusal(error)
    return {"accepted": True, "move": done["move"], "table": done["match"]}


@server.tool()
async def challenge(
    opponent: Annotated[str, Field(description="A username, or the AI level easy, medium or hard.")],
    ruleset: str = "classic",
    rounds: Annotated[int, Field(ge=1, le=100)] = 4,
    turn_seconds: Annotated[int | None, Field(ge=10, le=2_592_000)] = 86_400,
) -> Json:
    """Start a match of two against an AI, or invite a player to one."""
    is_ai = opponent in {"easy", "medium", "hard"}
    other = {"kind": "ai", "level": opponent} if is_ai else {"kind": "player", "username": opponent}
    body = {
        "ruleset": ruleset,
        "rounds": rounds,
        "turn_seconds": turn_seconds,
        "seats": [{"kind": "me"}, other],
    }
    try:
        return {"accepted": True, "table": await _api().post("/matches", body)}
    except RefusedError as error:
        return _refusal(error)


@server.tool()
async def answer_invitation(match_id: MatchId, *, accept: bool) -> Json:
    """Accept an invitation and take the seat, or decline it."""
    action = "accept" if accept else "decline"
    try:
        return {"accepted": True, "table": await _api().post(f"/matches/{match_id}/{action}", {})}
    except RefusedError as error:
        return _refusal(error)


@server.tool()
async def resign(match_id: MatchId) -> Json:
    """Give a match up. You lose it."""
    try:
        return {"accepted": True, "table": await _api().post(f"/matches/{match_id}/resign", {})}
    except RefusedError as error:
        return _refusal(error)


@server.tool()
async def wait_for_my_turn(seconds: Annotated[int, Field(ge=0, le=300)] = 60) -> Json:
    """Wait until it is your turn or you are invited, and list those matches; none if time is up."""
    ends_at = time.monotonic() + seconds
    cursor = (await _api().get("/me/events"))["cursor"]
    while True:
        waiting = await list_matches(my_turn_only=True)
        left = int(ends_at - time.monotonic())
        if waiting["matches"] or waiting["invitations"] or left <= 0:
            return waiting
        events = await _api().get("/me/events", after=cursor, wait=min(left, WAIT_SECONDS))
        cursor = events["cursor"]


async def _check() -> None:
    await Api(os.environ["HAGGIS_SITE"], os.environ["HAGGIS_TOKEN"]).require_bot()


def main() -> None:
    """Check the token and serve over standard input and output."""
    if not os.environ.get("HAGGIS_SITE") or not os.environ.get("HAGGIS_TOKEN"):
        sys.exit("Set HAGGIS_SITE to the address of the service and HAGGIS_TOKEN to the token of a bot.")
    try:
        anyio.run(_check)
    except (NotABotError, RefusedError) as error:
        sys.exit(str(error))
    server.run("stdio")
