"""Define the clauses of the rules, which refusals and answers refer to as their `rule`."""

from enum import StrEnum


class Clause(StrEnum):
    """One clause of the rules: the value is its stable name, `text` is the clause in a sentence."""

    # What a combination is
    SET_ONE_RANK = "set.one_rank"
    RUN_THREE_CARDS = "run.three_cards"
    RUN_ONE_SUIT = "run.one_suit"
    RUN_CONSECUTIVE = "run.consecutive"
    STAIR_SAME_SUITS = "stair.same_suits"
    STAIR_CONSECUTIVE = "stair.consecutive"
    STAIR_SUITS_IN_PLAY = "stair.suits_in_play"
    BOMB_NO_WILDS = "bomb.no_wilds"
    BOMB_ONE_SUIT_OR_FOUR = "bomb.one_suit_or_four"
    FACES_ONLY_WILD = "faces.only_wild"
    COMBINATION_AS_NAMED = "combination.as_named"

    # What beats what
    LEAD_ANYTHING = "lead.anything"
    BEAT_SAME_KIND = "beat.same_kind"
    BEAT_SAME_SIZE = "beat.same_size"
    BEAT_HIGHER_TOP = "beat.higher_top"
    BOMB_BEATS_ALL = "bomb.beats_all"
    BOMB_BEATS_LOWER = "bomb.beats_lower"
    BOMB_ONLY_BY_BOMB = "bomb.only_by_bomb"

    # The course of a round and a match
    LEAD_MUST_PLAY = "lead.must_play"
    TURN_IN_ORDER = "turn.in_order"
    PLAY_OWN_CARDS = "play.own_cards"
    PLAY_ONE_READING = "play.one_reading"
    AWARD_BEFORE_PLAY = "award.before_play"
    AWARD_ONLY_WHEN_DUE = "award.only_when_due"
    AWARD_TO_OPPONENT = "award.to_opponent"
    BET_AMOUNTS = "bet.amounts"
    BET_STANDS = "bet.stands"
    BET_BEFORE_FIRST_PLAY = "bet.before_first_play"
    BET_BEFORE_FIRST_OUT = "bet.before_first_out"
    ROUND_OVER = "round.over"
    ROUND_RUNNING = "round.running"
    MATCH_OVER = "match.over"

    @property
    def text(self) -> str:
        """The clause as a sentence a player can read."""
        return _TEXTS[self]


_TEXTS = {
    Clause.SET_ONE_RANK: "The suit cards of a set are all of one rank.",
    Clause.RUN_THREE_CARDS: "A run has three cards or more.",
    Clause.RUN_ONE_SUIT: "The suit cards of a run are all of one suit.",
    Clause.RUN_CONSECUTIVE: "The ranks of a run follow each other; wild cards may fill the gaps.",
    Clause.STAIR_SAME_SUITS: "Every rank of a stair has the same suits; wild cards may fill in.",
    Clause.STAIR_CONSECUTIVE: "The ranks of a stair follow each other; wild cards may fill the gaps.",
    Clause.STAIR_SUITS_IN_PLAY: "A stair is no wider than there are suits in play.",
    Clause.BOMB_NO_WILDS: "No wild card stands for a 3, 5, 7 or 9 of a bomb.",
    Clause.BOMB_ONE_SUIT_OR_FOUR: "3-5-7-9 is a bomb in one suit or in four suits, not in two or three.",
    Clause.FACES_ONLY_WILD: "Face cards are only wild in runs and stairs, so these never go above ten.",
    Clause.COMBINATION_AS_NAMED: "Cards that are played under a name must form that combination.",
    Clause.LEAD_ANYTHING: "Any combination may be led.",
    Clause.BEAT_SAME_KIND: "Only the same kind of combination, or a bomb, beats a combination.",
    Clause.BEAT_SAME_SIZE: "A combination is beaten by one of the same width and length, or by a bomb.",
    Clause.BEAT_HIGHER_TOP: "A combination is beaten by one of its own shape with a higher top.",
    Clause.BOMB_BEATS_ALL: "A bomb beats every combination that is not a bomb.",
    Clause.BOMB_BEATS_LOWER: "A bomb beats a lower bomb only.",
    Clause.BOMB_ONLY_BY_BOMB: "Only a higher bomb beats a bomb.",
    Clause.LEAD_MUST_PLAY: "The leader of a trick must play.",
    Clause.TURN_IN_ORDER: "Play goes clockwise: each player plays or passes in turn.",
    Clause.PLAY_OWN_CARDS: "Players may only play cards from their own hand.",
    Clause.PLAY_ONE_READING: "Cards that fit several shapes are played as the one the player names.",
    Clause.AWARD_BEFORE_PLAY: "Play waits until the winner of a bombed trick has chosen who captures it.",
    Clause.AWARD_ONLY_WHEN_DUE: "Only the winner of a bombed trick chooses who captures it.",
    Clause.AWARD_TO_OPPONENT: "A trick won by a bomb is captured by an opponent of the winner.",
    Clause.BET_AMOUNTS: "A bet is one of the amounts of the rule set, or 0 for none.",
    Clause.BET_STANDS: "Once made, a bet is final.",
    Clause.BET_BEFORE_FIRST_PLAY: "A bet is made before the bettor's own first play, while the round runs.",
    Clause.BET_BEFORE_FIRST_OUT: "A bet on going out first is made before anybody is out.",
    Clause.ROUND_OVER: "A round is over once all but one player are out.",
    Clause.ROUND_RUNNING: "Hands and haggis stay hidden until the round is over.",
    Clause.MATCH_OVER: "A match is over once its length is reached and one player leads.",
}
