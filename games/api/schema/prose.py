"""What the document says of the whole: its version, its chapters, what holds for every operation."""

from typing import Final

from games.api.schema.operation import Tag

TITLE: Final = "Haggis"
# The version of the contract: the last number for better descriptions, the middle one for what is added. What
# clients rely on is never taken away within v1.
VERSION: Final = "1.0.0"

ACCOUNTS: Final = Tag("Accounts", "Guests, people and bots; ways to a token and out again.")
PROFILE: Final = Tag("Profile", "What a player says of themselves, their tokens and their bots.")
RULE_SETS: Final = Tag("Rule sets", "The five games that matches are played by, and what cards can be.")
LOBBY: Final = Tag("Lobby", "Making, finding, filling, leaving and ending matches.")
TABLE: Final = Tag("Table", "Looking at a table and acting at it.")
HISTORY: Final = Tag("History", "What happened: the log, rounds, records and their verification.")
EVENTS: Final = Tag("Events", "Being told of what happens as it happens.")
WEBHOOKS: Final = Tag("Webhooks", "Being told by requests to an address of one's own.")
PUSH: Final = Tag("Push messages", "Being told on one's devices, where the service offers it.")
CONTRACT: Final = Tag("Contract", "This document.")

TAGS: Final = (ACCOUNTS, PROFILE, RULE_SETS, LOBBY, TABLE, HISTORY, EVENTS, WEBHOOKS, PUSH, CONTRACT)

DESCRIPTION: Final = """\
Haggis, a climbing card game for two or three players, played by post or at once, against people and AIs.

- JSON in and out, UTF-8. Ids are opaque. Times are UTC, RFC 3339. A slash at the end of an address changes
  nothing.
- Strings hold no NUL and no half of a surrogate pair, and integers are written as such: 1.0 is none.
- Unknown members of a body are refused, unknown parameters ignored. Enumerations may grow and answers may
  gain members: clients tolerate what they do not know.
- A token goes into `Authorization: Bearer <token>`; `POST /api/v1/auth/guest` gives one to anybody. What is
  not there and what is not yours to see are the same 404.
- Whatever is refused is `application/problem+json` with a stable `code`. Refusals are judged in this order:
  shape, `not_found`, `not_seated`, `match_not_active`, `stale_version`, `deadline_passed`, `award_due`,
  `not_your_turn`, then the rules.
- Lists come in pages: follow `next`.
- Answers with an `ETag` are asked for again with `If-None-Match`: 304 says that nothing has changed.
- A POST that takes an `Idempotency-Key` may be sent again safely. `RateLimit` headers tell what is left of a
  limit.
"""
