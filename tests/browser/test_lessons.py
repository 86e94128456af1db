"""The lessons, played in a browser from the front page to the first real match."""

from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from games.lessons.course import LESSONS
from games.lessons.queries import act_in_lesson, read_lesson
from tests.browser.conftest import NewPerson

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

# The lessons that end with a score sheet.
ENDING_ROUNDS: Final = {"going-out", "practice"}


def solutions(key: str) -> list[dict[str, Any]]:
    """Return the action that each step of a lesson asks for."""
    position = read_lesson(key)["position"]
    actions: list[Any] = []
    while not position["done"]:
        actions.append(position["solution"])
        position = act_in_lesson(key, actions)["position"]
    return actions


def take_step(page: Page, action: dict[str, Any]) -> None:
    """Act as the coach asks, with the controls of the table."""
    expect(page.locator(".felt[aria-busy=false]")).to_be_visible()
    match action["type"]:
        case "play":
            for card in action["cards"]:
                page.locator(f".hand [data-code='{card}']").click()
            page.locator(".buttons .play:not([aria-disabled])").click()
        case "pass":
            page.locator(".buttons .pass").click()
        case "bet":
            page.locator(".bets .chip", has_text=str(action["amount"])).click()
            page.locator("dialog[open] .main").click()
        case _:
            page.locator(".award button").nth(action["to"] - 1).click()


def play_lesson(page: Page, key: str) -> None:
    """Play a lesson that is open, to its end."""
    actions = solutions(key)
    page.get_by_role("button", name="Continue", exact=True).click()
    for number, action in enumerate(actions, start=1):
        tasks = page.locator(".coach .task")
        task = tasks.text_content()
        take_step(page, action)
        if number == len(actions):
            expect(page.locator(".coach .conclusion")).to_be_visible()
        elif key != "practice":  # whose task stays the same
            expect(tasks).not_to_have_text(task or "")
    if key in ENDING_ROUNDS:
        page.locator("dialog[open] .main").click()


def test_a_newcomer_plays_every_lesson_and_then_a_first_match(person: NewPerson) -> None:
    page = person(viewport={"width": 390, "height": 844}).page
    page.goto("/")
    page.locator(".hero").get_by_role("link", name="Learn by playing").click()
    page.get_by_role("link", name="Start", exact=True).click()
    for lesson in LESSONS:
        expect(page.locator("h1")).to_have_text(str(lesson.title))
        play_lesson(page, lesson.key)
        page.locator(".coach .next").click()
    page.wait_for_url("**/matches/*")
    expect(page.locator(".hand .card")).to_have_count(17)
    page.goto("/learn")
    expect(page.locator(".lesson-list .done")).to_have_count(len(LESSONS))


def test_a_lesson_resumes_where_the_browser_left_it(person: NewPerson) -> None:
    page = person().page
    page.goto("/learn/sets")
    page.get_by_role("button", name="Continue", exact=True).click()
    take_step(page, solutions("sets")[0])
    expect(page.locator(".coach-place")).to_contain_text("Step 2 of 3")
    page.goto("/learn")
    expect(page.locator(".lesson-list li", has_text="Started")).to_have_count(1)
    page.get_by_role("link", name="Sets", exact=True).click()
    expect(page.locator(".coach-place")).to_contain_text("Step 2 of 3")
    expect(page.locator(".hand .card")).to_have_count(6)
    take_step(page, solutions("sets")[1])
    expect(page.locator(".coach-place")).to_contain_text("Step 3 of 3")


def test_the_score_sheet_of_a_lesson_shows_its_cards_and_opens_again(person: NewPerson) -> None:
    page = person().page
    page.goto("/learn/going-out")
    play_lesson(page, "going-out")
    page.get_by_role("button", name="Score sheet").click()
    page.locator("dialog[open] .scores").get_by_role("button", name="Captured").click()
    expect(page.locator("dialog[open] .score-cards .score-card").first).to_be_visible()


def test_a_lesson_whose_stored_actions_do_not_fit_starts_from_the_beginning(person: NewPerson) -> None:
    page = person().page
    page.goto("/learn")
    stored = '{"done": [], "actions": {"sets": [{"type": "pass"}, {"type": "pass"}]}}'
    page.evaluate("stored => localStorage.setItem('haggis.lessons', stored)", stored)
    page.goto("/learn/sets")
    expect(page.locator(".coach-place")).to_contain_text("Step 1 of 3")


def test_a_step_can_be_shown_and_then_skipped(person: NewPerson) -> None:
    page = person().page
    page.goto("/learn/runs")
    page.get_by_role("button", name="Continue", exact=True).click()
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".hand .picked")).to_have_count(3)
    page.get_by_role("button", name="Do it for me").click()
    expect(page.locator(".coach-place")).to_contain_text("Step 2 of 2")


def test_a_lesson_and_the_whole_course_can_be_skipped(person: NewPerson) -> None:
    page = person().page
    page.goto("/learn/singles")
    page.get_by_role("link", name="Skip this lesson").click()
    page.wait_for_url("**/learn/sets")
    page.goto("/learn")
    page.get_by_role("button", name="Skip to a first match").click()
    page.wait_for_url("**/matches/*")


def test_the_coach_comments_on_a_legal_play_that_the_step_does_not_ask_for(person: NewPerson) -> None:
    page = person().page
    page.goto("/learn/sets")
    page.get_by_role("button", name="Continue", exact=True).click()
    take_step(page, {"type": "pass"})
    expect(page.locator(".coach .other")).to_contain_text("You may pass")
    expect(page.locator(".coach-place")).to_contain_text("Step 1 of 3")
    take_step(page, {"type": "play", "cards": ["8o", "8y"]})
    expect(page.locator(".coach .other")).to_be_visible()
    expect(page.locator(".hand .card")).to_have_count(8)


# What of a lesson must be visible without scrolling.
_HIDDEN: Final = """() => {
    const coach = document.querySelector(".coach");
    const parts = [...document.querySelectorAll(".coach p, .coach .choices > *")];
    if (!document.querySelector(".lesson.done"))
        parts.push(...document.querySelectorAll(".trick .top .card, .prompt, .buttons button, .hand .card"));
    return parts.filter(part => {
        const { top, bottom, left, right } = part.getBoundingClientRect();
        const behind = part.closest(".coach") ? 0 : coach.getBoundingClientRect().bottom;
        return top < behind - 0.5 || bottom > innerHeight + 0.5 || left < 0 || right > innerWidth + 0.5;
    }).map(part => `${part.className} ${part.textContent.slice(0, 40)}`);
}"""


@pytest.mark.parametrize("language", ("en", "de", "fr", "es"))
def test_the_task_and_the_table_of_a_lesson_are_visible_on_a_phone(person: NewPerson, language: str) -> None:
    """With the bars of a phone's browser on the screen, without scrolling."""
    page = person(viewport={"width": 390, "height": 664}, locale=language).page
    hidden: dict[str, list[str]] = {}
    for lesson in LESSONS[:-1]:
        page.goto(f"/learn/{lesson.key}")
        page.locator(".coach .main").click()
        for step in range(1, len(lesson.steps) + 1):
            page.wait_for_timeout(250)  # the cards have flown
            if lesson.key != "bets":  # whose hand has two rows
                hidden[f"{lesson.key} {step}"] = page.evaluate(_HIDDEN)
            page.locator(".coach button.plain").click()
            page.locator(".coach button.plain").click()
            expect(page.locator(".felt[aria-busy=false]")).to_be_visible()
            expect(page.locator(".coach .task").or_(page.locator(".coach .conclusion"))).to_be_visible()
    assert {place: parts for place, parts in hidden.items() if parts} == {}


def test_cards_that_break_a_rule_cannot_be_played_and_the_table_says_why(person: NewPerson) -> None:
    page = person().page
    page.goto("/learn/sets")
    page.locator(".hand [data-code='Tr']").click()
    expect(page.locator(".readings .why")).to_contain_text("not the same size")
    expect(page.locator(".buttons .play")).to_have_attribute("aria-disabled", "true")


def test_a_lesson_can_be_played_with_the_keyboard(person: NewPerson) -> None:
    page = person().page
    page.goto("/learn/singles")
    page.get_by_role("button", name="Continue", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".hand [data-code='2r']")).to_be_focused()
    for key in ("ArrowRight", "ArrowRight", "Space"):
        page.keyboard.press(key)
    expect(page.locator(".buttons .play:not([aria-disabled])")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".coach-place")).to_contain_text("Step 2 of 4")
    expect(page.locator(".hand [tabindex='0']")).to_be_focused()
