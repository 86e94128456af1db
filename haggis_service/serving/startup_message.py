"""The message that `manage.py serve` prints when the server is ready: its URL and a first match with curl."""

from typing import Final

_TEXT: Final = r"""
Haggis is running at {site}/   Press Ctrl-C to stop it. After a restart all matches continue.

Open that URL in a browser to play. {docs}
To play a first match with curl, in another terminal:

  H={site}/api/v1
  T=$(curl -s -X POST $H/auth/guest | sed 's/.*"token":"\([^"]*\)".*/\1/')
  M=$(curl -s $H/matches -H "Authorization: Bearer $T" -H 'Content-Type: application/json' \
      -d '{"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "ai", "level": "easy"}]}' \
      | sed 's/.*"id":"\(m_[^"]*\)".*/\1/'); echo $M
  until L=$(curl -sf $H/matches/$M/legal-moves -H "Authorization: Bearer $T"); do sleep 1; done   # your turn
  curl -s $H/matches/$M -H "Authorization: Bearer $T"; echo; echo "$L"
  V=$(echo "$L" | sed 's/.*"version":\([0-9]*\).*/\1/')
  C=$(echo "$L" | grep -o '"cheapest":\[[^]]*\]' | head -1 | cut -d: -f2)
  A='"type": "pass"'; [ -n "$C" ] && A="\"type\": \"play\", \"cards\": $C"
  curl -s $H/matches/$M/moves -H "Authorization: Bearer $T" -H 'Content-Type: application/json' \
      -d "{\"version\": $V, $A}"; echo
"""


_DOCS: Final = "Guides for developers are at {site}/docs/."
_DOCS_NOT_BUILT: Final = "The guides for developers at {site}/docs/ are missing: run `make docs` and restart."


def startup_message(site: str, *, has_docs: bool) -> str:
    """Return the message for a server at this URL."""
    text = _TEXT.replace("{docs}", _DOCS if has_docs else _DOCS_NOT_BUILT)
    return text.replace("{site}", site)
