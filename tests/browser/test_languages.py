"""The pages in other languages: no English, nothing wider than the screen, offline pages follow."""

import re
from typing import Final

import polib
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import play_to_the_end
from tests.browser.test_installed_app import wait_for_service_worker
from tests.support.processes import ROOT

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(500)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}
PAGES: Final = (
    "/",
    "/learn",
    "/watch",
    "/players",
    "/rules",
    "/rules/trainer",
    "/replay",
    "/account",
    "/reset-password",
)
# A message has to be at least this long to be told from a name or a symbol.
MIN_LENGTH: Final = 5
_PLACEHOLDER: Final = re.compile(r"\\\{\w+\\\}")
_TEXTS = """() => {
    const visible = (element) => element?.checkVisibility({ visibilityProperty: true });
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [document.title];
    while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode;
        const isText = visible(parentElement) && !parentElement.closest("script, style, code, .languages");
        if (isText) texts.push(textContent);
    }
    for (const element of document.querySelectorAll("[aria-label]"))
        if (visible(element)) texts.push(element.getAttribute("aria-label"));
    return texts.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""


def english_messages(language: str) -> list[re.Pattern[str]]:
    """Return patterns of the English messages that have another text in this language."""
    messages = []
    for domain in ("django", "djangojs"):
        catalogue = polib.pofile(str(ROOT / "games" / "locale" / language / "LC_MESSAGES" / f"{domain}.po"))
        for entry in catalogue:
            forms = list(entry.msgstr_plural.values()) or [entry.msgstr]
            for text in filter(None, (entry.msgid, entry.msgid_plural)):
                words = re.sub(r"\{\w+\}|\W", "", text)
                if text not in forms and len(words) >= MIN_LENGTH:
                    messages.append(re.compile(_PLACEHOLDER.sub(".+", re.escape(text)), re.DOTALL))
    return messages


def english_texts(page: Page, language: str) -> set[str]:
    """Return the visible texts that are English messages."""
    patterns = english_messages(language)
    texts = set(page.evaluate(_TEXTS))
    return {text for text in texts if any(pattern.fullmatch(text) for pattern in patterns)}


def wait_until_loaded(page: Page) -> None:
    """Wait until the elements of the page have rendered."""
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("path", PAGES)
def test_no_english_is_left_on_a_german_page(person: NewPerson, path: str) -> None:
    page = person(locale="de-DE").page
    page.goto(path)
    wait_until_loaded(page)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert english_texts(page, "de") == set()


def test_no_english_is_left_at_a_table_and_on_its_result(person: NewPerson) -> None:
    somebody = person(viewport={"width": 1280, "height": 800})
    table = somebody.create_match(seats=[ME, AI], rounds=1, hints=True)
    page = somebody.open_table(table)
    page.goto("/?language=de")
    somebody.open_table(table)
    wait_until_loaded(page)
    assert english_texts(page, "de") == set()
    page.get_by_role("link", name="Hilfe").or_(page.get_by_role("button", name="Hilfe")).first.click()
    expect(page.get_by_text("Tastenkürzel").first).to_be_visible()
    assert english_texts(page, "de") == set()
    page.goto("/?language=en")
    somebody.open_table(table)
    play_to_the_end(page)
    page.goto("/?language=de")
    page.goto(f"/matches/{table['id']}")
    expect(page.locator(".result")).to_be_visible()
    wait_until_loaded(page)
    assert english_texts(page, "de") == set()
    page.goto(f"/matches/{table['id']}/replay")
    expect(page.locator(".controls")).to_be_visible()
    wait_until_loaded(page)
    assert english_texts(page, "de") == set()


@pytest.mark.parametrize("language", ("de", "fr", "es"))
@pytest.mark.parametrize("size", ((320, 640), (844, 390)))
def test_longer_words_do_not_make_the_pages_wider(
    person: NewPerson, language: str, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    somebody = person(locale=language, viewport=viewport)
    table = somebody.create_match_with_own_lead(seats=[ME, AI], hints=True)
    page = somebody.open_table(table)
    for path in (page.url, "/", "/account", "/learn", "/rules/classic"):
        page.goto(path)
        wait_until_loaded(page)
        assert page.evaluate("document.documentElement.scrollWidth") == size[0], path


def test_the_switch_changes_pages_and_the_account(person: NewPerson) -> None:
    somebody = person()
    somebody.api("GET", "/me")  # as a guest
    page = somebody.page
    page.goto("/rules")
    page.locator(".foot .languages").get_by_role("link", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page).to_have_url(re.compile("/rules$"))
    assert somebody.api("GET", "/me")["language"] == "fr"
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_the_settings_change_the_language_at_the_table_and_in_the_replay(person: NewPerson) -> None:
    somebody = person(viewport={"width": 390, "height": 664})
    page = somebody.open_table(somebody.create_match(seats=[ME, AI]))
    for language, name in (("fr", "Français"), ("en", "English")):
        page.locator("haggis-bar .round").click()
        page.locator(".menu-list .languages").get_by_role("link", name=name).click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator(".hand button.card")).to_have_count(17)
        assert "language" not in page.url
    assert somebody.api("GET", "/me")["language"] == "en"
    page.goto("/replay?step=3")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("link", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page).to_have_url(re.compile(r"/replay\?step=3$"))


def test_errors_of_the_service_are_in_the_language_of_the_page(person: NewPerson) -> None:
    page = person(locale="es-ES").page
    page.goto("/account")
    form = page.locator("form", has=page.get_by_role("button", name="Iniciar sesión", exact=True))
    form.get_by_label("Nombre de usuario").fill("nobody-here")
    form.get_by_label("Contraseña").fill("not the password")
    form.get_by_role("button", name="Iniciar sesión", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Nombre o contraseña incorrectos")


def test_the_offline_page_follows_the_language(person: NewPerson) -> None:
    somebody = person(locale="de-DE")
    page = somebody.page
    page.goto("/")
    wait_for_service_worker(page)
    somebody.context.set_offline(True)
    page.goto("/rules")
    expect(page.get_by_role("heading", name="Du bist offline")).to_be_visible()
    expect(page.get_by_role("button", name="Noch einmal versuchen")).to_be_visible()
    somebody.context.set_offline(False)
    expect(page.locator("article.prose").first).to_be_visible()
    page.goto("/?language=es")
    wait_until_loaded(page)
    page.wait_for_function(
        "async () => (await (await caches.match('/offline')).text()).includes('lang=\"es\"')"
    )
    somebody.context.set_offline(True)
    page.goto("/rules")
    expect(page.get_by_role("heading", name="No tienes conexión")).to_be_visible()
    expect(page.get_by_role("button", name="Intentar de nuevo")).to_be_visible()
