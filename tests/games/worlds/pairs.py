"""Pairs of worlds: one match twice, with other cards wherever somebody who looks at it sees none."""

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
from games.matches.models.log import Round, Snapshot
from games.matches.models.match import Match
from games.matches.store import read_match
from games.notifications.webhooks import create_webhook
from tests.engine.views.worlds import other_world, random_action
from tests.games.worlds.answers import MOMENTS, Answer, compare
from tests.games.worlds.sources import BESIDES, OF_THE_MATCH, Asking, a_part, asked, pages, refusals
from tests.games.worlds.traces import watched
from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match


def told_player() -> Player:
    """Somebody who is told of everything by mail, by push and by webhook."""
    wishes = {way: ["your_turn", "match_end", "reminder"] for way in ("email", "push")}
    player = make_player(email_confirmed=True, notifications=wishes)
    player.email = f"{player.username}@example.org"
    player.save()
    create_webhook(player=player, url="https://bots.example/hook")
    return player


@dataclass(frozen=True)
class World:
    """A match of a pair, with who looks at it, and who may act without any hidden card mattering."""

    pair: int
    match: Match
    seated: list[HttpPlayer]
    viewer: HttpPlayer
    viewer_seat: int | None
    operator: Client

    def state(self) -> RoundState:
        """The running round, every card of it."""
        return read_match(self.match.pk, None).table().state.round

    def version(self) -> int:
        """The version of the table."""
        return read_match(self.match.pk, None).version

    def act(self, seat: int, action: Action) -> Any:
        """Let a seat act, over HTTP like everybody."""
        response = self.seated[seat].act(action_body(action, self.version()))
        assert response.status_code == 201, response.content
        return response

    def looked_at(self) -> dict[str, Answer]:
        """All that the viewer can find out without changing anything, and an operator."""
        told = self._read() | asked(a_part(pages(self.operator, self.viewer), self.pair))
        with transaction.atomic():
            told |= asked(a_part(refusals(self.viewer, self.version()), self.pair))
            transaction.set_rollback(True)
        return told

    def _read(self) -> dict[str, Answer]:
        askings: dict[str, Asking] = {}
        for way in OF_THE_MATCH:
            askings |= way(self.viewer)
        for way in BESIDES:
            askings |= a_part(way(self.viewer), self.pair)
        return asked(askings)

    def after(self, seat: int, action: Action) -> dict[str, Any]:
        """What an action tells the viewer, and what it leaves behind; taken back afterwards."""
        with transaction.atomic():
            with watched(self.match) as traces:
                response = self.act(seat, action)
            assert traces.cards() == set()
            told: dict[str, Any] = {**traces.told(), "entry": response.json()["move"]["cards"]}
            if seat == self.viewer_seat:
                told["answer"] = Answer.of(response)
            told |= self._read()
            transaction.set_rollback(True)
        return told

    def action_that_nothing_hidden_decides(self, rng: Random) -> tuple[int, Action] | None:
        """What the viewer may do, or a pass of whoever is to act: neither depends on a card that differs."""
        state = self.state()
        seat, action = random_action(state, rng)
        if seat == self.viewer_seat:
            return seat, action
        position = state.position
        passes = not position.award_due and position.current != NO_PLAY
        return (position.to_act, Pass()) if passes else None

    def change(self, rng: Random) -> None:
        """Deal every card anew that the viewer has not seen, in all that is stored."""
        change_the_world(self.match, self.viewer_seat, rng)


def change_the_world(match: Match, viewer_seat: int | None, rng: Random) -> None:
    """Deal every card anew that this seat has not seen, in all that is stored."""
    table = read_match(match.pk, None).table()
    other = Table(replace(table.state, round=other_world(table.state.round, viewer_seat, rng)))
    assert view_round(other.state.round, viewer_seat) == view_round(table.state.round, viewer_seat)
    Snapshot.objects.filter(match=match).update(state=Secret(other.dump()))
    Round.objects.filter(match=match, number=table.round_number).update(deal=Secret(other.deal_to_json()))


def make_world(pair: int, rng: Random, operator: Client) -> World:
    """A match of two or of three, somewhere in a round, and somebody who looks at it."""
    people = [told_player() for _ in range(2 + pair % 2)]
    match = start_match(*people, target_score=1000)
    seated = [HttpPlayer.enter(match, player) for player in people]
    viewer_seat = rng.choice([None, *range(len(people))])
    viewer = HttpPlayer.enter(match) if viewer_seat is None else seated[viewer_seat]
    world = World(pair, match, seated, viewer, viewer_seat, operator)
    for _ in range(rng.randrange(12)):
        world.act(*random_action(world.state(), rng))
    return world


def compare_pair(pair: int, seed: int, operator: Client) -> bool:
    """Compare one pair; whether somebody acted in it."""
    rng = Random(f"{seed}/{pair}")
    world = make_world(pair, rng, operator)
    action = world.action_that_nothing_hidden_decides(rng)
    here = world.looked_at()
    after = None if action is None else world.after(*action)
    world.change(rng)
    compare(here, world.looked_at())
    if action is not None and after is not None and not _ends_a_round(after):
        compare(after, world.after(*action), but_for=MOMENTS)
    return after is not None


def _ends_a_round(after: dict[str, Any]) -> bool:
    return any("round_end" in body for _, body in after["webhooks"])
