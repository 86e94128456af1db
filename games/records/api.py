"""Endpoints and serializers of match records."""

from collections.abc import Mapping
from typing import IO, Any, ClassVar, Final

from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule, current_player
from games.api.conditional import Caching, conditional_response
from games.api.content import MAX_BODY, CompactJSONRenderer, StrictJSONParser, read_body
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
from games.api.schema.operations import ACCEPTED, HISTORY, OK, Link, Operation
from games.api.schema.table import ResultSerializer
from games.api.serializers import (
    DateTimeField,
    IntegerField,
    RequestSerializer,
    StrictBooleanField,
    StringField,
)
from games.api.views import ApiView
from games.core.addresses import client_address
from games.core.strict_json import parse_json
from games.gateway.records import record_text, verify_record
from games.matches.queries import is_public_and_over
from games.matches.store import read_match
from games.records.queries import build_match_record
from games.records.replays import find_verification, render_verification, request_verification

turn_type = enumeration(
    "ActionType", ("play", "pass", "bet", "award"), "The types of action that a player can take in a turn."
)


class RecordedActionSerializer(ResponseSerializer):
    """One action in a record."""

    seat = IntegerField(min_value=0, max_value=2)
    type = turn_type()
    cards = card_list(required=False, help_text="`play`")
    amount = IntegerField(min_value=0, required=False, help_text="`bet`")
    to = IntegerField(min_value=0, max_value=2, required=False, help_text="`award`")
    by = actor(required=False)
    at = DateTimeField(required=False)

    def get_fields(self) -> dict[str, Field]:
        """Add the field `as`, which is a reserved word in Python."""
        named = NamedCombinationSerializer(
            required=False, help_text="`play`: the combination that was played."
        )
        return {**super().get_fields(), "as": named}


class RecordedRoundSerializer(ResponseSerializer):
    """One round in a record."""

    number = IntegerField(min_value=1)
    dealer = IntegerField(min_value=0, max_value=2, allow_null=True)
    leader = IntegerField(min_value=0, max_value=2)
    link = Hexadecimal(
        allow_null=True, help_text="The link of the seed chain that the deal was derived from."
    )
    hands = list_field(card_list(), help_text="The hands as dealt: 17 cards each, including J, Q and K.")
    haggis = card_list(help_text="The cards that were not dealt.")
    actions = RecordedActionSerializer(many=True)
    out = list_field(IntegerField(), help_text="The seats that went out, in order.")
    scores = RoundScoreSerializer(many=True, allow_null=True, help_text="Null if the round was abandoned.")
    totals = list_field(IntegerField(), allow_null=True, help_text="The points of each seat after the round.")


class RecordSerializer(ResponseSerializer):
    """The portable record of a match, with all rounds that have ended.

    In the record of an imported match, null stands for what its source did not contain.
    """

    format = constant_field("haggis-record/1")
    match = StringField(allow_null=True, help_text="The ID of the match.")
    deal_id = StringField(allow_null=True, help_text="The ID that the deals were derived with.")
    ruleset = StringField()
    ruleset_version = StringField(allow_null=True)
    options = mapping_field(StringField())
    players = IntegerField(min_value=2, max_value=3)
    target_score = IntegerField(allow_null=True)
    rounds_limit = IntegerField(allow_null=True)
    seats = list_field(
        StringField(allow_blank=True), help_text="The username of each player; `ai:` and the level for an AI."
    )
    anchor = Hexadecimal(allow_null=True)
    client_seeds = list_field(
        StringField(allow_blank=True), allow_null=True, help_text="The client seed of each seat."
    )
    rounds = RecordedRoundSerializer(many=True)
    result = ResultSerializer(allow_null=True, help_text="Null until the match is finished.")


class RightSerializer(ResponseSerializer):
    """The verdict on a valid record."""

    valid = StrictBooleanField()
    deals = enumeration(
        "Proof", ("proven", "unproven"), "Whether the anchor and the links prove the deals."
    )()


class WrongSerializer(ResponseSerializer):
    """The verdict on an invalid record: the first error found."""

    valid = StrictBooleanField()
    where = StringField(allow_blank=True, help_text="A JSON pointer into the record.")
    code = StringField(help_text="A stable error code, for programs.")
    detail = StringField(help_text="A description of the error, for people.")


def verdict_field(**options: Any) -> Union:
    """Return a field for the result of a replay."""
    return Union(
        "Verdict",
        {"right": RightSerializer, "wrong": WrongSerializer},
        discriminator=None,
        description="The result of a replay: the record is valid, or the first error found.",
        **options,
    )


verification_status = enumeration(
    "VerificationStatus",
    ("pending", "running", "finished", "failed"),
    "Whether a record waits, is being replayed, has a verdict, or could not be replayed within the limits.",
)


class VerificationSerializer(ResponseSerializer):
    """The verification of a large record."""

    id = StringField(help_text="A secret: it gives access to the verdict.")
    status = verification_status()
    verdict = verdict_field(allow_null=True, help_text="Null until the verification is finished.")
    expires_at = DateTimeField(help_text="When the verification is deleted: an hour after the request.")


class VerifyRequestSerializer(RequestSerializer[Any]):
    """The record to verify."""

    record = serializers.DictField(
        help_text=(
            "A record as returned by `GET /api/v1/matches/{match_id}/record`, or written elsewhere in the "
            "same format."
        )
    )


READ_RECORD: Final = Operation(
    id="readRecord",
    summary="Read the portable record of a match",
    description=(
        "Returns all rounds that have ended. Anybody can replay the record and verify every deal, action and "
        "score."
    ),
    tag=HISTORY,
    answers={OK: RecordSerializer},
    other_media_types={
        "text/plain": {"type": "string", "description": "The same record in readable notation."}
    },
    media_examples={
        "text/plain": lambda recorded: record_text(recorded["readRecord"]["answers"]["200"]),
    },
    conditional=True,
    links=(Link("verifyRecord", body={"record": "$response.body"}),),
)
VERIFY_RECORD: Final = Operation(
    id="verifyRecord",
    summary="Verify a record",
    description=(
        "Replays a record of up to 4 MB, exported here or written elsewhere, and reports that it is valid or "
        "the first error found. The verdict on a body of up to 64 kB is returned at once. A larger one is "
        "stored for a worker: the response is 202 with the verification, and `Location` is the URL to poll. "
        "Then a body that is not a valid request is reported in the verdict, too. A client may have 4 "
        "unfinished verifications, and fewer while others have many (`rate_limited`)."
    ),
    tag=HISTORY,
    body=VerifyRequestSerializer,
    answers={OK: verdict_field(), ACCEPTED: VerificationSerializer},
    location="/api/v1/records/verifications/{id}",
    link_values={"verification_id": "/id"},
)
READ_VERIFICATION: Final = Operation(
    id="readVerification",
    summary="Get the verdict on a large record",
    description="Returns the status of a verification, and its verdict for an hour after the request.",
    tag=HISTORY,
    answers={OK: VerificationSerializer},
)

MAX_RECORD = 4 * 1024 * 1024


class NotationRenderer(BaseRenderer):
    """Renders a record in readable notation."""

    media_type = "text/plain"
    format = "text"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the encoded notation, or nothing if there is no data."""
        return b"" if data is None else record_text(data).encode()


class RecordView(ApiView):
    """The portable record of a match."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_RECORD}
    renderer_classes = (CompactJSONRenderer, NotationRenderer)

    def get(self, request: Request, match_id: str) -> Response:
        """Return the rounds that have ended, as JSON or as text."""
        row = read_match(match_id, current_player(request))
        etag_inputs = row.id, row.version, row.public_names
        # A record names players, whose names change when they delete their accounts.
        caching = Caching.PUBLIC if is_public_and_over(row) else Caching.VIEWER
        return conditional_response(
            request, *etag_inputs, build=lambda: Response(build_match_record(row)), caching=caching
        )


class RecordParser(StrictJSONParser):
    """Parse small bodies, and leave larger ones to a worker."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the parsed body, or the bytes of a body over 64 kB."""
        content = read_body(stream, MAX_RECORD)
        return content if len(content) > MAX_BODY else parse_json(content)


class VerifyView(ApiView):
    """The verification of a record."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": VERIFY_RECORD}
    parser_classes = (RecordParser,)
    largest_body = MAX_RECORD

    @not_idempotent  # a small record changes nothing, and a large one is stored once
    def post(self, request: Request) -> Response:
        """Return the verdict on a small record, or store a large one for a worker."""
        body: object = request.data
        if not isinstance(body, bytes):
            return Response(verify_record(self.validated_body(VerifyRequestSerializer)["record"]))
        # By address only: otherwise a few guests could take all places.
        verification = request_verification(body=body, client=client_address(request))
        return Response(render_verification(verification), status=ACCEPTED)


class VerificationView(ApiView):
    """The verification of a large record."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_VERIFICATION}

    def get(self, request: Request, verification_id: str) -> Response:
        """Return the status and the verdict."""
        return Response(render_verification(find_verification(verification_id)))
