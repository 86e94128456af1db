"""Compare the CPU time of one move in several source trees.

Is a change slower than the commit before it?

    git worktree add ../before HEAD~1
    python -m benchmarks.service.trees ../before . --turns 12

Each tree runs in a process that calls its WSGI application with production settings, a PostgreSQL database of
its own and Redis, so no HTTP server is measured. The processes alternate in turns of a few dozen moves in new
matches, and each turn is compared with that of the first tree just before it, so that other load affects all
of them. Name a tree twice to see the noise.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any, Final

import psycopg

MOVES: Final = 40
_RANKS: Final = {code: rank for rank, code in enumerate("23456789TJQK", start=2)}
_HOST: Final = "127.0.0.1"


def main() -> None:
    """Measure the trees in turn, or serve one of them for a parent process."""
    options = _parse_arguments()
    if options.serve:
        _serve()
        return
    with ExitStack() as stack:
        workers = [stack.enter_context(_worker(options.database, tree)) for tree in options.trees]
        cpu_seconds: list[dict[str, list[float]]] = [{} for _ in workers]
        for turn in range(options.turns + options.warm):
            for worker, figures_of_tree in zip(workers, cpu_seconds, strict=True):
                for name, value in _measure(worker, options.moves).items():
                    if turn >= options.warm:
                        figures_of_tree.setdefault(name, []).append(value)
    for tree, figures_of_tree in zip(options.trees, cpu_seconds, strict=True):
        figures = [
            f"{name} {median(each):.0f} ({_median_ratio(each, cpu_seconds[0][name]):.3f} of the first)"
            for name, each in figures_of_tree.items()
        ]
        print(f"{tree}: microseconds of CPU a move: {', '.join(figures)}", flush=True)


def _median_ratio(times: list[float], first: list[float]) -> float:
    """Return the median ratio of turns that followed each other."""
    return median(one / other for one, other in zip(times, first, strict=True))


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("trees", nargs="*", type=Path)
    parser.add_argument("--database", default="postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--warm", type=int, default=3, help="warm-up turns")
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


@contextmanager
def _worker(database: str, tree: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start a process that serves this tree on a fresh database."""
    name = f"haggis_trees_{secrets.token_hex(4)}"
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree.resolve()),
        "PYTHONHASHSEED": "0",
        "DJANGO_SETTINGS_MODULE": "haggis_service.settings.production",
        "HAGGIS_SECRET_KEY": secrets.token_urlsafe(50),
        "HAGGIS_ALLOWED_HOSTS": _HOST,
        "HAGGIS_BEHIND_TLS_PROXY": "1",
        "HAGGIS_REDIS_WITHOUT_PASSWORD": "1",
        "HAGGIS_LOG_LEVEL": "WARNING",
        "DATABASE_URL": f"{database.rpartition('/')[0]}/{name}",
        "REDIS_URL": "redis://127.0.0.1:6379/13",
        **dict.fromkeys(
            ("HAGGIS_LIMIT_PLAYER", "HAGGIS_LIMIT_ADDRESS", "HAGGIS_LIMIT_ACCOUNTS"), "1000000/60"
        ),
    }
    python = sys.executable
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            for command in (["migrate", "--no-input", "-v", "0"], ["collectstatic", "--no-input", "-v", "0"]):
                subprocess.run([python, "manage.py", *command], env=environment, cwd=tree, check=True)  # noqa: S603 -- a fixed command
            with subprocess.Popen(  # noqa: S603 -- a fixed command
                [python, str(Path(__file__).resolve()), "--serve"],
                env=environment,
                cwd=tree,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            ) as process:
                yield process
                process.terminate()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def _measure(worker: "subprocess.Popen[str]", moves: int) -> dict[str, float]:
    if worker.stdin is None or worker.stdout is None:
        raise RuntimeError("The worker has no pipes.")
    worker.stdin.write(f"{moves}\n")
    worker.stdin.flush()
    result: dict[str, float] = json.loads(worker.stdout.readline())
    return result


def _serve() -> None:
    """Make this many moves for each number read, and print the CPU time of a move."""
    sys.path.insert(0, os.environ["PYTHONPATH"])
    from django.db import connection  # noqa: PLC0415 -- imports from the tree

    from haggis_service.wsgi import application  # noqa: PLC0415

    for line in sys.stdin:
        table, moves = _Table(application), int(line)
        for _ in range(10):
            table.move()
        own, server = table.cpu_seconds, _server_seconds(connection)
        for _ in range(moves):
            table.move()
        cpu_seconds = {"web": table.cpu_seconds - own, "PostgreSQL": _server_seconds(connection) - server}
        print(json.dumps({name: 1e6 * seconds / moves for name, seconds in cpu_seconds.items()}), flush=True)


def _server_seconds(connection: Any) -> float:  # noqa: ANN401 -- Django's connection
    """Return the CPU time of this process's PostgreSQL backend."""
    connection.ensure_connection()
    status = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text(encoding="utf-8")
    return int(status.split()[0]) / 1e9


class _Table:
    """A match over WSGI between two players who play singles."""

    def __init__(self, application: Any) -> None:  # noqa: ANN401 -- a WSGI application
        self._application = application
        self.cpu_seconds = 0.0
        self._tokens = ["", ""]
        self._tokens = [self._request_json(seat, "POST", "auth/guest")["token"] for seat in range(2)]
        body = {"ruleset": "classic", "rounds": 100, "turn_seconds": None}
        body["seats"] = [{"kind": "me"}, {"kind": "open"}]
        self._path = f"matches/{self._request_json(0, 'POST', 'matches', body)['id']}"
        self._request_json(1, "POST", f"{self._path}/join", {})
        self._hands: list[set[str]] = [set(), set()]
        self._state: Any = None
        self._read_hands()

    def _request_json(self, seat: int, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 -- JSON
        content = b"" if body is None else json.dumps(body).encode()
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": f"/api/v1/{path}",
            "QUERY_STRING": "",
            "SERVER_NAME": _HOST,
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": _HOST,
            "HTTP_HOST": _HOST,
            "HTTP_X_FORWARDED_PROTO": "https",
            "HTTP_ACCEPT": "*/*",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(content)),
            "wsgi.input": BytesIO(content),
            "wsgi.errors": sys.stderr,
            "wsgi.url_scheme": "http",
            "wsgi.version": (1, 0),
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        if self._tokens[seat]:
            environ["HTTP_AUTHORIZATION"] = f"Bearer {self._tokens[seat]}"
        status: list[str] = []
        started = time.process_time()
        response = self._application(environ, lambda line, _headers: status.append(line))
        content = b"".join(response)
        response.close()
        self.cpu_seconds += time.process_time() - started
        if status[0][:3] not in {"200", "201"}:
            raise RuntimeError(f"{method} {path}: {status} {content[:300]!r}")
        return json.loads(content)

    def _read_hands(self) -> None:
        for seat in range(2):
            self._state = self._request_json(seat, "GET", self._path)
            self._hands[seat] = set(self._state["round"]["hands"][seat]["cards"])

    def move(self) -> None:
        """Play the lowest single that beats the trick, or pass. Only the request of the move counts."""
        seat, number = self._state["round"]["to_act"], self._state["round"]["number"]
        cards_in_trick = [play["cards"][0] for play in self._state["round"]["trick"] if play["cards"]]
        top = max((_RANKS[card[0]] for card in cards_in_trick), default=0)
        higher = [card for card in self._hands[seat] if _RANKS[card[0]] > top]
        body: Any = {"version": self._state["version"], "type": "pass"}
        if higher:
            card = min(higher, key=lambda each: _RANKS[each[0]])
            body |= {"type": "play", "cards": [card]}
            self._hands[seat].discard(card)
        self._state = self._request_json(seat, "POST", f"{self._path}/moves", body)["match"]
        if self._state["round"]["number"] != number:
            cpu_seconds = self.cpu_seconds
            self._read_hands()
            self.cpu_seconds = cpu_seconds


if __name__ == "__main__":
    main()
