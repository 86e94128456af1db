"""The table and the replay on every screen, what stays in place in a round, and table preferences."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import MATCH_TIMEOUT_SECONDS, Person, select_cards, take_turn

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}
RECORDS = Path(__file__).parents[1] / "records"
LONG_NAME = "Wilhelmina-Alexandra MacGillivray"[:32]
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL_PHONE: ViewportSize = {"width": 390, "height": 664}
LARGE: ViewportSize = {"width": 1920, "height": 1080}
LANDSCAPE: tuple[ViewportSize, ...] = (
    {"width": 844, "height": 390},
    {"width": 932, "height": 430},
    {"width": 667, "height": 375},
)
TABLETS: tuple[ViewportSize, ...] = ({"width": 820, "height": 1180}, {"width": 1180, "height": 820})
NARROW: tuple[ViewportSize, ...] = ({"width": 320, "height": 640}, {"width": 320, "height": 256})
# What must be visible without scrolling; a scene does without those that it has not.
PARTS = (
    ".opponents .seat",
    ".trick .top .card",
    ".trick .top figcaption",
    ".prompt",
    ".reading",
    ".buttons button",
    ".hand .card",
)
REPLAY_PARTS = (
    ".seats .seat",
    ".open-hand .card",
    ".trick .top .card",
    ".trick .top figcaption",
    ".caption",
    ".controls input",
    ".controls button",
    ".controls select",
)

# Elements that are not within the viewport, or that something else covers at a quarter of their width.
_HIDDEN = """parts => parts.flatMap(part => {
    const found = [...document.querySelectorAll(part)];
    if (!found.length) return [`${part}: missing`];
    return found.flatMap(each => {
        const box = each.getBoundingClientRect();
        if (box.left < 0 || box.top < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
            return [`${part}: outside at ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`];
        const step = Math.min(box.width / 4, 12);
        const top = document.elementFromPoint(box.left + step, box.top + box.height / 2);
        return each.contains(top) || top?.contains(each) ? [] : [`${part}: covered by ${top?.className}`];
    });
})"""
_WIDER = "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth"
_OBSERVE_SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver(list => {
        for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifts.push(each.value);
    }).observe({ type: "layout-shift" });
}"""
_PLACES = """() => [".buttons .play", ".buttons .pass", ".hand", ".options"].map(part => {
    const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
    return [part, ...[x, y, width, height].map(Math.round)];
})"""

# What is on the table after the last play; then ask for the scores, before they open by themselves.
_LAST_PLAY = """() => {
    const count = part => document.querySelectorAll(part).length;
    const shown = {
        version: Number(document.querySelector(".felt").dataset.version),
        dialogs: count("dialog[open]"),
        played: count(".trick .top .card"),
        left: count(".revealed .card, .hand .card"),
    };
    document.querySelector(".buttons .main").click();
    return shown;
}"""


def match_with_a_trick(somebody: Person, players: int, *, tips: bool = False) -> Page:
    """Open a table where the person can beat a trick."""
    if not tips:
        somebody.hide_tips()
    seats = [ME, *[AI] * (players - 1)]
    page = somebody.open_table(somebody.create_match_with_own_lead(players=players, seats=seats))
    while True:
        take_turn(page)
        expect(page.locator(".prompt.your-turn")).to_be_visible()
        if page.locator(".trick:not(.over) .top").count():
            return page


def sideways_scroll(page: Page) -> int:
    """Return by how many pixels a page is wider than the screen."""
    found: int = page.evaluate(_WIDER)
    return found


@pytest.mark.parametrize("players", (2, 3))
def test_landscape_phones_show_trick_prompt_hand_and_buttons(person: NewPerson, players: int) -> None:
    page = match_with_a_trick(person(viewport=LANDSCAPE[0]), players)
    page.locator(".hand button.card").first.click()
    expect(page.locator(".reading").first).to_be_visible()
    page.mouse.move(1, 1)
    hidden = {}
    for size in LANDSCAPE:
        page.set_viewport_size(size)
        page.wait_for_timeout(300)
        hidden[size["width"]] = page.evaluate(_HIDDEN, list(PARTS))
    assert {width: found for width, found in hidden.items() if found} == {}


@pytest.mark.parametrize("players", (2, 3))
@pytest.mark.parametrize("size", (DESKTOP, PHONE, SMALL_PHONE, *TABLETS))
def test_other_screens_show_trick_prompt_hand_and_buttons(
    person: NewPerson, size: ViewportSize, players: int
) -> None:
    page = match_with_a_trick(person(viewport=size), players)
    page.locator(".hand button.card").first.click()
    expect(page.locator(".reading").first).to_be_visible()
    page.mouse.move(1, 1)
    page.wait_for_timeout(300)
    assert page.evaluate(_HIDDEN, list(PARTS)) == []


@pytest.mark.parametrize("shown", (PARTS, (*PARTS, ".tip", ".tip button")), ids=("no tips", "tips"))
@pytest.mark.parametrize("players", (2, 3))
def test_all_languages_show_trick_prompt_tip_hand_and_buttons(
    person: NewPerson, players: int, shown: tuple[str, ...]
) -> None:
    """Without scrolling, and nothing covers anything else."""
    page = match_with_a_trick(person(viewport=PHONE), players, tips=".tip" in shown)
    address, hidden = page.url, {}
    for language in ("de", "fr", "es", "en"):
        page.goto(f"{address}?language={language}")
        page.locator(".hand button.card").first.click()
        expect(page.locator(".reading").first).to_be_visible()
        page.mouse.move(1, 1)
        for size in (PHONE, SMALL_PHONE, LANDSCAPE[0], LANDSCAPE[2], NARROW[0], DESKTOP):
            page.set_viewport_size(size)
            page.wait_for_timeout(200)
            hidden[language, size["width"], size["height"]] = page.evaluate(_HIDDEN, list(shown))
        page.set_viewport_size(PHONE)
        assert page.evaluate("scrollY") == 0
    assert {screen: found for screen, found in hidden.items() if found} == {}


@pytest.mark.parametrize("players", (2, 3))
def test_the_replay_shows_hands_trick_and_controls_on_every_screen(person: NewPerson, players: int) -> None:
    page = person().page
    page.goto("/replay")
    page.get_by_label("Record file").set_input_files(RECORDS / f"classic-{players}.json")
    expect(page.get_by_role("slider", name="Step")).to_be_visible()
    step = page.get_by_role("button", name="Next step")
    while not page.locator(".trick:not(.over) .top").count():
        step.click()
    page.mouse.move(1, 1)
    hidden = {}
    for size in (*LANDSCAPE, *TABLETS, DESKTOP, PHONE, SMALL_PHONE, LARGE):
        page.set_viewport_size(size)
        page.wait_for_timeout(300)
        hidden[str(size)] = page.evaluate(_HIDDEN, list(REPLAY_PARTS))
    assert {size: found for size, found in hidden.items() if found} == {}


@pytest.mark.parametrize("size", NARROW)
def test_narrow_screens_do_not_scroll_sideways(person: NewPerson, size: ViewportSize) -> None:
    """320 CSS pixels are also what a screen of 1280 pixels has at 400 % zoom."""
    somebody = person(viewport=size)
    page = match_with_a_trick(somebody, 3)
    too_wide = {"table": sideways_scroll(page)}
    select_cards(page, "jack")
    page.get_by_role("button", name="Play", exact=True).scroll_into_view_if_needed()
    too_wide["selected cards"] = sideways_scroll(page)
    page.goto("/replay")
    page.get_by_label("Record file").set_input_files(RECORDS / "classic-3.json")
    expect(page.get_by_role("slider", name="Step")).to_be_visible()
    too_wide["replay of a record"] = sideways_scroll(page)
    for address in ("/", "/account", "/rules", "/rules/classic", "/rules/trainer"):
        page.goto(address)
        page.wait_for_timeout(500)
        too_wide[address] = sideways_scroll(page)
    assert {shown: pixels for shown, pixels in too_wide.items() if pixels > 0} == {}


@pytest.mark.parametrize("size", (DESKTOP, PHONE, LANDSCAPE[2], NARROW[0]))
def test_long_names_are_cut_with_an_ellipsis(person: NewPerson, size: ViewportSize) -> None:
    maker, others = person(), [person(), person()]
    for somebody in (maker, *others):
        somebody.api("GET", "/me")
        somebody.api("PATCH", "/me", {"display_name": LONG_NAME})
    table = maker.create_match(players=3, visibility="unlisted")
    for somebody in others:
        somebody.page.goto(f"/matches/{table['id']}")
        somebody.page.get_by_role("button", name="Join").first.click()
    page = maker.open_table(table)
    page.set_viewport_size(size)
    expect(page.locator(".hand button.card")).to_have_count(17)
    name = page.locator(".seat h2").first
    expect(name).to_have_text(LONG_NAME)
    assert name.evaluate("each => getComputedStyle(each).textOverflow") == "ellipsis"
    assert sideways_scroll(page) <= 0
    seats = page.locator(".seat").evaluate_all("all => all.map(each => each.scrollWidth - each.clientWidth)")
    assert max(seats) <= 0
    scores = page.locator(".seat .score").last.bounding_box()
    assert scores is not None
    assert scores["x"] + scores["width"] <= size["width"]


def card_width(page: Page) -> float:
    """Return the width of the last card of the hand, which no other card covers."""
    box = page.locator(".hand button.card").last.bounding_box()
    assert box is not None
    return box["width"]


def test_large_screens_have_large_cards(person: NewPerson) -> None:
    somebody = person(viewport=DESKTOP)
    page = somebody.open_table(somebody.create_match(seats=[ME, AI]))
    widths = {}
    for size in (PHONE, *TABLETS, LARGE):
        page.set_viewport_size(size)
        page.wait_for_timeout(200)
        widths[size["width"]] = card_width(page)
    assert widths[390] >= 50
    assert widths[820] >= 80
    assert widths[1180] >= 70
    assert widths[1920] >= 105


def to_the_last_play(page: Page) -> list[list[Any]]:
    """Play a round until its last play is shown; return where the buttons and the hand have been."""
    places: list[list[Any]] = []
    give_up = time.monotonic() + MATCH_TIMEOUT_SECONDS
    while not page.get_by_text("The round is over.").count():
        assert time.monotonic() < give_up
        if not page.locator(".prompt.your-turn").count():
            page.wait_for_timeout(30)
            continue
        place = page.evaluate(_PLACES)
        if place not in places:
            places.append(place)
        take_turn(page)
    return places


@pytest.mark.parametrize("players", (2, 3))
@pytest.mark.parametrize("size", (DESKTOP, PHONE, LANDSCAPE[2]))
def test_buttons_and_hand_stay_where_they_are_during_a_round(
    person: NewPerson, size: ViewportSize, players: int
) -> None:
    somebody = person(viewport=size, reduced_motion="no-preference")
    somebody.hide_tips()
    seats = [ME, *[AI] * (players - 1)]
    page = somebody.open_table(somebody.create_match(players=players, rounds=1, seats=seats))
    expect(page.locator(".felt[data-feed=live]")).to_be_visible()
    page.evaluate(_OBSERVE_SHIFTS)
    places = to_the_last_play(page)
    assert sum(page.evaluate("window.shifts")) <= 0.1
    assert len(places) == 1, places


@pytest.mark.parametrize("players", (2, 3))
def test_last_play_is_seen_before_the_score_sheet(person: NewPerson, players: int) -> None:
    somebody = person(viewport=PHONE)
    seats = [ME, *[AI] * (players - 1)]
    table = somebody.create_match(players=players, rounds=1, seats=seats)
    page = somebody.open_table(table)
    to_the_last_play(page)
    shown = page.evaluate(_LAST_PLAY)
    log = page.evaluate(
        "async path => (await (await import('/static/web/lib/api.js')).get(path)).results",
        f"/matches/{table['id']}/moves?after={max(0, shown['version'] - 20)}&limit=100",
    )
    last_play = [entry for entry in log if entry["type"] == "play"][-1]
    assert (shown["dialogs"], shown["played"]) == (0, len(last_play["cards"]))
    assert shown["left"] > 0
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Going out").click()
    expect(page.locator(".part-details .score-cards").first).to_be_visible()
    page.get_by_text("Haggis and deal").click()
    expect(page.locator("dialog details .spread").last.locator(".card")).to_have_count(shown["left"])


def test_each_line_of_the_score_sheet_opens_to_its_cards(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match(players=2, rounds=1, seats=[ME, AI]))
    page.get_by_role("group", name="Bet before your first card").get_by_role("button", name="15").click()
    page.get_by_role("button", name="Bet 15").click()
    to_the_last_play(page)
    sheet = page.get_by_role("dialog", name="Round 1 is over")
    expect(sheet).to_be_visible()  # without a click, after a moment
    sheet.get_by_role("button", name="Captured").click()
    scored = [
        int(text) for text in sheet.locator("tr", has_text="Captured").first.locator("td").all_inner_texts()
    ]
    sections = sheet.locator(".part-details section")
    expect(sections).to_have_count(2)
    for seat, points in enumerate(scored):
        values = sections.nth(seat).locator(".score-card small").all_inner_texts()
        assert sum(int(value) for value in values) == points
    sheet.get_by_role("button", name="Bets").click()
    expect(sheet.get_by_text(re.compile(r"^You bet 15 and (won|lost)\.$"))).to_be_visible()
    sheet.get_by_role("button", name=re.compile("See the result|Continue")).click()  # tied: go on

    page.reload()
    page.get_by_role("button", name="Round 1: how it was scored").click()
    sheet.get_by_role("button", name="Captured").click()
    expect(sheet.locator(".score-card").first).to_be_visible()


def set_preferences(page: Page, **preferences: object) -> None:
    """Store preferences of the table and load the page again."""
    page.evaluate("value => localStorage.setItem('haggis.settings', value)", json.dumps(preferences))
    page.reload()
    expect(page.locator(".hand button.card").first).to_be_visible()


def test_the_table_has_the_card_size_that_is_preferred(person: NewPerson) -> None:
    somebody = person(viewport=DESKTOP)
    page = somebody.open_table(somebody.create_match(seats=[ME, AI]))
    widths = []
    for size in ("small", "medium", "large"):
        set_preferences(page, cardSize=size)
        widths.append(card_width(page))
    assert widths[0] * 1.1 < widths[1]
    assert widths[1] * 1.1 < widths[2]


def test_animations_have_the_speed_that_is_preferred(person: NewPerson) -> None:
    somebody = person(reduced_motion="no-preference")
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    page.add_init_script("""
        const animate = Element.prototype.animate;
        window.durations = [];
        Element.prototype.animate = function (frames, options) {
            window.durations.push(options.duration);
            return animate.call(this, frames, options);
        };
    """)
    durations = {}
    for speed in ("off", "slow", "normal", "fast"):
        set_preferences(page, animationSpeed=speed, sound=False)
        expect(page.locator(".prompt.your-turn")).to_be_visible()
        take_turn(page)
        expect(page.locator(".prompt.your-turn")).to_be_visible()
        durations[speed] = max(page.evaluate("window.durations"), default=0)
    assert durations["off"] == 0
    assert 0 < durations["fast"] < durations["normal"] < durations["slow"]


def test_a_volume_of_zero_plays_no_sound(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    page.add_init_script("""
        window.sounds = 0;
        const start = AudioScheduledSourceNode.prototype.start;
        AudioScheduledSourceNode.prototype.start = function (...args) {
            window.sounds += 1;
            return start.apply(this, args);
        };
    """)
    sounds = {}
    for volume in (0, 40):
        set_preferences(page, volume=volume)
        expect(page.locator(".prompt.your-turn")).to_be_visible()
        take_turn(page)
        expect(page.locator(".prompt.your-turn")).to_be_visible()
        sounds[volume] = page.evaluate("window.sounds")
    assert sounds[0] == 0
    assert sounds[40] > 0
