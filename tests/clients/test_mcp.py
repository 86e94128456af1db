"""The MCP server plays a whole match over standard input and output, for bots only."""

import os
import subprocess
import sys
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client, StdioServerParameters

from tools.build_clients import ROOT

SERVER = ROOT / "clients" / "mcp"
PASSWORD = "a heap of heather"
TOOLS = {
    *("rules", "list_matches", "wait_for_my_turn", "show_table", "legal_moves"),
    *("readings", "act", "challenge", "answer_invitation", "resign"),
}

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def owner(site: str) -> str:
    """Register a person and return their token."""
    body = {"username": "mcp-heather", "password": PASSWORD}
    return str(httpx.post(f"{site}/api/v1/auth/register", json=body, timeout=60).json()["token"])


@pytest.fixture(scope="module")
def bot(site: str, owner: str) -> str:
    """Create a bot and return its token."""
    headers = {"Authorization": f"Bearer {owner}"}
    body = {"username": "mcp-robot"}
    return str(httpx.post(f"{site}/api/v1/me/bots", json=body, headers=headers, timeout=60).json()["token"])


def environment(site: str, token: str) -> dict[str, str]:
    return {"HAGGIS_SITE": site, "HAGGIS_TOKEN": token, "PYTHONPATH": str(SERVER)}


class Model:
    """Calls tools as a language model would: with names and JSON, and only what their results say."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> Any:
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        return result.structured_content

    async def act(self, match_id: str, legal: Any) -> Any:
        """Take the first legal play, or pass."""
        action: dict[str, Any] = {"match_id": match_id, "version": legal["version"], "type": "pass"}
        if legal["must_award"]:
            action |= {"type": "award", "to": legal["awards"][0]}
        elif legal["combinations"]:
            group = legal["combinations"][0]
            action |= {"type": "play", "cards": group["cheapest"], "combination": group["combination"]}
        return await self.call("act", **action)


async def play_match(site: str, token: str) -> dict[str, Any]:
    """Challenge an AI and play to the end; return what was seen on the way."""
    seen: dict[str, Any] = {"refusals": [], "hands": []}
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "haggis_mcp"], env=environment(site, token)
    )
    async with Client(parameters) as client:
        seen["tools"] = {tool.name for tool in (await client.list_tools()).tools}
        model = Model(client)
        seen["rules"] = await model.call("rules", ruleset="classic")
        match_id = (await model.call("challenge", opponent="easy", rounds=1))["table"]["id"]
        table = await model.call("show_table", match_id=match_id)
        while table["status"] == "active":
            waiting = await model.call("wait_for_my_turn", seconds=60)
            if match_id not in {match["id"] for match in waiting["matches"]}:
                table = await model.call("show_table", match_id=match_id)
                continue
            table = await model.call("show_table", match_id=match_id)
            seen["hands"].append([hand["cards"] is not None for hand in table["round"]["hands"]])
            if not seen["refusals"]:
                await try_what_is_refused(model, match_id, table, seen)
            done = await model.act(match_id, await model.call("legal_moves", match_id=match_id))
            assert done["accepted"] is True, done
            table = done["table"]
    seen["table"] = table
    return seen


async def try_what_is_refused(model: Model, match_id: str, table: Any, seen: dict[str, Any]) -> None:
    """Act with an old version, with a card of somebody else and with cards that are no combination."""
    version, mine = table["version"], table["you"]["seat"]
    own = next(hand["cards"] for hand in table["round"]["hands"] if hand["seat"] == mine)
    stranger = next(card for card in ("2r", "3r", "4r", "5r", "6r") if card not in own)
    for action in (
        {"version": version - 1, "type": "pass"},
        {"version": version, "type": "play", "cards": [stranger]},
        {"version": version, "type": "play", "cards": unlike_cards(own)},
    ):
        seen["refusals"].append(await model.call("act", match_id=match_id, **action))
    seen["readings"] = await model.call("readings", match_id=match_id, cards=["J", "Q"])


def unlike_cards(hand: list[str]) -> list[str]:
    """Return two suit cards of a hand with different ranks, which are no combination."""
    first, *others = [card for card in hand if len(card) > 1]
    return [first, next(card for card in others if card[0] != first[0])]


def test_a_language_model_plays_a_whole_match(site: str, bot: str) -> None:
    seen = anyio.run(play_match, site, bot)
    assert seen["tools"] == TOOLS
    assert seen["rules"]["key"] == "classic"
    assert seen["table"]["status"] == "finished"
    assert seen["table"]["result"]["reason"] == "rounds"
    assert {sum(hands) for hands in seen["hands"]} == {1}
    stale, stranger, unlike = seen["refusals"]
    assert (stale["accepted"], stale["code"]) == (False, "stale_version")
    assert (stranger["accepted"], stranger["code"]) == (False, "card_not_in_hand")
    assert (unlike["accepted"], unlike["code"]) == (False, "not_a_combination")
    assert all(refusal["why"] and refusal["what_to_do"] for refusal in seen["refusals"])
    assert seen["readings"]["readings"]


def test_the_token_of_a_person_is_refused(site: str, owner: str) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "haggis_mcp"],
        env=os.environ | environment(site, owner),
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert refused.returncode == 1
    assert "not the token of a bot" in refused.stderr
    assert owner not in refused.stderr + refused.stdout


def test_an_unknown_token_is_refused(site: str) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "haggis_mcp"],
        env=os.environ | environment(site, "haggis_unknown"),
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert refused.returncode == 1
    assert "not_authenticated" in refused.stderr
