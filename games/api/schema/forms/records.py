"""Records of matches, and what is said of them."""

from games.api.schema.fields import Field, Form, Hexadecimal, Union, enumeration, list_of, mapping_of, only
from games.api.schema.forms.combinations import NamedCombinationForm, card_list
from games.api.schema.forms.lobby import ResultForm
from games.api.schema.forms.log import RoundScoreForm, actor
from games.api.shapes import Flag, Moment, Text, Whole

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
