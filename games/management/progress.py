"""One line that shows how far a long command has come; on a terminal it is drawn over itself."""

from typing import Final

from django.core.management.base import OutputWrapper

BAR: Final = 30


class ProgressLine:
    """A bar, counts, and a word on what is known so far."""

    def __init__(self, stream: OutputWrapper, total: int) -> None:
        """Nothing is done yet."""
        self.stream = stream
        self.total = max(1, total)
        self.drawn = -1

    def show(self, done: int, known: str) -> None:
        """Draw it anew where something has moved: on a terminal each percent, elsewhere each tenth."""
        steps = 100 if self.stream.isatty() else 10
        step = steps * done // self.total
        if step == self.drawn:
            return
        self.drawn = step
        filled = min(BAR, BAR * done // self.total)
        bar = "#" * filled + "." * (BAR - filled)
        ending = "" if self.stream.isatty() else "\n"
        self.stream.write(f"\r[{bar}] {done}/{self.total}  {known}", ending=ending)
        self.stream.flush()

    def end(self) -> None:
        """Go on below it."""
        if self.stream.isatty():
            self.stream.write("")
