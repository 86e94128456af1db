"""Response schemas of the statistics."""

from rest_framework import serializers

from games.api.schema.fields import ResponseSerializer, list_field
from games.api.serializers import IntegerField
from games.statistics.tallies import BOMB_LEVELS


def _count(help_text: str) -> IntegerField:
    return IntegerField(min_value=0, help_text=help_text)


class MatchCountsSerializer(ResponseSerializer):
    """Matches of the player that have ended."""

    played = _count("Matches played.")
    won = _count("Matches won, alone or tied.")
    abandoned = _count("Matches that the player resigned, forfeited, or left to a caretaker at the end.")


class RoundCountsSerializer(ResponseSerializer):
    """Scored rounds that the player played to their end."""

    played = _count("Rounds played.")
    out_first = _count("Rounds in which the player went out first.")
    margin = serializers.FloatField(
        help_text="Points of all these rounds together, less those of the opponents; with two opponents, "
        "less their mean."
    )


class BetCountsSerializer(ResponseSerializer):
    """Bets in these rounds."""

    made = _count("Bets of more than 0.")
    won = _count("Bets that succeeded.")
    points = _count("Points for bets on the score sheet: own bets won, and bets that opponents lost.")


class BombCountsSerializer(ResponseSerializer):
    """Bombs that the player played."""

    played = _count("All bombs.")
    by_level = list_field(
        _count("Bombs of one level."),
        min_length=BOMB_LEVELS,
        max_length=BOMB_LEVELS,
        help_text="Bombs of each level, the lowest first.",
    )


class StreaksSerializer(ResponseSerializer):
    """Matches won in a row."""

    current = _count("Matches won since the last one that was not.")
    best = _count("The longest streak so far.")


class LongestCombinationsSerializer(ResponseSerializer):
    """The lengths, in ranks, of the longest combinations that the player played."""

    run = _count("Ranks of the longest run; 0 without one.")
    stair = _count("Ranks of the longest stair; 0 without one.")


class StatisticsSerializer(ResponseSerializer):
    """The statistics of a player."""

    matches = MatchCountsSerializer()
    rounds = RoundCountsSerializer()
    bets = BetCountsSerializer()
    bombs = BombCountsSerializer()
    streak = StreaksSerializer()
    longest = LongestCombinationsSerializer()
