"""Take screenshots of every page, phone and desktop, light and dark: `make screenshots`.

The table, the result and the replay are also taken on a phone in landscape, on a tablet and 320 pixels
wide. It starts a server, creates matches and plays some turns. The deals are random, so every run gives
different pictures. They are written to docs/images; `--sizes` and `--scenes` limit which.
"""

import argparse
import base64
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal

import httpx
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.browser.players import Person, play_to_the_end, take_turn
from tests.support.processes import web_on_sqlite

ROOT: Final = Path(__file__).parents[1]
MAX_BYTES: Final = 300_000
SIZES: Final[dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}, "device_scale_factor": 1},
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2},
    "landscape": {"viewport": {"width": 844, "height": 390}, "device_scale_factor": 1},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "device_scale_factor": 1},
    "narrow": {"viewport": {"width": 320, "height": 640}, "device_scale_factor": 1},
}
Colour = Literal["light", "dark"]
COLOURS: Final[tuple[Colour, ...]] = ("light", "dark")
# Sizes whose pictures show the layout only: fewer scenes, in one colour scheme.
LAYOUT_SIZES: Final = {"landscape", "tablet", "narrow"}
LAYOUT_SCENES: Final = {"table", "result", "replay"}
ME: Final = {"kind": "me"}
TURNS_TO_PLAY: Final = 4
OPERATOR: Final = "morag"
PASSWORD: Final = secrets.token_urlsafe(16)

Scene = tuple[str, str, Callable[[Page], None]]


def main(arguments: list[str] | None = None) -> int:
    """Write the screenshots; fail if one is too large."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "docs" / "images")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--scenes", nargs="+", help="the names of the scenes to take; all if omitted")
    options = parser.parse_args(arguments)
    folder: Path = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        web = web_on_sqlite(Path(data))
        settings = {"HAGGIS_AI_WAIT_SECONDS": "0.05", "HAGGIS_ADMIN_SECOND_FACTOR": "false"}
        web.running.environment = {**web.running.environment, **settings}
        web.manage("migrate", "--verbosity", "0")
        web.manage("demo", "--matches", "12", "--seed", "7")
        web.start()
        try:
            account = {"username": OPERATOR, "password": PASSWORD}
            httpx.post(f"http://127.0.0.1:{web.port}/api/v1/auth/register", json=account).raise_for_status()
            web.manage("appoint", OPERATOR, "--role", "operator")
            paths = [*pictures(f"http://127.0.0.1:{web.port}", folder, options.sizes, options.scenes)]
        finally:
            web.kill()
    return report(paths)


def pictures(site: str, folder: Path, sizes: list[str], names: list[str] | None) -> Iterator[Path]:
    """Create the scenes once and take each in every size and colour scheme."""
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox", "--disable-gpu"]
        ) as browser,
    ):
        host = Person(browser.new_context(base_url=site, reduced_motion="reduce"))
        host.hide_tips()
        host.page.goto("/account")
        host.api("GET", "/me")
        host.page.get_by_label("Shown to other players").fill("Heather")
        host.page.get_by_role("button", name="Save name").click()
        expect(host.page.get_by_role("heading", name="Heather")).to_be_visible()
        operator = Person(browser.new_context(base_url=site, reduced_motion="reduce"))
        log_in(operator)
        scenes_by_person = [(host, [*page_scenes(host)])]
        scenes_by_person.append((operator, [*admin_scenes(host)]))
        for size in sizes:
            for colours in colours_of(size):
                for person, all_scenes in scenes_by_person:
                    scenes = [scene for scene in all_scenes if is_taken(scene[0], size, names)]
                    context = browser.new_context(
                        base_url=site,
                        storage_state=person.context.storage_state(),
                        color_scheme=colours,
                        reduced_motion="reduce",
                        **SIZES[size],
                    )
                    yield from take_pictures(context, scenes, folder, f"{size}-{colours}")
                    context.close()


def colours_of(size: str) -> tuple[Colour, ...]:
    """Return the colour schemes of a size."""
    return COLOURS[:1] if size in LAYOUT_SIZES else COLOURS


def is_taken(name: str, size: str, names: list[str] | None) -> bool:
    """Return whether a scene is taken in a size."""
    return (names is None or name in names) and (size not in LAYOUT_SIZES or name in LAYOUT_SCENES)


def page_scenes(host: Person) -> Iterator[Scene]:
    """Yield the name, the path and the preparation of each page."""
    finished = finished_match(host)
    table = match_in_play(host)
    waiting = host.create_match(players=3, visibility="public")["id"]
    yield "lobby", "/", no_preparation
    yield "table", f"/matches/{table}", select_first_playable_cards
    yield "result", f"/matches/{finished}", no_preparation
    yield "waiting", f"/matches/{waiting}", no_preparation
    yield "replay", f"/matches/{finished}/replay#14", no_preparation
    yield "rules", "/rules/classic", scroll_to_combinations
    yield "trainer", "/rules/trainer", no_preparation
    yield "account", "/account", no_preparation
    yield "landing", "/", clear_local_storage


def log_in(operator: Person) -> None:
    """Log in to the admin."""
    operator.page.goto("/admin/")
    operator.page.get_by_label("Username").fill(OPERATOR)
    operator.page.get_by_label("Password").fill(PASSWORD)
    operator.page.get_by_role("button", name="Log in").click()
    expect(operator.page.get_by_text("Events in the last 24 hours")).to_be_visible()


def admin_scenes(host: Person) -> Iterator[Scene]:
    """Yield the scenes of the admin."""
    table = match_in_play(host)
    yield "admin", "/admin/", no_preparation
    yield "admin-matches", "/admin/games/match/", no_preparation
    yield "admin-match", f"/admin/games/match/{table}/change/", no_preparation


def take_pictures(context: BrowserContext, scenes: list[Scene], folder: Path, suffix: str) -> Iterator[Path]:
    """Take a WebP screenshot of each scene."""
    page = context.new_page()
    camera = context.new_cdp_session(page)
    for name, address, prepare in scenes:
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_timeout(1200)
        prepare(page)
        picture = camera.send("Page.captureScreenshot", {"format": "webp", "quality": 82})
        path = folder / f"{name}-{suffix}.webp"
        path.write_bytes(base64.b64decode(picture["data"]))
        yield path


def finished_match(host: Person) -> str:
    """Play a match for three to its end and analyse it; return its id."""
    seats = [ME, {"kind": "ai", "level": "easy"}, {"kind": "ai", "level": "random"}]
    table = host.create_match(players=3, rounds=2, seats=seats)
    play_to_the_end(host.open_table(table))
    match_id: str = table["id"]
    host.api("POST", f"/matches/{match_id}/analysis")
    while host.api("GET", f"/matches/{match_id}/analysis")["status"] == "running":
        host.page.wait_for_timeout(1000)
    return match_id


def match_in_play(host: Person) -> str:
    """Play a match for three until the host can beat the current trick; return its id."""
    seats = [ME, {"kind": "ai", "level": "easy"}, {"kind": "ai", "level": "easy"}]
    while True:
        table = host.create_match(players=3, seats=seats)
        page = host.open_table(table)
        for _ in range(TURNS_TO_PLAY):
            expect(page.locator(".prompt.your-turn")).to_be_visible(timeout=20_000)
            take_turn(page)
        expect(page.locator(".prompt.your-turn")).to_be_visible(timeout=20_000)
        match_id: str = table["id"]
        if page.get_by_role("button", name="Pass", exact=True, disabled=False).count():
            page.get_by_role("button", name="What can I play?").click()
            page.wait_for_timeout(1500)
            if page.locator(".plays .chip").count():
                return match_id
        host.api("POST", f"/matches/{match_id}/resign")


def select_first_playable_cards(page: Page) -> None:
    """Select the first legal play."""
    page.get_by_role("button", name="What can I play?").click()
    page.locator(".plays .chip").first.click()
    expect(page.locator(".reading").first).to_be_visible()
    page.wait_for_timeout(300)


def clear_local_storage(page: Page) -> None:
    """Reload the page as a first-time visitor sees it."""
    page.evaluate("localStorage.clear()")
    page.reload()
    page.wait_for_timeout(1200)


def scroll_to_combinations(page: Page) -> None:
    """Scroll to the section with cards."""
    page.get_by_role("heading", name="Combinations").scroll_into_view_if_needed()
    page.mouse.wheel(0, 500)
    page.wait_for_timeout(300)


def no_preparation(page: Page) -> None:
    """Leave the page as it is."""


def report(paths: list[Path]) -> int:
    """Print the total size; return 1 if a file is too large."""
    too_large = [path for path in paths if path.stat().st_size > MAX_BYTES]
    total = sum(path.stat().st_size for path in paths)
    print(f"{len(paths)} screenshots, {total // 1000} kB")
    for path in too_large:
        print(f"{path} is larger than {MAX_BYTES // 1000} kB", file=sys.stderr)
    return 1 if too_large else 0


if __name__ == "__main__":
    sys.exit(main())
