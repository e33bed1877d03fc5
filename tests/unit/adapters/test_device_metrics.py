"""The metrics of devices: as they are at the moment that somebody asks."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry

from studio.adapters.device_metrics import DeviceMetrics
from studio.ports.devices import DeviceHealth, LinkState

READY = DeviceHealth("shoe-1", LinkState.READY, "", {}, 0, None)
NOISY = DeviceHealth("shoe-2", LinkState.STALE, "the reader has fallen silent", {"crc": 3, "length": 1}, 2, None)


@pytest.fixture
def healths() -> list[DeviceHealth]:
    return [READY, NOISY]


@pytest.fixture
def registry(healths: list[DeviceHealth]) -> CollectorRegistry:
    registry = CollectorRegistry()
    DeviceMetrics(registry, lambda: healths)
    return registry


def test_each_link_is_in_one_state(registry: CollectorRegistry) -> None:
    for health in (READY, NOISY):
        shown = {
            state: registry.get_sample_value("studio_link_state", {"device": health.device, "state": state.value})
            for state in LinkState
        }
        assert shown == {state: float(state is health.link) for state in LinkState}


def test_losses_and_errors_by_cause_are_each_devices_own(registry: CollectorRegistry) -> None:
    assert registry.get_sample_value("studio_link_losses_total", {"device": "shoe-2"}) == 2
    assert registry.get_sample_value("studio_link_losses_total", {"device": "shoe-1"}) == 0
    for cause, count in NOISY.errors.items():
        labels = {"device": "shoe-2", "cause": cause}
        assert registry.get_sample_value("studio_device_errors_total", labels) == count
    assert registry.get_sample_value("studio_device_errors_total", {"device": "shoe-1", "cause": "crc"}) is None


def test_what_changed_without_an_event_is_shown(registry: CollectorRegistry, healths: list[DeviceHealth]) -> None:
    healths[0] = DeviceHealth("shoe-1", LinkState.READY, "", {"noise": 7}, 0, None)
    assert registry.get_sample_value("studio_device_errors_total", {"device": "shoe-1", "cause": "noise"}) == 7


def test_the_families_are_named_for_the_studio_and_explained(registry: CollectorRegistry) -> None:
    assert all(one.name.startswith("studio_") and len(one.documentation) > 15 for one in registry.collect())
