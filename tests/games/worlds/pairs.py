"""Pairs of worlds: the same match twice, with different cards wherever the viewer cannot see them."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from django.db import transaction
from django.test import Client

from engine.combinations.plays import NO_PLAY
from engine.rounds.actions import Action, Pass
from engine.rounds.state import RoundState
from engine.views.round_view import view_round
from games.core.secrets import Secret
from games.gateway.table import Table
from games.gateway.views import action_body
from games.identity.models import Player
from games.matches.models.log import SUBSCRIBABLE_TYPES, Round, Snapshot
from games.matches.models.match import Match
from games.matches.store import read_match
from games.notifications.webhooks import create_webhook
from games.operators.queries import matches_by_status, sign_ups_by_day
from tests.engine.views.worlds import other_world, random_action
from tests.games.worlds.answers import TIMESTAMPS, Answer, compare
from tests.games.worlds.sources import (
    MATCH_SOURCES,
    OTHER_SOURCES,
    Request,
    pages,
    refusals,
    requests_of_pair,
    send_all,
)
from tests.games.worlds.traces import record_traces
from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match


def make_player_on_every_channel() -> Player:
    """Create a player who is notified by mail, push and webhook."""
    preferences = {way: ["your_turn", "match_end", "reminder"] for way in ("email", "push")}
    player = make_player(email_confirmed=True, notifications=preferences)
    player.email = f"{player.username}@example.org"
    player.save()
    create_webhook(player=player, url="https://bots.example/hook")
    create_webhook(player=player, url="https://bots.example/hook", types=SUBSCRIBABLE_TYPES)
    create_webhook(
        player=player, url="https://bots.example/hook", types=["your_turn", "match_end"], format="discord"
    )
    return player


@dataclass(frozen=True)
class World:
    """A match of a pair, with its players, its viewer and an operator."""

    pair: int
    match: Match
    seated: list[HttpPlayer]
    viewer: HttpPlayer
    viewer_seat: int | None
    operator: Client

    def state(self) -> RoundState:
        """Return the running round with all its cards."""
        return read_match(self.match.pk, None).table().state.round

    def version(self) -> int:
        """Return the version of the table."""
        return read_match(self.match.pk, None).version

    def act(self, seat: int, action: Action) -> Any:
        """Act for a seat over HTTP."""
        response = self.seated[seat].act(action_body(action, self.version()))
        assert response.status_code == 201, response.content
        return response

    def observe(self) -> dict[str, Answer]:
        """Return all responses to the viewer and the operator, without changing anything."""
        matches_by_status.clear()  # the counts of the admin, which are cached for some seconds
        sign_ups_by_day.clear()
        answers = self._read() | send_all(requests_of_pair(pages(self.operator, self.viewer), self.pair))
        with transaction.atomic():
            answers |= send_all(requests_of_pair(refusals(self.viewer, self.version()), self.pair))
            transaction.set_rollback(True)
        return answers

    def _read(self) -> dict[str, Answer]:
        requests: dict[str, Request] = {}
        for source in MATCH_SOURCES:
            requests |= source(self.viewer)
        for source in OTHER_SOURCES:
            requests |= requests_of_pair(source(self.viewer), self.pair)
        return send_all(requests)

    def after(self, seat: int, action: Action) -> dict[str, Any]:
        """Return what the viewer sees after an action, and the traces of the action; then roll back."""
        with transaction.atomic():
            with record_traces(self.match) as traces:
                response = self.act(seat, action)
            assert traces.cards() == set()
            observations: dict[str, Any] = {
                **traces.observations(),
                "entry": response.json()["move"]["cards"],
            }
            if seat == self.viewer_seat:
                observations["answer"] = Answer.of(response)
            observations |= self._read()
            transaction.set_rollback(True)
        return observations

    def choose_action_independent_of_hidden_cards(self, rng: Random) -> tuple[int, Action] | None:
        """Return an action of the viewer, or a pass of the seat to act: neither depends on hidden cards."""
        state = self.state()
        seat, action = random_action(state, rng)
        if seat == self.viewer_seat:
            return seat, action
        position = state.position
        passes = not position.award_due and position.current != NO_PLAY
        return (position.to_act, Pass()) if passes else None

    def change(self, rng: Random) -> None:
        """Deal the stored cards that the viewer has not seen again."""
        redeal_hidden_cards(self.match, self.viewer_seat, rng)


def redeal_hidden_cards(match: Match, viewer_seat: int | None, rng: Random) -> None:
    """Deal the stored cards that this seat has not seen again."""
    table = read_match(match.pk, None).table()
    other = Table(replace(table.state, round=other_world(table.state.round, viewer_seat, rng)))
    assert view_round(other.state.round, viewer_seat) == view_round(table.state.round, viewer_seat)
    Snapshot.objects.filter(match=match).update(state=Secret(other.dump()))
    Round.objects.filter(match=match, number=table.round_number).update(deal=Secret(other.deal_to_json()))


def make_world(pair: int, rng: Random, operator: Client) -> World:
    """Create a match of two or three players in the middle of a round, and a viewer."""
    people = [make_player_on_every_channel() for _ in range(2 + pair % 2)]
    match = start_match(*people, target_score=1000)
    seated = [HttpPlayer.log_in(match, player) for player in people]
    viewer_seat = rng.choice([None, *range(len(people))])
    viewer = HttpPlayer.log_in(match) if viewer_seat is None else seated[viewer_seat]
    world = World(pair, match, seated, viewer, viewer_seat, operator)
    for _ in range(rng.randrange(12)):
        world.act(*random_action(world.state(), rng))
    return world


def compare_pair(pair: int, seed: int, operator: Client) -> bool:
    """Compare one pair of worlds, and return whether a seat acted."""
    rng = Random(f"{seed}/{pair}")
    world = make_world(pair, rng, operator)
    action = world.choose_action_independent_of_hidden_cards(rng)
    first = world.observe()
    after = None if action is None else world.after(*action)
    world.change(rng)
    compare(first, world.observe())
    if action is not None and after is not None and not _ends_a_round(after):
        compare(after, world.after(*action), ignored=TIMESTAMPS)
    return after is not None


def _ends_a_round(after: dict[str, Any]) -> bool:
    return any("round_end" in body for _, body in after["webhooks"])
