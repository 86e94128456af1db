"""A program that plays a match of one round in the terminal client, with its keys only."""

import asyncio
import sys

from textual.pilot import Pilot

from examples.online.app import Terminal
from examples.online.seat import Seat

MAX_TURNS = 400


def write_line(word: str) -> None:
    sys.stdout.write(f"{word}\n")


async def play(site: str) -> str:
    terminal = Terminal(Seat.take(site, rounds=1))
    async with terminal.run_test() as pilot:
        for _ in range(MAX_TURNS):
            terminal.poll()
            if terminal.seat.table.status != "active":
                break
            if terminal.seat.my_turn:
                await take_turn(terminal, pilot)
            else:
                await asyncio.sleep(0.1)
        return str(terminal.seat.table.status)


async def take_turn(terminal: Terminal, pilot: Pilot[None]) -> None:
    """Select and play the cards of the first hint, or pass."""
    await pilot.press("h")
    groups = terminal.seat.hints()
    write_line("hinted")
    if not groups:
        await pilot.press("p")
        return
    for code in groups[0].cheapest:
        while terminal.seat.hand[terminal.cursor] != code:
            await pilot.press("right")
        await pilot.press("space")
    write_line("chosen")
    texts = [each.combination.text for each in terminal.readings]
    version = terminal.seat.table.version
    await pilot.press(str(texts.index(groups[0].combination.text) + 1))
    if terminal.seat.table.version > version:
        write_line("played")


if __name__ == "__main__":
    write_line(asyncio.run(play(sys.argv[1])))
