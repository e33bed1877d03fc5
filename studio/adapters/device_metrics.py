"""The metrics of devices, read from the sources when Prometheus asks: what is, not what was told last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from studio.ports.devices import DeviceHealth, LinkState


class DeviceMetrics(Collector):
    """Collects the conditions that ``healths`` returns, one for each device of the studio."""

    def __init__(self, registry: CollectorRegistry, healths: Callable[[], Iterable[DeviceHealth]]) -> None:
        self._healths = healths
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield the families; ``registry`` calls it for each answer."""
        link = GaugeMetricFamily(
            "studio_link_state",
            "1 for the state a device's link is in, 0 for the others",
            labels=("device", "state"),
        )
        losses = CounterMetricFamily(
            "studio_link_losses", "How often a device's link was lost", labels=("device",)
        )
        errors = CounterMetricFamily(
            "studio_device_errors", "What a device said that was not taken, by cause", labels=("device", "cause")
        )
        for health in self._healths():
            for state in LinkState:
                link.add_metric((health.device, state.value), int(state is health.link))
            losses.add_metric((health.device,), health.losses)
            for cause, count in health.errors.items():
                errors.add_metric((health.device, cause), count)
        yield from (link, losses, errors)
