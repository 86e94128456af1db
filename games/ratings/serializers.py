"""Response schemas of the ratings."""

from rest_framework import serializers

from games.api.schema.fields import ResponseSerializer
from games.api.serializers import IntegerField, StrictBooleanField, StringField


class SkillSerializer(ResponseSerializer):
    """The skill of a player: points a round over the field."""

    points = serializers.FloatField(help_text="Points a round, less the mean of the settled players.")
    interval = serializers.FloatField(help_text="Half of the 95 % interval.")
    rounds = IntegerField(min_value=0, help_text="The scored rounds that it is based on.")


class RatingSerializer(ResponseSerializer):
    """The rating of a player in a pool: a rule set and a number of players."""

    pool = StringField(help_text="The name of the pool, such as `classic-2`.")
    ruleset = StringField(help_text="The key of the rule set.")
    players = IntegerField(min_value=2, max_value=3)
    rating = IntegerField(help_text="The rating; a newcomer has 1500.")
    deviation = IntegerField(
        min_value=0, max_value=500, help_text="Its standard deviation, which grows while the player is away."
    )
    provisional = StrictBooleanField(help_text="Whether the deviation is above 250.")
    matches = IntegerField(min_value=1, help_text="The rated matches of the player in the pool.")
    rank = IntegerField(
        min_value=1,
        allow_null=True,
        help_text="The rank among the players whose rating is not provisional, who had 10 different "
        "opponents and a match in the last 90 days; null for others.",
    )
    skill = SkillSerializer()
