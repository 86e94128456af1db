"""Write the published contract (docs/openapi) as the service serves it: `make contract`."""

import json
import os
import sys
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = ROOT / "docs" / "openapi"


def documents() -> dict[str, str]:
    """Return the documents by file name."""
    from games.api.schema import document as openapi  # noqa: PLC0415 -- needs the settings

    versions = {"haggis-3.1.json": openapi.OPENAPI_31, "haggis-3.0.json": openapi.OPENAPI_30}
    return {
        name: json.dumps(openapi.document(version), indent=1, ensure_ascii=False) + "\n"
        for name, version in versions.items()
    }


def main() -> None:
    """Write the documents."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.testing")
    django.setup()
    PUBLISHED.mkdir(parents=True, exist_ok=True)
    for name, text in documents().items():
        (PUBLISHED / name).write_text(text, encoding="utf-8")
        print(f"{PUBLISHED.relative_to(ROOT) / name}: {len(text):,} characters")


if __name__ == "__main__":
    main()
