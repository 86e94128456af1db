"""Endpoints and schema of records."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule, current_player
from games.api.conditional import conditional_response
from games.api.content import CompactJSONRenderer
from games.api.idempotency import not_idempotent
from games.api.schema.fields import (
    Field,
    Hexadecimal,
    NamedCombinationSerializer,
    ResponseSerializer,
    Union,
    card_list,
    constant_field,
    enumeration,
    list_field,
    mapping_field,
)
from games.api.schema.log import RoundScoreSerializer, actor
from games.api.schema.operations import HISTORY, OK, Link, Operation
from games.api.schema.table import ResultSerializer
from games.api.serializers import (
    DateTimeField,
    IntegerField,
    RequestSerializer,
    StrictBooleanField,
    StringField,
)
from games.api.views import ApiView
from games.gateway.records import record_text, verify_record
from games.matches.store import read_match
from games.records.queries import build_match_record

turn_type = enumeration("ActionType", ("play", "pass", "bet", "award"), "What may be done in one's turn.")


class RecordedActionSerializer(ResponseSerializer):
    """One action of a record."""

    seat = IntegerField(min_value=0, max_value=2)
    type = turn_type()
    cards = card_list(required=False, help_text="`play`")
    amount = IntegerField(min_value=0, required=False, help_text="`bet`")
    to = IntegerField(min_value=0, max_value=2, required=False, help_text="`award`")
    by = actor(required=False)
    at = DateTimeField(required=False)

    def get_fields(self) -> dict[str, Field]:
        """Add `as`, which Python keeps for itself."""
        named = NamedCombinationSerializer(required=False, help_text="`play`: what the cards were played as.")
        return {**super().get_fields(), "as": named}


class RecordedRoundSerializer(ResponseSerializer):
    """One round of a record."""

    number = IntegerField(min_value=1)
    dealer = IntegerField(min_value=0, max_value=2, allow_null=True)
    leader = IntegerField(min_value=0, max_value=2)
    link = Hexadecimal(allow_null=True, help_text="The link that the round was dealt from.")
    hands = list_field(card_list(), help_text="As dealt: 17 cards each, J, Q and K included.")
    haggis = card_list(help_text="The cards that nobody was dealt.")
    actions = RecordedActionSerializer(many=True)
    out = list_field(IntegerField(), help_text="The seats that went out, in order.")
    scores = RoundScoreSerializer(many=True, allow_null=True, help_text="Null where the round was cut short.")
    totals = list_field(IntegerField(), allow_null=True, help_text="The points of each seat after it.")


class RecordSerializer(ResponseSerializer):
    """The portable record of a match: the rounds that have ended, whole.

    Null is what the record of an imported match does not tell.
    """

    format = constant_field("haggis-record/1")
    match = StringField(allow_null=True, help_text="The id of the match.")
    deal_id = StringField(allow_null=True, help_text="The id that the deals were made with.")
    ruleset = StringField()
    ruleset_version = StringField(allow_null=True)
    options = mapping_field(StringField())
    players = IntegerField(min_value=2, max_value=3)
    target_score = IntegerField(allow_null=True)
    rounds_limit = IntegerField(allow_null=True)
    seats = list_field(
        StringField(allow_blank=True), help_text="The name of each player; `ai:` and the level of an AI."
    )
    anchor = Hexadecimal(allow_null=True)
    client_seeds = list_field(StringField(allow_blank=True), allow_null=True, help_text="One for each seat.")
    rounds = RecordedRoundSerializer(many=True)
    result = ResultSerializer(allow_null=True, help_text="Null while the match is not finished.")


class RightSerializer(ResponseSerializer):
    """Everything in the record is as the rules have it."""

    valid = StrictBooleanField()
    deals = enumeration("Proof", ("proven", "unproven"), "Whether the deals follow from anchor and links.")()


class WrongSerializer(ResponseSerializer):
    """The first thing that is wrong with a record."""

    valid = StrictBooleanField()
    where = StringField(allow_blank=True, help_text="A JSON pointer into the record.")
    code = StringField(help_text="What is wrong: stable, for programs.")
    detail = StringField(help_text="The same for people.")


verdict = Union(
    "Verdict",
    {"right": RightSerializer, "wrong": WrongSerializer},
    told_by=None,
    meaning="What a replay finds: the record is right, or the first thing that is wrong.",
)


class VerifyRequestSerializer(RequestSerializer):
    """A record to be checked."""

    record = serializers.DictField(
        help_text="As `GET /api/v1/matches/{match_id}/record` gives it, or made elsewhere by the same form."
    )


READ_RECORD: Final = Operation(
    id="readRecord",
    summary="The portable record of a match",
    description=(
        "The rounds that have ended, whole. Anybody can replay it and check every deal, action and score."
    ),
    tag=HISTORY,
    answers={OK: RecordSerializer},
    other_forms={"text/plain": {"type": "string", "description": "The same as readable notation."}},
    conditional=True,
    leads=(Link("verifyRecord", body={"record": "$response.body"}),),
)
VERIFY_RECORD: Final = Operation(
    id="verifyRecord",
    summary="Check a record",
    description=(
        "Replays it, from here or from anywhere, at most 4 MB: the first thing wrong, or that all is right."
    ),
    tag=HISTORY,
    body=VerifyRequestSerializer,
    answers={OK: verdict},
)

MAX_RECORD = 4 * 1024 * 1024


class Notation(BaseRenderer):
    """The record as people read it."""

    media_type = "text/plain"
    format = "text"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Write the notation; nothing where there is nothing."""
        return b"" if data is None else record_text(data).encode()


class RecordView(ApiView):
    """The portable record of a match."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_RECORD}
    renderer_classes = (CompactJSONRenderer, Notation)

    def get(self, request: Request, match_id: str) -> Response:
        """Write the rounds that have ended, as JSON or as text."""
        row = read_match(match_id, current_player(request))
        parts = row.id, row.version, row.public_names
        return conditional_response(request, *parts, build=lambda: Response(build_match_record(row)))


class VerifyView(ApiView):
    """The check of a record, from here or from anywhere."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": VERIFY_RECORD}
    largest_body = MAX_RECORD

    @not_idempotent  # nothing is done
    def post(self, request: Request) -> Response:
        """Replay it."""
        return Response(verify_record(self.read(VerifyRequestSerializer)["record"]))
