"""Render the icons of the app from its SVG drawing: `python -m tools.icons`."""

import shutil
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

ICONS: Final = Path(__file__).parents[1] / "games" / "web" / "static" / "web" / "icons"
DRAWING: Final = ICONS / "app.svg"
# The size and the corner radius of each file; icons that the system masks or rounds have square corners.
SIZES: Final = {
    "icon-192.png": (192, "22%"),
    "icon-512.png": (512, "22%"),
    "maskable-512.png": (512, "0"),
    "apple-touch-icon.png": (180, "0"),
}
_PAGE: Final = (
    "<style>body{{margin:0}}svg{{display:block;width:{size}px;border-radius:{corners}}}</style>{drawing}"
)


def main() -> int:
    """Render each icon in a browser."""
    drawing = DRAWING.read_text(encoding="utf-8")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox", "--disable-gpu"]
        ) as browser,
    ):
        for name, (size, corners) in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(_PAGE.format(size=size, corners=corners, drawing=drawing))
            page.screenshot(path=ICONS / name, omit_background=True)
            page.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
