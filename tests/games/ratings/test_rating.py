"""Ratings by place, and skill in points a round, against the formulas that they are defined by."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ratings.pools import Pool
from games.ratings.rating import BETA, SIGMA, TAU, Rating, rate
from games.ratings.skill import Skill, update_skills

VECTOR: list[dict[str, Any]] = json.loads(Path(__file__).with_name("vector.json").read_text(encoding="utf-8"))

ratings = st.builds(Rating, st.floats(-20, 70), st.floats(0.5, SIGMA))
skills = st.builds(Skill, st.floats(-60, 60), st.floats(1, 400), st.integers(0, 1000))


def weng_lin(before: list[Rating], places: list[int]) -> list[Rating]:
    """Update ratings by algorithm 4 of Weng and Lin (2011), with a gamma of 1."""
    variances = [each.sigma**2 + TAU**2 for each in before]
    c = math.sqrt(sum(variance + BETA**2 for variance in variances))
    strengths = [math.exp(each.mu / c) for each in before]
    after = []
    for i, own in enumerate(places):
        omega = delta = 0.0
        for q, other in enumerate(places):
            if other <= own:
                not_before = sum(strengths[s] for s, place in enumerate(places) if place >= other)
                share = strengths[i] / not_before
                omega += ((i == q) - share) / places.count(other)
                delta += share * (1 - share) / places.count(other)
        shrink = max(1 - variances[i] / c**2 * delta, 0.0001)
        after.append(Rating(before[i].mu + variances[i] / c * omega, math.sqrt(variances[i] * shrink)))
    return after


def condition(before: list[Skill], totals: list[int], rounds: int) -> list[tuple[float, float]]:
    """Condition the joint normal distribution on the means, with a common level of unbounded variance."""
    players = len(before)
    prior = np.diag([each.variance for each in before])
    noise = (44.0, 38.0)[players - 2] ** 2 / rounds
    observed = prior + noise * np.eye(players) + 1e9 * np.ones((players, players))
    gain = prior @ np.linalg.inv(observed)
    means = np.array([each.mean for each in before])
    after = means + gain @ (np.array(totals) / rounds - means)
    variances = np.diag(prior - gain @ prior)
    return list(zip(after.tolist(), variances.tolist(), strict=True))


def test_twenty_matches_give_the_published_numbers() -> None:
    known: dict[str, tuple[float, Rating, Skill]] = {}
    for match in VECTOR:
        before = [known.get(name, (match["day"], Rating(), Skill())) for name in match["players"]]
        days = [match["day"] - day for day, _, _ in before]
        rated = rate([r.after_days(d) for d, (_, r, _) in zip(days, before, strict=True)], match["places"])
        updated = update_skills(
            [s.after_days(d) for d, (_, _, s) in zip(days, before, strict=True)],
            match["totals"],
            match["rounds"],
        )
        for name, rating, skill, after in zip(match["players"], rated, updated, match["after"], strict=True):
            assert (rating.rating, rating.deviation, skill.rounds) == (
                after["rating"], after["deviation"], after["rounds"],
            )  # fmt: skip
            assert (*rating, skill.mean, skill.variance) == pytest.approx(
                (after["mu"], after["sigma"], after["mean"], after["variance"]), abs=1e-6
            )
            known[name] = match["day"], rating, skill
    assert len(VECTOR) == 20
    assert {len(match["players"]) for match in VECTOR} == {2, 3}


@given(st.lists(st.tuples(ratings, st.integers(1, 3)), min_size=2, max_size=3))
def test_ratings_follow_the_model_for_any_places(seats: list[tuple[Rating, int]]) -> None:
    before = [rating for rating, _ in seats]
    places = [1 + sum(other < own for _, other in seats) for _, own in seats]
    for found, expected in zip(rate(before, places), weng_lin(before, places), strict=True):
        assert found == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.tuples(skills, st.integers(-50, 600)), min_size=2, max_size=3), st.integers(1, 60))
def test_skills_are_the_distribution_given_the_means(seats: list[tuple[Skill, int]], rounds: int) -> None:
    before = [skill for skill, _ in seats]
    totals = [total for _, total in seats]
    updated = update_skills(before, totals, rounds)
    for found, expected in zip(updated, condition(before, totals, rounds), strict=True):
        assert (found.mean, found.variance) == pytest.approx(expected, abs=1e-3)


@given(st.lists(ratings, min_size=2, max_size=3))
def test_only_the_order_of_places_counts(before: list[Rating]) -> None:
    places = list(range(1, len(before) + 1))
    assert rate(before, places) == rate(before, [10 * place for place in places])


def test_a_match_without_scored_rounds_changes_no_skill() -> None:
    before = [Skill(1.0, 100.0, 30), Skill(-2.0, 90.0, 12)]
    assert update_skills(before, [0, 0], 0) == before


def test_a_newcomer_has_1500_and_500_and_is_provisional() -> None:
    newcomer = Rating()
    assert (newcomer.rating, newcomer.deviation, newcomer.provisional) == (1500, 500, True)
    assert newcomer.days_until_provisional() == 0


@given(st.floats(0.5, SIGMA), st.floats(0, 5000))
def test_time_away_adds_to_the_deviation_up_to_500(sigma: float, days: float) -> None:
    later = Rating(31.0, sigma).after_days(days)
    assert later.mu == 31.0
    assert (60 * later.sigma) ** 2 == pytest.approx(min((60 * sigma) ** 2 + 40 * days, 500**2))


def test_a_rating_becomes_provisional_when_it_says_so() -> None:
    rating = Rating(25.0, 2.0)
    days = rating.days_until_provisional()
    assert not rating.after_days(days - 1).provisional
    assert rating.after_days(days + 1).provisional


def test_a_clock_that_went_back_changes_nothing() -> None:
    assert Rating(25.0, 2.0).after_days(-3.0) == Rating(25.0, 2.0)
    assert Skill().after_days(-3.0) == Skill()


@pytest.mark.parametrize("name", ("classic", "classic-4", "classic-", "-2", "poker-2", "classic-02"))
def test_an_unknown_pool_has_no_name(name: str) -> None:
    assert Pool.parse(name, kind="human") is None


def test_guests_have_no_pool() -> None:
    assert Pool.parse("classic-2", kind="guest") is None
