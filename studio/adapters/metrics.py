"""The studio's metrics, for Prometheus, in a registry that is passed in.

Every name begins with ``studio_``; what each means is its help text. Only counts and times: no card, no player.
Those of the devices are in :mod:`studio.adapters.device_metrics`.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_NS_PER_SECOND: Final = 1_000_000_000
_LATENCY_SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
_PHASE_SECONDS: Final = (0.5, 1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 300, 900)


class StudioMetrics:
    """The metric objects; whoever observes something calls them directly."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(name, text, labels, namespace="studio", registry=registry)

        def histogram(name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
            return Histogram(name, text, labels, namespace="studio", buckets=buckets, registry=registry)

        self.cards = counter(
            "cards_total", "Readings by table, card source and outcome (dealt, burned, held, unread …)",
            "table", "source", "outcome",
        )  # fmt: skip
        self.rounds = counter("rounds_total", "Rounds by table and end (settled, voided)", "table", "end")
        self.warnings = counter(
            "warnings_total", "Incidents opened as warnings, by table and anomaly", "table", "kind"
        )
        self.witnessed = counter(
            "witnessed_total",
            "Cards by what the second witness made of them, by table, witness and verdict",
            "table",
            "witness",
            "verdict",
        )
        self.wrong_source = counter(
            "wrong_source_total", "Readings found wrong when reader and witness disagreed", "table", "source"
        )
        self.holds = counter("holds_total", "Incidents opened as holds, by table and anomaly", "table", "kind")
        self.suspensions = counter(
            "suspensions_total",
            "Incidents opened as, or raised to, suspensions, by table and anomaly",
            "table",
            "kind",
        )
        self.incidents = counter("incidents_total", "Incidents opened, by table and anomaly", "table", "kind")
        self.resolved = counter(
            "incidents_resolved_total",
            "Incidents closed, by table, anomaly and way out",
            "table",
            "kind",
            "way_out",
        )
        self.incident_seconds = histogram(
            "incident_open_seconds", "How long an incident was open, by table and anomaly", _PHASE_SECONDS,
            "table", "kind",
        )  # fmt: skip
        self.voids = counter("voids_total", "Rounds voided, by table and anomaly kind", "table", "kind")
        self.refusals = counter("refusals_total", "Commands refused, by table and code", "table", "code")
        self.phase_seconds = histogram(
            "phase_duration_seconds", "How long a round stayed in a phase", _PHASE_SECONDS, "table", "phase"
        )
        self.byte_to_commit_seconds = histogram(
            "byte_to_commit_seconds", "From a card's last byte to its event on disk", _LATENCY_SECONDS, "table"
        )
        self.byte_to_paint_seconds = histogram(
            "byte_to_paint_seconds", "From a card's last byte to the dealer's console having painted it",
            _LATENCY_SECONDS, "table",
        )  # fmt: skip
        self.commit_seconds = histogram(
            "journal_commit_seconds", "Duration of one commit of the journal, synced to disk", _LATENCY_SECONDS
        )
        self.commit_entries = histogram(
            "journal_commit_entries",
            "Entries that shared one commit of the journal",
            (1, 2, 4, 8, 16, 32, 64, 128, 256),
        )
        self.capture_lost = counter(
            "capture_lost_chunks_total", "Chunks of raw bytes that the capture could not keep", "device"
        )
        self.coverage = Gauge(
            "witness_coverage_ratio", "Share of the newest cards that the second witness had a value for",
            ("table", "witness"), namespace="studio", registry=registry,
        )  # fmt: skip

    def observe_commit(self, took_ns: int, entries: int) -> None:
        """Count one commit of the journal; the signature that the store's ``on_commit`` calls."""
        self.commit_seconds.observe(took_ns / _NS_PER_SECOND)
        self.commit_entries.observe(entries)

    def count_lost_chunk(self, device: str) -> None:
        """Count a chunk of raw bytes that the capture could not keep; what the capture's ``on_lost`` calls."""
        self.capture_lost.labels(device).inc()
