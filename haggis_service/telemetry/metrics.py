"""Prometheus metrics of `/metrics`.

Gauges are read from the database, so every process of every machine reports the same values. Request counters
are those of the processes that share PROMETHEUS_MULTIPROC_DIR, or of this process if it is not set.
"""

import os
from collections.abc import Iterator
from math import inf
from typing import Final

from django.db import DatabaseError
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from games.operators.queries import (
    events_written,
    failing_deliveries,
    failing_mails,
    overdue_deliveries,
    overdue_mails,
    overdue_turns,
    seconds_since_heartbeat,
    unfinished_verifications,
    waiting_analyses,
    waiting_turns,
    waiting_turns_between_ais,
)

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST


class DatabaseCollector(Collector):
    """Collects metrics from the database on each scrape; without a database, only that it is down."""

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        try:
            metrics_found = list(_database_metrics())
        except DatabaseError:
            metrics_found = []
        yield GaugeMetricFamily(
            "haggis_database_up", "Whether the database is available", bool(metrics_found)
        )
        yield from metrics_found


def _database_metrics() -> Iterator[Metric]:
    late, waiting = overdue_turns(), waiting_turns()
    yield _gauge("overdue_turns", "Turns past their deadline that the sweep has not handled", late.count)
    yield _gauge("overdue_oldest_seconds", "Age of the oldest overdue turn", late.oldest_seconds)
    silence = seconds_since_heartbeat()
    yield _gauge(
        "clock_silent_seconds",
        "Time since the last run of the sweep, infinite before the first",
        inf if silence is None else silence,
    )
    yield _gauge(
        "ai_queue_turns", "Turns waiting for an AI or a standing order in matches with people", waiting.count
    )
    yield _gauge("ai_queue_oldest_seconds", "Age of the oldest waiting turn", waiting.oldest_seconds)
    between_ais, analyses = waiting_turns_between_ais(), waiting_analyses()
    yield _gauge("ai_only_queue_turns", "Turns waiting in matches between AIs only", between_ais.count)
    yield _gauge(
        "ai_only_queue_oldest_seconds",
        "Age of the oldest waiting turn in matches between AIs only",
        between_ais.oldest_seconds,
    )
    yield _gauge("analyses_waiting", "Requested analyses that have not begun", analyses.count)
    yield _gauge(
        "analyses_waiting_oldest_seconds",
        "Age of the oldest requested analysis that has not begun",
        analyses.oldest_seconds,
    )
    verifications = unfinished_verifications()
    yield _gauge("verifications_unfinished", "Unfinished verifications of records", verifications.count)
    yield _gauge(
        "verifications_unfinished_oldest_seconds",
        "Age of the oldest unfinished verification of a record",
        verifications.oldest_seconds,
    )
    deliveries, mails = overdue_deliveries(), overdue_mails()
    yield _gauge("webhooks_overdue", "Overdue webhook deliveries", deliveries.count)
    yield _gauge(
        "webhooks_overdue_oldest_seconds",
        "Age of the oldest overdue webhook delivery",
        deliveries.oldest_seconds,
    )
    yield _gauge(
        "webhooks_failing", "Webhook deliveries that failed and will be retried", failing_deliveries()
    )
    yield _gauge("mails_overdue", "Overdue mails", mails.count)
    yield _gauge("mails_overdue_oldest_seconds", "Age of the oldest overdue mail", mails.oldest_seconds)
    yield _gauge("mails_failing", "Mails that failed and will be retried", failing_mails())
    yield CounterMetricFamily(
        "haggis_log_events", "Log entries written: moves and other events", events_written()
    )


def _gauge(name: str, documentation: str, value: float) -> Metric:
    return GaugeMetricFamily(f"haggis_{name}", documentation, value)


def metrics() -> bytes:
    """Return all metrics in the text format of Prometheus."""
    registry = CollectorRegistry()
    registry.register(DatabaseCollector())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # untyped
        return generate_latest(registry)
    return generate_latest(REGISTRY) + generate_latest(registry)
