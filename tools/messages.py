"""Extract, check and compile the messages of the service.

    python -m tools.messages            update the catalogues in games/locale from the sources, compile them
    python -m tools.messages --check    fail if a catalogue is incomplete or not current

The catalogue `django` has the messages of Python and templates, `djangojs` those of the scripts, and `rules`
those of the rule pages. Scripts load `djangojs` as games/web/static/web/messages/<language>.js.
"""

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import django
import polib
from django.apps import apps

from tools.message_sources import ROOT, SCRIPT_CATALOGUES, Message, Messages, extract, place_of

LOCALE: Final = ROOT / "games" / "locale"

# The rules for plural forms, for gettext and for scripts.
LANGUAGES: Final = {
    "de": ("nplurals=2; plural=(n != 1);", "(count) => Number(count !== 1)"),
    "fr": ("nplurals=2; plural=(n > 1);", "(count) => Number(count > 1)"),
    "es": ("nplurals=2; plural=(n != 1);", "(count) => Number(count !== 1)"),
}
DOMAINS: Final = ("django", "djangojs", "rules")


def main(arguments: list[str] | None = None) -> int:
    """Update or check the catalogues; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything is missing")
    check = parser.parse_args(arguments).check
    _set_up_django()
    faults = [
        fault for domain, found in extract().items() for language in LANGUAGES
        for fault in update(domain, language, found, write=not check)
    ]  # fmt: skip
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    print(f"{len(faults)} faults in the catalogues" if faults else "All messages are translated.")
    return 1 if faults and check else 0


def _set_up_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "haggis_service.settings.testing")
    if not apps.ready:
        django.setup()


# --- Catalogues


def update(domain: str, language: str, found: Messages, *, write: bool) -> list[str]:
    """Update a catalogue and what is compiled from it, or only compare; return the faults."""
    path = LOCALE / language / "LC_MESSAGES" / f"{domain}.po"
    old = polib.pofile(str(path), wrapwidth=110) if path.exists() else polib.POFile()
    new = _merged(old, language, found)
    faults = [f"{language} {domain}: {fault}" for fault in faults_of(new)]
    outdated = [
        place_of(target)
        for target, content in _files(domain, language, path, new).items()
        if not target.exists() or target.read_bytes() != content
    ]
    if write:
        for target, content in _files(domain, language, path, new).items():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return faults
    return faults + [f"{name} is not current: run `make messages`" for name in outdated]


def _files(domain: str, language: str, path: Path, catalogue: polib.POFile) -> dict[Path, bytes]:
    """Return the content of a catalogue and of what is compiled from it, by file."""
    files = {path: f"{catalogue}\n".encode()}
    if domain == "djangojs":
        files[SCRIPT_CATALOGUES / f"{language}.js"] = _script_catalogue(language, catalogue).encode()
    else:
        files[path.with_suffix(".mo")] = catalogue.to_binary()
    return files


def _merged(old: polib.POFile, language: str, found: Messages) -> polib.POFile:
    """Return the catalogue with exactly the messages of the sources."""
    new = polib.POFile(wrapwidth=110)
    new.metadata = {
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": LANGUAGES[language][0],
    }
    translated = {(each.msgid, each.msgctxt or ""): each for each in old if not each.obsolete}
    for message, places in found.items():
        before = translated.get((message.text, message.context))
        new.append(_entry(message, places, before))
    return new


def _entry(message: Message, places: list[str], before: polib.POEntry | None) -> polib.POEntry:
    entry = polib.POEntry(
        msgid=message.text,
        msgctxt=message.context or None,
        occurrences=[(place, "") for place in places],
        tcomment="" if before is None else before.tcomment,
    )
    if message.plural:
        entry.msgid_plural = message.plural
        entry.msgstr_plural = (
            dict.fromkeys((0, 1), "") if before is None else before.msgstr_plural or {0: "", 1: ""}
        )
    elif before is not None:
        entry.msgstr = before.msgstr
    return entry


def _key(entry: polib.POEntry) -> str:
    """Return the key of a message for scripts, with its context, if any, as in .mo files."""
    return f"{entry.msgctxt}\u0004{entry.msgid}" if entry.msgctxt else str(entry.msgid)


def _script_catalogue(language: str, catalogue: polib.POFile) -> str:
    """Return the script that defines the catalogue before the modules run."""
    messages = {
        _key(entry): [entry.msgstr_plural[form] for form in sorted(entry.msgstr_plural)]
        if entry.msgid_plural
        else entry.msgstr
        for entry in catalogue
        if entry.translated()
    }
    content = json.dumps(messages, ensure_ascii=False, sort_keys=True, indent=0, separators=(",", ":"))
    return (
        "/* Written by `make messages` from games/locale. */\n"
        f'globalThis.haggisCatalogue={{language:"{language}",pluralIndex:{LANGUAGES[language][1]},messages:{content}}};\n'
    )


# --- Checks

_SAME: Final = {
    "placeholders": re.compile(r"\{\w*\}|%\(\w+\)s"),
    "code, links and tags": re.compile(r"`[^`]*`|\]\([^)]*\)|</?\w+[^>]*>"),
}
_SAME_IN_RULES: Final = {"numbers": re.compile(r"\d+"), "emphasis": re.compile(r"\*+")}


def faults_of(catalogue: polib.POFile) -> Iterator[str]:
    """Yield what is wrong with the translations: missing ones, and those that differ in form."""
    for entry in catalogue:
        forms = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        if not all(forms):
            yield f"not translated: {entry.msgid!r}"
            continue
        is_rule = any(place.startswith("docs/rules") for place, _ in entry.occurrences)
        for form in forms:
            yield from (
                f"other {what}: {entry.msgid!r}: {form!r}"
                for what, pattern in (_SAME | (_SAME_IN_RULES if is_rule else {})).items()
                if not _agrees(pattern, entry, form)
            )
            if _edges(form) != _edges(entry.msgid):
                yield f"other spaces at the ends: {entry.msgid!r}"


def _agrees(pattern: re.Pattern[str], entry: polib.POEntry, form: str) -> bool:
    """Return whether a translation has the same parts; a form for one thing may leave the number out."""
    parts = Counter(pattern.findall(form))
    expected = Counter(pattern.findall(entry.msgid_plural or entry.msgid))
    return parts in (expected, Counter(pattern.findall(entry.msgid)), expected - Counter(("{count}",)))


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


if __name__ == "__main__":
    sys.exit(main())
