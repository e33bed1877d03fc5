"""Metrics: in the registry given, named and explained."""

from __future__ import annotations

import asyncio
from pathlib import Path

from journal_entries import KEY, entry
from prometheus_client import REGISTRY, CollectorRegistry

from studio.adapters.metrics import StudioMetrics
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore


def test_every_metric_is_named_for_the_studio_and_explained() -> None:
    registry = CollectorRegistry()
    before = {family.name for family in REGISTRY.collect()}
    StudioMetrics(registry)

    families = list(registry.collect())
    assert {family.name for family in families} >= {
        "studio_cards",
        "studio_rounds",
        "studio_holds",
        "studio_suspensions",
        "studio_voids",
        "studio_refusals",
        "studio_phase_duration_seconds",
        "studio_byte_to_commit_seconds",
        "studio_byte_to_paint_seconds",
        "studio_journal_commit_seconds",
    }
    assert all(family.name.startswith("studio_") and len(family.documentation) > 15 for family in families)
    assert {family.name for family in REGISTRY.collect()} == before


def test_cards_are_counted_by_source_and_outcome() -> None:
    registry = CollectorRegistry()
    metrics = StudioMetrics(registry)
    metrics.cards.labels("T1", "shoe-1", "dealt").inc()
    metrics.cards.labels("T1", "shoe-1", "dealt").inc()

    labels = {"table": "T1", "source": "shoe-1", "outcome": "dealt"}
    assert registry.get_sample_value("studio_cards_total", labels) == 2


def test_two_studios_do_not_share_their_counts() -> None:
    first, second = CollectorRegistry(), CollectorRegistry()
    StudioMetrics(first).rounds.labels("T1", "settled").inc()
    StudioMetrics(second)

    assert second.get_sample_value("studio_rounds_total", {"table": "T1", "end": "settled"}) is None


def test_the_journal_reports_its_commits(tmp_path: Path) -> None:
    registry = CollectorRegistry()
    metrics = StudioMetrics(registry)
    store = SqliteStore(tmp_path / "studio.db", simulated=True, on_commit=metrics.observe_commit)
    journal = SqliteJournal(store, Sealer(KEY))
    asyncio.run(journal.append(entry("T1", 1)))
    journal.close()

    assert registry.get_sample_value("studio_journal_commit_seconds_count") == 1
    assert registry.get_sample_value("studio_journal_commit_entries_sum") == 1
