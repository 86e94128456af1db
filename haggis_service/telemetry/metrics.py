"""`/metrics`, for Prometheus: what this machine's processes counted, and what the database tells of all.

Gauges are from the database, so every process of every machine tells the same. Counters of requests are those
of the processes that share PROMETHEUS_MULTIPROC_DIR, or of this process where it is not set.
"""

import os
from collections.abc import Iterator
from typing import Final

from django.db import DatabaseError
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from games.selectors.operation import (
    clock_silence,
    events_written,
    failing_deliveries,
    overdue_deliveries,
    overdue_mails,
    overdue_turns,
    waiting_turns,
)

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST


class DatabaseCollector(Collector):
    """Asked anew each time. Without a database it tells that, and nothing else."""

    def collect(self) -> Iterator[Metric]:
        """Yield each number."""
        try:
            metrics_found = list(_database_metrics())
        except DatabaseError:
            metrics_found = []
        yield GaugeMetricFamily("haggis_database_up", "Whether the database answers", bool(metrics_found))
        yield from metrics_found


def _database_metrics() -> Iterator[Metric]:
    late, waiting = overdue_turns(), waiting_turns()
    yield _gauge("overdue_turns", "Turns whose deadline is over and that wait for the clock", late.count)
    yield _gauge("overdue_oldest_seconds", "How long the oldest of these has waited", late.oldest_seconds)
    yield _gauge("clock_silent_seconds", "How long the clock was not heard of", clock_silence() or 0.0)
    yield _gauge("ai_queue_turns", "Turns that wait for an AI or a standing order", waiting.count)
    yield _gauge("ai_queue_oldest_seconds", "How long the oldest of these has waited", waiting.oldest_seconds)
    deliveries, mails = overdue_deliveries(), overdue_mails()
    yield _gauge("webhooks_overdue", "Webhooks that should have been sent by now", deliveries.count)
    yield _gauge("webhooks_overdue_oldest_seconds", "How long the oldest waits", deliveries.oldest_seconds)
    yield _gauge("webhooks_failing", "Webhooks refused so far and tried again", failing_deliveries())
    yield _gauge("mails_overdue", "Mails that should have been sent by now", mails.count)
    yield _gauge("mails_overdue_oldest_seconds", "How long the oldest waits", mails.oldest_seconds)
    yield CounterMetricFamily(
        "haggis_log_events", "Events written: moves, and whatever else", events_written()
    )


def _gauge(name: str, documentation: str, value: float) -> Metric:
    return GaugeMetricFamily(f"haggis_{name}", documentation, value)


def metrics() -> bytes:
    """Everything, in the text form of Prometheus."""
    registry = CollectorRegistry()
    registry.register(DatabaseCollector())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # comes without types
        return generate_latest(registry)
    return generate_latest(REGISTRY) + generate_latest(registry)
