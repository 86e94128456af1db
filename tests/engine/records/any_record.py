"""Hypothesis strategies for readable records, valid or not."""

from hypothesis import strategies as st

from engine.cards.card import FACE_CARDS, SUIT_CARDS, Card
from engine.cards.deck import HAND_CARDS, haggis_size
from engine.combinations.ambiguity import UNNAMED, Named
from engine.combinations.kinds import COMBINATIONS, Kind
from engine.records.record import By, Ending, Record, RecordedAction, RecordedResult, RecordedRound
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.scoring.sheet import SeatScore

CARDS = SUIT_CARDS + FACE_CARDS
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=64)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
POINTS = st.integers(-1_000_000, 1_000_000)
AGREED = st.none() | st.integers(0, 1_000_000)
TIMES = st.datetimes().map(lambda time: time.strftime("%Y").zfill(4) + time.strftime("-%m-%dT%H:%M:%S.%fZ"))
SIZES = st.none() | st.integers(0, 100) | st.integers(0, 4)
NAMES = (
    st.just(UNNAMED)
    | st.builds(Named, st.none() | st.sampled_from(Kind), st.none() | st.integers(0, 100), SIZES, SIZES)
    | st.sampled_from(COMBINATIONS).map(lambda made: Named(made.kind, made.top, made.width, made.length))
)


def cards(fewest: int, most: int) -> st.SearchStrategy[tuple[Card, ...]]:
    return st.lists(st.sampled_from(CARDS), min_size=fewest, max_size=most, unique=True).map(tuple)


def each_seat(players: int, strategy: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.tuples(*[strategy] * players)


def actions(players: int) -> st.SearchStrategy[Action]:
    plays: st.SearchStrategy[Action] = st.builds(Play, cards(1, HAND_CARDS) | cards(1, 4), NAMES)
    bets: st.SearchStrategy[Action] = st.builds(Bet, st.integers(0, 1_000_000))
    awards: st.SearchStrategy[Action] = st.builds(Award, st.integers(0, players - 1))
    return plays | st.just(Pass()) | bets | awards


def rounds(players: int) -> st.SearchStrategy[RecordedRound]:
    seats = st.integers(0, players - 1)
    recorded = st.builds(
        RecordedAction, seats, actions(players), st.none() | st.sampled_from(By), st.none() | TIMES
    )
    scores = st.builds(
        SeatScore,
        seat=seats,
        going_out=POINTS,
        first_out_bonus=POINTS,
        captured=POINTS,
        bets=POINTS,
        total=POINTS,
    )
    return st.builds(
        RecordedRound,
        number=st.integers(1, 512),
        dealer=st.none() | seats,
        leader=seats,
        link=st.none() | HASHES,
        hands=each_seat(players, cards(HAND_CARDS, HAND_CARDS)),
        haggis=cards(haggis_size(players), haggis_size(players)),
        actions=st.lists(recorded, max_size=12).map(tuple),
        out=st.lists(seats, unique=True).map(tuple),
        scores=st.none() | each_seat(players, scores),
        totals=st.none() | each_seat(players, POINTS),
    )


def records(players: int) -> st.SearchStrategy[Record]:
    seats = st.integers(0, players - 1)
    results = st.builds(
        RecordedResult,
        winners=st.lists(seats, unique=True).map(tuple),
        scores=each_seat(players, POINTS),
        reason=st.sampled_from(Ending),
    )
    return st.builds(
        Record,
        match=st.none() | TEXTS,
        deal_id=st.none() | TEXTS,
        ruleset=TEXTS,
        ruleset_version=st.none() | TEXTS,
        options=st.dictionaries(TEXTS, TEXTS, max_size=3).map(lambda options: tuple(options.items())),
        players=st.just(players),
        target_score=AGREED,
        rounds_limit=AGREED,
        seats=each_seat(players, TEXTS),
        anchor=st.none() | HASHES,
        client_seeds=st.none() | each_seat(players, TEXTS),
        rounds=st.lists(rounds(players), max_size=2).map(tuple),
        result=st.none() | results,
    )


ANY_RECORD = st.sampled_from((2, 3)).flatmap(records)
