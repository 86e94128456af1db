"""Replays: a match step by step, its deals verified in the browser, and forged records rejected."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import Person

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

RECORDS = Path(__file__).parents[1] / "records"


def recorded(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((RECORDS / name).read_text(encoding="utf-8"))
    return record


def upload(page: Page, text: str) -> None:
    page.goto("/replay")
    page.get_by_label("Record file").set_input_files(
        {"name": "record.json", "mimeType": "application/json", "buffer": text.encode()}
    )


def finished(somebody: Person, *, seats: list[dict[str, str]]) -> dict[str, Any]:
    """Play a match of one round between AIs to its end."""
    table = somebody.create_match(players=len(seats), rounds=1, seats=seats)
    for _ in range(150):
        if somebody.api("GET", f"/matches/{table['id']}")["status"] == "finished":
            break
        somebody.page.wait_for_timeout(200)
    return table


def test_replay_steps_through_a_match_and_proves_its_deals(person: NewPerson) -> None:
    somebody = person()
    ai = {"kind": "ai", "level": "random"}
    table = finished(somebody, seats=[ai, ai, ai])
    page = somebody.page
    page.goto(f"/matches/{table['id']}/replay")
    expect(page.get_by_text("✓ Every deal is verified")).to_be_visible()
    expect(page.locator(".open-hand .card")).to_have_count(51)

    slider = page.get_by_role("slider", name="Step")
    last = int(slider.get_attribute("max") or 0)
    assert last > 20
    page.keyboard.press("ArrowRight")
    expect(page.locator(".counter")).to_have_text(f"2 / {last + 1}")
    assert page.url.endswith("#1")
    page.keyboard.press("End")
    expect(page.locator(".panel-table")).to_be_visible()
    page.get_by_role("button", name="Previous round").click()
    expect(page.locator(".counter")).to_have_text(f"1 / {last + 1}")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".counter")).to_have_text(f"2 / {last + 1}")
    slider.fill("5")
    expect(page.locator(".counter")).to_have_text(f"6 / {last + 1}")

    page.get_by_label("View").select_option("as Random AI 1")
    expect(page.get_by_label("Random AI 2").locator(".back").first).to_be_visible()
    expect(page.get_by_label("Random AI 1").locator(".back")).to_have_count(0)

    page.goto(f"/matches/{table['id']}/replay#7")
    page.reload()
    expect(page.locator(".counter")).to_have_text(f"8 / {last + 1}")


def test_analysis_shows_better_moves(person: NewPerson) -> None:
    somebody = person()
    ai = {"kind": "ai", "level": "random"}
    table = finished(somebody, seats=[ai, ai])
    page = somebody.page
    page.goto(f"/matches/{table['id']}/replay")
    page.get_by_role("button", name="Analyse this match").click()
    analysis = page.get_by_role("region", name="Analysis")
    expect(analysis.locator("progress")).to_have_count(0, timeout=90_000)
    expect(analysis.get_by_role("img", name="Chance of going out first, turn by turn")).to_be_visible()
    expect(analysis.get_by_text("Points lost in this round")).to_be_visible()
    turn = analysis.get_by_role("link", name=re.compile("^step")).first
    step = turn.inner_text().removeprefix("step ")
    turn.click()
    expect(page.locator(".counter")).to_have_text(re.compile(f"^{step} /"))
    expect(analysis.locator(".verdict")).to_contain_text("Chance of going out first")


@pytest.mark.parametrize("name", ("classic-3.json", "deluxe-2.json", "revised-3-thirds.json"))
def test_valid_record_file_is_shown(page: Page, name: str) -> None:
    upload(page, json.dumps(recorded(name)))
    expect(page.get_by_text("✓ Every deal is verified")).to_be_visible()
    expect(page.get_by_role("slider", name="Step")).to_be_visible()


def test_forged_deal_is_rejected_in_the_browser(page: Page) -> None:
    record = recorded("classic-3.json")
    hands = record["rounds"][0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "records/verify" in request.url else None)
    upload(page, json.dumps(record))
    expect(page.get_by_role("heading", name="This record is invalid")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("rounds[0].hands[0]")
    expect(page.get_by_role("slider", name="Step")).to_have_count(0)
    assert asked == []


def test_forged_score_is_rejected_by_the_server(page: Page) -> None:
    record = recorded("classic-3.json")
    record["rounds"][0]["scores"][0]["going_out"] += 5
    upload(page, json.dumps(record))
    expect(page.get_by_role("heading", name="This record is invalid")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("/rounds/0/scores/0/going_out")


def test_invalid_record_file_is_rejected(page: Page) -> None:
    upload(page, "a photograph")
    expect(page.get_by_text("The file is not valid JSON.")).to_be_visible()
