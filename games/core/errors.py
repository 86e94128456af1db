"""How the service says no: a stable code for programs, a sentence for people, and what helps to go on."""

from dataclasses import dataclass
from typing import Final

# Every code with its status and its title. Codes are part of the contract with clients: none is ever renamed.
CODES: Final[dict[str, tuple[int, str]]] = {
    # Unreadable
    "bad_request": (400, "The request cannot be taken"),
    "malformed_json": (400, "The body is not JSON"),
    "invalid_parameter": (400, "A parameter of the address cannot be read"),
    "method_not_allowed": (405, "This address does not take this method"),
    "not_acceptable": (406, "No such form of the answer"),
    "body_too_large": (413, "The body is too large"),
    "unsupported_media_type": (415, "The body is of a type that is not read"),
    "validation_error": (422, "The request is not of the right shape"),
    # Who you are
    "not_authenticated": (401, "A token is needed"),
    "invalid_credentials": (401, "Name and password do not fit"),
    "insufficient_scope": (403, "The token does not reach that far"),
    "not_seated": (403, "You do not sit at this table"),
    "not_the_maker": (403, "Only the maker of the match may do this"),
    "not_allowed": (403, "This is not for your kind of account"),
    "hints_not_allowed": (403, "There are no hints at this table"),
    "account_banned": (403, "This account is banned"),
    "not_found": (404, "There is nothing here that you may see"),
    "not_analysed": (404, "Nobody has asked for the analysis of this match yet"),
    "push_not_offered": (404, "This service sends no push messages"),
    # True requests at the wrong moment
    "username_taken": (409, "The name is taken"),
    "already_claimed": (409, "The account is kept already"),
    "match_full": (409, "Every seat is taken"),
    "seat_taken": (409, "The seat is taken"),
    "already_joined": (409, "You sit there already"),
    "match_not_open": (409, "The match is not open"),
    "match_not_active": (409, "The match is not being played"),
    "match_not_finished": (409, "The match is not finished"),
    "seats_not_filled": (409, "Some seats are not filled yet"),
    "not_invited": (409, "You are not invited to this seat"),
    "stale_version": (409, "The table has moved on"),
    "deadline_passed": (409, "The time to act is over"),
    "award_due": (409, "A bombed trick has to be awarded first"),
    "not_your_turn": (409, "It is not your turn"),
    "bet_closed": (409, "Bets are closed for you"),
    "bet_exists": (409, "You have bet already"),
    "no_deadline": (409, "No turn runs out here"),
    "match_not_paused": (409, "The match is not paused"),
    "pauses_off": (409, "This match was agreed to have no pauses"),
    "no_caretaker": (409, "No caretaker plays for you"),
    "caretaker_playing": (409, "A caretaker plays for you: take the seat back first"),
    "request_in_flight": (409, "The same request is still being answered"),
    "webhook_stopped": (409, "The endpoint is stopped: make it active first"),
    "limit_reached": (409, "You have as many of these as one may have"),
    # Against the rules
    "card_not_in_hand": (422, "Not your cards"),
    "not_a_combination": (422, "No combination"),
    "does_not_beat": (422, "It does not beat the current play"),
    "must_lead": (422, "The leader must play"),
    "ambiguous_combination": (422, "Several shapes are possible"),
    "bet_invalid": (422, "No such bet"),
    "award_invalid": (422, "No such award"),
    "idempotency_key_reused": (422, "The key belongs to another request"),
    # Too much, or too soon
    "rate_limited": (429, "Too many requests"),
    "server_error": (500, "A fault of the service"),
    "unavailable": (503, "Not possible just now"),
}

# What else a refusal may tell, by the codes that come with it.
EXTRA_MEMBERS: Final[dict[str, frozenset[str]]] = {
    "version": frozenset({"stale_version", "deadline_passed", "not_your_turn"}),
    "readings": frozenset({"ambiguous_combination", "not_a_combination"}),
    "retry_after": frozenset({"rate_limited", "unavailable"}),
    "parameter": frozenset({"invalid_parameter"}),
    "scopes": frozenset({"insufficient_scope"}),
    "seat": frozenset({"already_joined"}),
    "largest": frozenset({"limit_reached"}),
}

# Every code of one field of a body.
FIELD_CODES: Final[dict[str, str]] = {
    "required": "It is missing.",
    "null": "It may not be null.",
    "unknown_field": "There is no such field here.",
    "not_an_object": "It must be an object.",
    "not_a_list": "It must be a list.",
    "not_a_string": "It must be a string.",
    "not_an_integer": "It must be an integer.",
    "not_a_boolean": "It must be true or false.",
    "not_a_time": "It must be a time with its offset, as 2026-02-03T04:05:06Z.",
    "not_an_email": "It must be an e-mail address.",
    "blank": "It may not be empty.",
    "too_short": "It is too short.",
    "too_long": "It is too long.",
    "too_small": "It is too small.",
    "too_large": "It is too large.",
    "unknown_value": "It is none of the values that are known.",
    "invalid": "It cannot be read.",
    "in_the_past": "It is over already.",
    "reserved": "It is kept for the service.",
    "beyond_this_token": "Your own token does not reach that far.",
    "password_too_short": "The password is too short.",
    "password_too_common": "The password is too common.",
    "password_entirely_numeric": "The password is a number.",
    "password_too_similar": "The password is too like the name or the address.",
    "wrong_password": "It is not the password.",
    "invalid_token": "It is not valid, or not any more.",
    # What a match can be
    "unknown_ruleset": "There is no such rule set.",
    "invalid_players": "The rule set is not for so many.",
    "invalid_options": "The rule set has no such option, or not this value of it.",
    "invalid_length": "A match has a target or a number of rounds, within their bounds.",
    "invalid_client_seed": "It can be no seed.",
    "not_seated": "It belongs to a seat, and none is taken.",
    "given_before": "It was fixed when it was given first.",
    "unknown_player": "There is no such player.",
    "repeated": "This player has a seat already.",
    "open_in_private": "A private match has no open seats.",
    "not_in_rated": "Rated matches are between registered people.",
    "unknown_match": "There is no such match that you may see.",
    "unusable_url": "Nothing is sent to this address.",
    "unknown_card": "There is no such card.",
    "card_twice": "The card is named twice.",
}


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one part of a body: where (a JSON pointer), the code, and a sentence."""

    pointer: str
    code: str
    detail: str


class Problem(Exception):
    """Any refusal of the service. `helps` is what else it answers: `version`, `readings`, `rule` ..."""

    def __init__(
        self, code: str, detail: str = "", *, errors: tuple[FieldError, ...] = (), **helps: object
    ) -> None:
        """Look the code up, so that none is used that clients do not know."""
        self.status, self.title = CODES[code]
        super().__init__(detail or self.title)
        self.code = code
        self.detail = detail or f"{self.title}."
        self.errors = errors
        self.helps = helps


def invalid_field(pointer: str, code: str, detail: str) -> Problem:
    """The refusal of one field of a body."""
    return Problem("validation_error", detail, errors=(FieldError(pointer, code, detail),))
