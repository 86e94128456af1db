"""Error codes and exceptions of the API.

An error has a stable code for programs, a sentence for people, and optional members that help to recover.
"""

import traceback
from collections import deque
from dataclasses import dataclass
from typing import Final, TypedDict, TypeVar

from games.core.languages import Text, translated

# Each code with its HTTP status and title, which responses translate. Codes are part of the API contract
# and are never renamed.
CODES: Final[dict[str, tuple[int, str]]] = {
    # Malformed requests
    "bad_request": (400, "Bad request"),
    "malformed_json": (400, "Malformed JSON"),
    "invalid_parameter": (400, "Invalid parameter"),
    "method_not_allowed": (405, "Method not allowed"),
    "not_acceptable": (406, "Not acceptable"),
    "request_timeout": (408, "The request body arrives too slowly"),
    "body_too_large": (413, "Request body too large"),
    "unsupported_media_type": (415, "Unsupported media type"),
    "validation_error": (422, "Validation failed"),
    # Authentication and permissions
    "not_authenticated": (401, "Authentication required"),
    "invalid_credentials": (401, "Wrong name or password"),
    "second_factor_required": (401, "A code of the second factor is required"),
    "reauthentication_required": (403, "Enter your password again"),
    "insufficient_scope": (403, "Insufficient scope"),
    "not_seated": (403, "You have no seat in this match"),
    "not_the_maker": (403, "Only the maker of the match may do this"),
    "not_allowed": (403, "Not allowed for this kind of account"),
    "join_refused": (403, "You cannot play with these players"),
    "hints_not_allowed": (403, "Hints are off in this match"),
    "account_banned": (403, "This account is banned"),
    "account_suspended": (403, "This account is suspended"),
    "address_blocked": (403, "No new guests from this network at the moment"),
    "not_found": (404, "Not found, or not visible to you"),
    "not_analysed": (404, "No analysis of this match has been requested"),
    "push_not_offered": (404, "Push messages are not enabled on this service"),
    # Conflicts with the current state
    "username_taken": (409, "The name is taken"),
    "email_not_confirmed": (409, "Confirm your e-mail address first"),
    "second_factor_exists": (409, "A second factor is already set up"),
    "already_claimed": (409, "The account is already registered"),
    "match_full": (409, "All seats are taken"),
    "seat_taken": (409, "The seat is taken"),
    "already_joined": (409, "You already have a seat in this match"),
    "match_not_open": (409, "The match is not open"),
    "match_not_active": (409, "The match is not being played"),
    "match_not_finished": (409, "The match is not finished"),
    "seats_not_filled": (409, "Not all seats are filled"),
    "not_invited": (409, "You are not invited to this seat"),
    "stale_version": (409, "The match has a newer version"),
    "deadline_passed": (409, "The deadline has passed"),
    "award_due": (409, "The bombed trick must be awarded first"),
    "not_your_turn": (409, "It is not your turn"),
    "bet_closed": (409, "You can no longer bet in this round"),
    "bet_exists": (409, "You have already bet"),
    "no_deadline": (409, "The turn has no deadline"),
    "match_not_paused": (409, "The match is not paused"),
    "pauses_off": (409, "Pauses are off in this match"),
    "no_caretaker": (409, "No caretaker is playing for you"),
    "caretaker_playing": (409, "A caretaker is playing for you: reclaim your seat first"),
    "request_in_flight": (409, "A request with this key is still in progress"),
    "webhook_stopped": (409, "The webhook is stopped: activate it first"),
    "limit_reached": (409, "Limit reached"),
    "rating_not_possible": (409, "Not possible in a rated match"),
    "challenge_refused": (409, "The bot does not accept this invitation"),
    "too_many_ai_matches": (409, "Too many unfinished matches between AIs"),
    # Violations of the rules of the game
    "card_not_in_hand": (422, "Cards not in your hand"),
    "not_a_combination": (422, "Not a combination"),
    "does_not_beat": (422, "Does not beat the current play"),
    "must_lead": (422, "The leader must play"),
    "ambiguous_combination": (422, "Ambiguous combination"),
    "bet_invalid": (422, "Invalid bet"),
    "award_invalid": (422, "Invalid award"),
    "idempotency_key_reused": (422, "The key was used for a different request"),
    # Limits and server errors
    "rate_limited": (429, "Too many requests"),
    "server_error": (500, "Internal server error"),
    "unavailable": (503, "Temporarily unavailable"),
}

# Additional members of an error response, with the codes that may have them.
EXTRA_MEMBERS: Final[dict[str, frozenset[str]]] = {
    "version": frozenset({"stale_version", "deadline_passed", "not_your_turn"}),
    "readings": frozenset({"ambiguous_combination", "not_a_combination"}),
    "retry_after": frozenset({"rate_limited", "unavailable"}),
    "until": frozenset({"account_suspended", "address_blocked"}),
    "parameter": frozenset({"invalid_parameter"}),
    "scopes": frozenset({"insufficient_scope"}),
    "seat": frozenset({"already_joined"}),
    "largest": frozenset({"limit_reached", "too_many_ai_matches"}),
    "condition": frozenset({"challenge_refused"}),
}

# Codes for a single field of a request body, with sentences that are translated in responses.
FIELD_CODES: Final[dict[str, str]] = {
    "required": "This field is required.",
    "null": "This field may not be null.",
    "unknown_field": "Unknown field.",
    "not_an_object": "Must be an object.",
    "not_a_list": "Must be a list.",
    "not_a_string": "Must be a string.",
    "not_an_integer": "Must be an integer.",
    "not_a_boolean": "Must be true or false.",
    "not_a_time": "Must be a time with a UTC offset, such as 2026-02-03T04:05:06Z.",
    "not_an_email": "Must be an e-mail address.",
    "blank": "May not be empty.",
    "too_short": "Too short.",
    "too_long": "Too long.",
    "too_small": "Too small.",
    "too_large": "Too large.",
    "unknown_value": "Not a valid choice.",
    "invalid": "Invalid value.",
    "in_the_past": "Must be in the future.",
    "reserved": "Reserved for the service.",
    "imitates_player": "Looks like the name of another player.",
    "beyond_this_token": "Not a scope of the token that makes the request.",
    "password_too_short": "The password is too short.",
    "password_too_common": "The password is too common.",
    "password_entirely_numeric": "The password consists of digits only.",
    "password_too_similar": "The password is too similar to the name or the e-mail address.",
    "wrong_password": "Wrong password.",
    "wrong_code": "Wrong or expired code.",
    "invalid_token": "Invalid or expired.",
    # Match settings
    "unknown_ruleset": "Unknown rule set.",
    "invalid_players": "The rule set does not support this number of players.",
    "invalid_options": "Unknown option of the rule set, or invalid value.",
    "invalid_length": "A match needs either a target score or a number of rounds, within their limits.",
    "invalid_client_seed": "Invalid client seed.",
    "not_seated": "Only allowed together with a seat.",
    "given_before": "Cannot be changed after it was set.",
    "unknown_player": "Unknown player.",
    "repeated": "This player already has a seat.",
    "open_in_private": "A private match cannot have open seats.",
    "rating_not_possible": "Not possible in a rated match.",
    "unknown_match": "Unknown match, or not visible to you.",
    "unusable_url": "This URL cannot be used.",
    "unknown_card": "Unknown card.",
    "card_twice": "Duplicate card.",
}


@dataclass(frozen=True, slots=True)
class FieldError:
    """An error in one field of a request body: its JSON pointer, its code, and a sentence."""

    pointer: str
    code: str
    detail: Text


class Problem(Exception):
    """An error response of the API. `extra` has its additional members: `version`, `readings`, `rule` ..."""

    def __init__(
        self, code: str, detail: Text = "", *, errors: tuple[FieldError, ...] = (), **extra: object
    ) -> None:
        """Look up status and title; raise `KeyError` for a code that is not part of the contract."""
        self.status, self.title = CODES[code]
        super().__init__(str(detail) or self.title)
        self.code = code
        # A message that is translated when the response is rendered; empty if the title says it all.
        self.own_detail = detail
        self.errors = errors
        self.extra = extra

    @property
    def detail(self) -> str:
        """The sentence in the current language."""
        return translated(self.own_detail) or f"{translated(self.title)}."


def invalid_field(pointer: str, code: str, detail: Text) -> Problem:
    """Return the error for one invalid field of a request body."""
    return Problem("validation_error", detail, errors=(FieldError(pointer, code, detail),))


Found = TypeVar("Found")


def require_found(value: Found | None) -> Found:
    """Return the value, or raise `not_found` if it is `None`."""
    if value is None:
        raise Problem("not_found")
    return value


class RaisedFields(TypedDict):
    """The extra fields of the log record of an error: its class, its code, and where it was raised."""

    raised: tuple[object, ...]


def raised(error: BaseException) -> RaisedFields:
    """Return the extra fields of the log record of an error that is logged without its message.

    They distinguish the faults whose lines are limited (`haggis_service/telemetry/fault_limits.py`).

    >>> raised(ValueError("a secret"))
    {'raised': ('ValueError', '')}
    """
    place = deque(traceback.walk_tb(error.__traceback__), maxlen=1)
    lines = ((frame.f_code.co_filename, number) for frame, number in place)
    return {"raised": (type(error).__name__, str(getattr(error, "code", "")), *lines)}
