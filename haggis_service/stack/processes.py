"""The processes of a deployment. A test checks that docker-compose.yml lists the same ones as `make stack`.

Any number of each may run at once, including the scheduler (`beat`): processes hold no state.
"""

from dataclasses import dataclass
from typing import Final

_WORKER: Final = (
    "celery",
    "-A",
    "haggis_service",
    "--quiet",
    "worker",
    "--without-gossip",
    "--without-mingle",
)


@dataclass(frozen=True, slots=True)
class Process:
    """One kind of process. `listens` means that its command takes a host and a port."""

    name: str
    command: tuple[str, ...]
    count: int = 1
    listens: bool = False

    def command_at(self, host: str, port: int) -> list[str]:
        """Return the command with this host and port.

        >>> Process("web", ("serve", "--port", "{port}"), listens=True).command_at("127.0.0.1", 8001)
        ['serve', '--port', '8001']
        """
        return [part.format(host=host, port=port) for part in self.command]


WEB: Final = Process(
    "web",
    (
        *("granian", "--interface", "wsgi", "--host", "{host}", "--port", "{port}"),
        *("--workers", "1", "--blocking-threads", "4", "--backpressure", "64", "--no-ws"),
        *("--respawn-failed-workers", "--log-level", "warning", "haggis_service.wsgi:application"),
    ),
    count=2,
    listens=True,
)
EVENTS: Final = Process(
    "events",
    ("python", "manage.py", "events", "--host", "{host}", "--port", "{port}"),
    listens=True,
)
WORKER: Final = Process("worker", (*_WORKER, "--queues", "default", "--concurrency", "2"))
WORKER_AI: Final = Process("worker-ai", (*_WORKER, "--queues", "ai", "--concurrency", "2"))
# A chunk of an analysis takes half a second, for which a turn must not wait.
WORKER_ANALYSIS: Final = Process("worker-analysis", (*_WORKER, "--queues", "analysis", "--concurrency", "1"))
# Webhooks, mails and push messages have workers of their own, since receivers may be slow.
WORKER_OUTBOX: Final = Process("worker-outbox", (*_WORKER, "--queues", "outbox", "--concurrency", "2"))
# A large record takes seconds. It is replayed in a process that the worker starts.
WORKER_RECORDS: Final = Process("worker-records", (*_WORKER, "--queues", "records", "--concurrency", "1"))
# The files of the data set take minutes, the archives of players seconds.
WORKER_EXPORTS: Final = Process("worker-exports", (*_WORKER, "--queues", "exports", "--concurrency", "1"))
BEAT: Final = Process("beat", ("celery", "-A", "haggis_service", "--quiet", "beat", "--pidfile="))

# The proxy, nginx (deploy/haggis.conf.template), runs beside these.
PROCESSES: Final = (
    WEB,
    EVENTS,
    WORKER,
    WORKER_AI,
    WORKER_ANALYSIS,
    WORKER_OUTBOX,
    WORKER_RECORDS,
    WORKER_EXPORTS,
    BEAT,
)

# Commands that run once before any process starts.
SETUP_COMMANDS: Final = (
    ("python", "manage.py", "migrate", "--no-input"),
    ("python", "manage.py", "collectstatic", "--no-input", "--verbosity", "0"),
)
