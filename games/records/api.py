"""Endpoints and schema of records."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, Needs, viewer
from games.api.conditional import conditionally
from games.api.content import CompactJSON
from games.api.idempotency import never_kept
from games.api.schema.fields import (
    Field,
    Form,
    Hexadecimal,
    NamedCombinationForm,
    Union,
    card_list,
    enumeration,
    list_of,
    mapping_of,
    only,
)
from games.api.schema.log import RoundScoreForm, actor
from games.api.schema.operations import HISTORY, OK, Lead, Operation
from games.api.schema.table import ResultForm
from games.api.serializers import Flag, Moment, Shape, Text, Whole
from games.api.views import ApiView
from games.gateway.records import record_text, verify_record
from games.matches.store import read_match
from games.records.queries import record_of

turn_type = enumeration("ActionType", ("play", "pass", "bet", "award"), "What may be done in one's turn.")


class RecordedActionForm(Form):
    """One action of a record."""

    seat = Whole(min_value=0, max_value=2)
    type = turn_type()
    cards = card_list(required=False, help_text="`play`")
    amount = Whole(min_value=0, required=False, help_text="`bet`")
    to = Whole(min_value=0, max_value=2, required=False, help_text="`award`")
    by = actor(required=False)
    at = Moment(required=False)

    def get_fields(self) -> dict[str, Field]:
        """Add `as`, which Python keeps for itself."""
        named = NamedCombinationForm(required=False, help_text="`play`: what the cards were played as.")
        return {**super().get_fields(), "as": named}


class RecordedRoundForm(Form):
    """One round of a record."""

    number = Whole(min_value=1)
    dealer = Whole(min_value=0, max_value=2, allow_null=True)
    leader = Whole(min_value=0, max_value=2)
    link = Hexadecimal(allow_null=True, help_text="The link that the round was dealt from.")
    hands = list_of(card_list(), help_text="As dealt: 17 cards each, J, Q and K included.")
    haggis = card_list(help_text="The cards that nobody was dealt.")
    actions = RecordedActionForm(many=True)
    out = list_of(Whole(), help_text="The seats that went out, in order.")
    scores = RoundScoreForm(many=True, allow_null=True, help_text="Null where the round was cut short.")
    totals = list_of(Whole(), allow_null=True, help_text="The points of each seat after it.")


class RecordForm(Form):
    """The portable record of a match: the rounds that have ended, whole.

    Null is what the record of an imported match does not tell.
    """

    format = only("haggis-record/1")
    match = Text(allow_null=True, help_text="The id of the match.")
    deal_id = Text(allow_null=True, help_text="The id that the deals were made with.")
    ruleset = Text()
    ruleset_version = Text(allow_null=True)
    options = mapping_of(Text())
    players = Whole(min_value=2, max_value=3)
    target_score = Whole(allow_null=True)
    rounds_limit = Whole(allow_null=True)
    seats = list_of(
        Text(allow_blank=True), help_text="The name of each player; `ai:` and the level of an AI."
    )
    anchor = Hexadecimal(allow_null=True)
    client_seeds = list_of(Text(allow_blank=True), allow_null=True, help_text="One for each seat.")
    rounds = RecordedRoundForm(many=True)
    result = ResultForm(allow_null=True, help_text="Null while the match is not finished.")


class RightForm(Form):
    """Everything in the record is as the rules have it."""

    valid = Flag()
    deals = enumeration("Proof", ("proven", "unproven"), "Whether the deals follow from anchor and links.")()


class WrongForm(Form):
    """The first thing that is wrong with a record."""

    valid = Flag()
    where = Text(allow_blank=True, help_text="A JSON pointer into the record.")
    code = Text(help_text="What is wrong: stable, for programs.")
    detail = Text(help_text="The same for people.")


verdict = Union(
    "Verdict",
    {"right": RightForm, "wrong": WrongForm},
    told_by=None,
    meaning="What a replay finds: the record is right, or the first thing that is wrong.",
)


class VerifyShape(Shape):
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
    answers={OK: RecordForm},
    other_forms={"text/plain": {"type": "string", "description": "The same as readable notation."}},
    conditional=True,
    leads=(Lead("verifyRecord", body={"record": "$response.body"}),),
)
VERIFY_RECORD: Final = Operation(
    id="verifyRecord",
    summary="Check a record",
    description=(
        "Replays it, from here or from anywhere, at most 4 MB: the first thing wrong, or that all is right."
    ),
    tag=HISTORY,
    body=VerifyShape,
    answers={OK: verdict},
)

LARGEST_RECORD = 4 * 1024 * 1024


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

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_RECORD}
    renderer_classes = (CompactJSON, Notation)

    def get(self, request: Request, match_id: str) -> Response:
        """Write the rounds that have ended, as JSON or as text."""
        row = read_match(match_id, viewer(request))
        parts = row.id, row.version, row.names
        return conditionally(request, *parts, build=lambda: Response(record_of(row)))


class VerifyView(ApiView):
    """The check of a record, from here or from anywhere."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": VERIFY_RECORD}
    largest_body = LARGEST_RECORD

    @never_kept  # nothing is done
    def post(self, request: Request) -> Response:
        """Replay it."""
        return Response(verify_record(self.read(VerifyShape)["record"]))
