"""Descriptions of members that mean the same wherever they occur, for fields without a `help_text`."""

from collections.abc import Mapping
from typing import Any, Final

DESCRIPTIONS: Final[Mapping[str, str]] = {
    "actions": "The actions of the round, in order.",
    "anchor": "Link 0 of the hash chain that determines the deals; null if unknown.",
    "at": "When it happened.",
    "captured_by": "The seat that received the cards; null until they are awarded.",
    "cards": "The cards, by code.",
    "combination": "The combination that the cards form; null if no cards are played.",
    "combinations": "The legal plays, grouped by combination.",
    "cost": "The points that the seat lost by its decisions.",
    "costs": "The points that each seat lost by its decisions.",
    "created": "When it was created.",
    "created_at": "When it was created.",
    "current_password": "Your password so far.",
    "curve": "The expected result after each decision.",
    "dealer": "The seat of the dealer; null if the rule set has no dealer.",
    "deadline": "When the time of the seat to act runs out; null without a clock.",
    "decisions": "What each player did, and what the AI would have done.",
    "default": "The value that applies if you omit it.",
    "description": "A note of yours.",
    "email": "The e-mail address of the account.",
    "enabled": "Whether it is in use.",
    "ended_at": "When the round ended; null during the round.",
    "expects": "The action that is expected from the seat to act; null if there is none.",
    "expires_at": "When it stops being valid.",
    "finished_at": "When the match ended; null before.",
    "first_out_bonus": "The points for going out first, if the rule set has them.",
    "fresh_until": "Until when the token counts as freshly authenticated.",
    "hands": "The hand of each seat.",
    "id": "The id, an opaque text.",
    "introduction": "What the lesson is about.",
    "key": "The key, which does not change.",
    "last_trick": "The trick before the current one; null in the first trick of a round.",
    "leader": "The seat that leads the first trick.",
    "match": "The id of the match; null if it concerns none.",
    "may_bet": "Whether you may bet now.",
    "meaning": "What it does.",
    "my_turn": "Whether it is your turn.",
    "name": "A name of your choice.",
    "next_attempt_at": "When the next attempt is due; null if there is none.",
    "number": "The number of the round, from 1.",
    "options": "Every option of the rule set with its value.",
    "password": "The password.",
    "players": "The number of players.",
    "push": "Which events send a push message.",
    "rated": "Whether the match counts for ratings.",
    "readings": "The combinations that the cards can form.",
    "result": "The result; null until the match is finished.",
    "results": "The items.",
    "round": "The number of the round, from 1.",
    "rounds": "The rounds, in order.",
    "rounds_limit": "The number of rounds that ends the match; null if a score ends it.",
    "rulings": "How the rule set decides cases that its text leaves open.",
    "ruleset": "The key of the rule set.",
    "ruleset_version": "The version of the rules.",
    "scopes": "What the token may do.",
    "seat": "The number of the seat, from 0.",
    "seats": "The seats, in order.",
    "started_at": "When the match started; null before.",
    "stopped_at": "When deliveries were stopped; null while they are active.",
    "stopped_because": "Why deliveries were stopped; null while they are active.",
    "suggested_targets": "Scores that make a match of a usual length.",
    "summary": "The rule set in a few sentences.",
    "target_score": "The score that ends the match; null if a number of rounds does.",
    "text": "The sentence.",
    "title": "The name that people read.",
    "to_act": "The seat whose turn it is; null if there is none.",
    "token": "The token.",
    "until": "When it ends.",
    "url": "The URL that receives the events.",
    "username": "The username.",
    "valid": "Whether the record is valid.",
    "version": "The version of the table.",
    "winner": "The seat that won the trick.",
}


def describe(members: dict[str, Any]) -> None:
    """Add descriptions to the members of a schema that have none; a reference has that of its target."""
    for name, schema in members.items():
        if "description" in schema or "$ref" in schema:
            continue
        values = schema.get("enum", ())
        if len(values) == 1:
            schema["description"] = f"Always `{values[0]}`."
        elif name in DESCRIPTIONS:
            schema["description"] = DESCRIPTIONS[name]
