"""The reference pages name everything there is, and nothing else."""

from __future__ import annotations

import ast
import dataclasses
import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any, TypeGuard, get_args, get_type_hints

import pytest
from doc_pages import ROOT, coded, first_keys, page
from packaging.requirements import Requirement
from prometheus_client import CollectorRegistry
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from drivers.smartshoe.settings import SmartshoeSettings
from studio import settings
from studio.adapters.codec import NAMES
from studio.adapters.device_metrics import DeviceMetrics
from studio.adapters.metrics import StudioMetrics
from studio.adapters.variants import load_variant, variant_names
from studio.domain.alarms import SOURCES
from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level, WayOut
from studio.domain.commands import ALLOWED_ROLES, Command
from studio.domain.events import (
    CardBurned,
    CardCounted,
    CardDealt,
    CardHeld,
    CardUnread,
    CardWitnessed,
    Event,
    FeltCardScanned,
    ProposalMade,
    RoundCorrected,
    ShuffleCommitted,
)
from studio.domain.profile import RulingProfile
from studio.domain.rules import RuleSet
from studio.domain.supervisor_steps import STEPS
from studio.ports.devices import DeviceHealth, LinkState
from studio.runtime.names import command_name
from studio.web.bodies import AnyDeskCommand


class CodeNode(ast.Constant):
    """A constant that is a code in kebab-case."""

    value: str


VARIANTS = ("deluxe", "infinite", "european", "continuous")
DASH = "\N{EN DASH}"
METRICS = {
    Level.WARN: "studio_warnings_total",
    Level.HOLD: "studio_holds_total",
    Level.SUSPEND: "studio_suspensions_total",
}
SEALED = {
    CardBurned: "`card`, face down",
    CardDealt: "`card`, face down",
    CardCounted: "`card`, always",
    CardHeld: "`card`, always",
    CardUnread: "`code`, always",
    ShuffleCommitted: "`seed`, always",
    RoundCorrected: "`changes`, hidden",
    FeltCardScanned: "`card`, always",
    ProposalMade: "`act`, always",
    CardWitnessed: "`card`, where it has one",
}


def test_every_anomaly_has_its_row() -> None:
    kinds = first_keys(page("reference/anomalies.md").rows())
    assert set(kinds) == {*AnomalyKind, *WayOut}
    assert set(first_keys(page("reference/anomalies.md").rows("## Ways out"))) == set(WayOut)


@pytest.mark.parametrize("kind", AnomalyKind)
def test_an_anomalys_row_says_what_the_catalogue_says(kind: AnomalyKind) -> None:
    rule = CATALOGUE[kind]
    _, _, level, supervisor, dealer, metric = page("reference/anomalies.md").row(kind)
    assert re.split(r"[;, ]", level)[0] == rule.level
    assert ("quarantined" in level) == rule.quarantines
    assert ("latched" in level) == rule.latches
    assert set(coded(supervisor)) == rule.supervisor
    assert set(coded(dealer)) == rule.dealer
    assert coded(metric) == [METRICS[rule.level]]


@pytest.mark.parametrize("kind", AnomalyKind)
def test_an_anomalys_action_for_the_supervisor_stands_in_the_reference(kind: AnomalyKind) -> None:
    rows = page("reference/anomalies.md").rows("## What the supervisor does")
    step = STEPS[kind]
    (row,) = [row for row in rows if row[1] == f"`{kind}`"]
    assert row == [step.do, f"`{kind}`", step.otherwise, SOURCES[kind]]


@pytest.mark.parametrize("kind", AnomalyKind)
def test_supervisors_are_told_how_to_put_every_anomaly_right(kind: AnomalyKind) -> None:
    rows = [row for row in page("how-to/put-right.md").rows() if f"`{kind}`" in row[1]]
    assert [row[0] for row in rows] == [CATALOGUE[kind].cause]


def test_every_event_has_its_row() -> None:
    assert sorted(first_keys(page("reference/events.md").rows())) == sorted(name.name for name in NAMES.values())


@pytest.mark.parametrize("kind", get_args(Event))
def test_an_events_row_says_version_fields_and_what_is_sealed(kind: Any) -> None:
    name, fields, _, sealed = page("reference/events.md").row(NAMES[kind].name)
    assert name.endswith(f" {NAMES[kind].version}")
    assert coded(fields) == [field.name for field in dataclasses.fields(kind)]
    assert sealed == SEALED.get(kind, DASH)


def test_every_command_has_its_row_with_its_roles() -> None:
    rows = page("reference/commands-and-refusals.md").rows("## Commands")
    found = {coded(row[0])[0]: set(row[1].split(", ")) for row in rows}
    # The name is made of the class, whatever it holds.
    assert found == {command_name(object.__new__(kind)): set(ALLOWED_ROLES[kind]) for kind in get_args(Command)}


def test_a_desk_commands_row_says_its_arguments() -> None:
    union, _ = get_args(AnyDeskCommand)
    rows = {row[0]: row for row in page("reference/commands-and-refusals.md").rows("## Commands")}
    for body in get_args(union):
        for name in get_args(body.model_fields["command"].annotation):
            arguments = body.model_fields["arguments"].annotation.model_fields
            assert coded(rows[f"`{name}`"][2]) == list(arguments)
            assert rows[f"`{name}`"][3] == "`commands`"


def test_every_refusal_code_has_its_row() -> None:
    reference = page("reference/commands-and-refusals.md")
    by_table = set(first_keys(reference.rows("## Refusals by the table: HTTP 409")))
    by_api = set(first_keys(reference.rows("## Errors of the API")))
    assert by_table == codes_of("Rejected") | codes_of("Unlawful") | codes_chosen_before("Rejected")
    # Named after the status by Starlette's own answers, not in our source.
    assert by_api | {"forbidden"} == codes_of("ApiError") | codes_of("problem") | codes_in_replies() | {
        "method-not-allowed"
    }


def trees() -> Iterator[ast.AST]:
    for package in ("domain", "runtime", "web"):
        for path in sorted((ROOT / "studio" / package).glob("*.py")):
            yield ast.parse(path.read_text(encoding="utf-8"))


def calls_of(tree: ast.AST, name: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def codes_of(name: str) -> set[str]:
    """Collect the codes that are written in calls of ``name``, as one of their first two arguments."""
    arguments = [argument for tree in trees() for call in calls_of(tree, name) for argument in call.args[:2]]
    return {node.value for node in arguments if is_code(node)}


def codes_chosen_before(name: str) -> set[str]:
    """Collect the codes that a function chooses before it calls ``name``: from a table, or into ``code``."""
    found: set[str] = set()
    functions = [node for tree in trees() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        if not calls_of(function, name):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Tuple) and len(node.elts) == 3 and is_code(node.elts[1]):
                found.add(node.elts[1].value)
            if isinstance(node, ast.Assign) and [*map(ast.unparse, node.targets)] == ["code"]:
                found |= {one.value for one in ast.walk(node.value) if is_code(one)}
    return found


def codes_in_replies() -> set[str]:
    tree = ast.parse((ROOT / "studio" / "web" / "feed.py").read_text(encoding="utf-8"))
    return {
        value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "code" and is_code(value)
    }


def is_code(node: ast.AST) -> TypeGuard[CodeNode]:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    return re.fullmatch(r"[a-z]+(-[a-z]+)*", node.value) is not None


@pytest.mark.parametrize(
    ("heading", "model"),
    [
        ("## `[studio]`", settings.ServerSettings),
        ("### `[studio.proof]`", settings.ProofSettings),
        ("### `[studio.watch]`", settings.WatchSettings),
        ("## `[[tables]]`", settings.TableSettings),
        ("### `[tables.limits]`", settings.LimitsSettings),
        ("### `[tables.allowances]`", settings.AllowanceSettings),
        ("### `[tables.profile]`", settings.ProfileSettings),
        ("### `[tables.reader]`", settings.ReaderSettings),
        ("### `[tables.camera]`", settings.CameraSettings),
        ("### `[tables.second_reader]`", settings.SecondReaderSettings),
        ("### Settings of the driver `smartshoe`", SmartshoeSettings),
        ("## The people file: `[[people]]`", settings.Person),
    ],
)
def test_every_setting_has_its_row_with_its_default(heading: str, model: type[BaseModel]) -> None:
    reference = page("reference/settings.md")
    rows = reference.rows(heading)
    begins = {settings.TableSettings: "`currency`", settings.ServerSettings: "`checkpoint_events`"}.get(model)
    if begins is not None:  # the sections below have models of their own
        rows = rows[: next(index for index, row in enumerate(rows) if row[0] == begins)]
    found = {coded(row[0])[0]: row[2] for row in rows}
    nested = {"limits", "allowances", "profile", "reader", "camera", "second_reader", "proof", "watch"}
    assert found == {
        name: shown_default(field.default) for name, field in model.model_fields.items() if name not in nested
    }


def shown_default(default: object) -> str:
    match default:
        case _ if default is PydanticUndefined:
            return "required"
        case None:
            return "none"
        case bool():
            return f"`{str(default).lower()}`"
        case "" | {}:
            return "none"
        case _:
            return f"`{default}`"


def test_every_parameter_of_a_variant_has_its_row_with_its_values() -> None:
    assert set(VARIANTS) == set(variant_names())
    rows = page("reference/variants.md").rows()
    assert first_keys(rows) == [field.name for field in dataclasses.fields(RuleSet)]
    for column, variant in enumerate(VARIANTS, start=3):
        rules = load_variant(variant)
        shown = {coded(row[0])[0]: row[column] for row in rows}
        assert shown == {
            field.name: shown_value(getattr(rules, field.name)) for field in dataclasses.fields(rules)
        }


def shown_value(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return f"`{str(value).lower()}`"
        case dict():
            return ", ".join(f"`{name}`" for name in value) or "none"
        case _:
            return f"`{value}`"


def test_a_choice_of_a_variant_names_its_values() -> None:
    rows = {coded(row[0])[0]: row[1] for row in page("reference/variants.md").rows()}
    for name, hint in get_type_hints(RuleSet).items():
        members = getattr(hint, "__members__", {})
        if members:
            assert coded(rows[name]) == list(members.values())


def test_the_parameters_that_are_kept_are_those_that_the_engine_does_not_ask() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "studio" / "domain").glob("*.py")
        if path.name != "rules.py"
    )
    asked = set(re.findall(r"rules\.([a-z_0-9]+)", source))
    kept = coded(page("reference/variants.md").text.partition("\n- *Kept*")[2].partition(".")[0])
    named = {field.name for field in dataclasses.fields(RuleSet)} - {"variant", "version"}
    assert set(kept) == named - asked


def test_every_metric_has_its_row_with_its_labels() -> None:
    registry = CollectorRegistry()
    StudioMetrics(registry)
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    collectors: Any = registry._collector_to_names
    for collector, names in collectors.items():
        (family,) = collector.describe()
        suffix = "_total" if family.type == "counter" else ""
        found[family.name + suffix] = (family.type, tuple(getattr(collector, "_labelnames", ())))
        assert family.name in names
    every = DeviceHealth("d", LinkState.READY, "", {"crc": 1}, 1, None)
    for family in DeviceMetrics(CollectorRegistry(), lambda: [every]).collect():
        suffix = "_total" if family.type == "counter" else ""
        found[family.name + suffix] = (family.type, tuple(family.samples[0].labels))
    rows = page("reference/metrics.md").rows()
    assert {coded(row[0])[0]: (row[1], tuple(coded(row[2]))) for row in rows} == found


def project() -> dict[str, Any]:
    read: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return read


def licence_of(package: str) -> str:
    metadata: Any = distribution(package).metadata
    stated = metadata.get("License-Expression") or metadata.get("License") or ""
    classifiers = [
        line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier", []) if "License ::" in line
    ]
    return str(stated) if stated and len(stated) < 60 else ", ".join(classifiers)


@pytest.mark.parametrize("kind", ["runtime", "dev"])
def test_every_dependency_has_its_row_with_the_licence_that_it_states(kind: str) -> None:
    heading = "## At run time" if kind == "runtime" else "## For building and testing"
    required = project()["dependencies"] if kind == "runtime" else project()["optional-dependencies"]["dev"]
    names = [Requirement(line).name for line in required]
    rows = page("reference/dependencies.md").rows(heading)
    assert first_keys(rows) == names
    for name, _, licence in rows:
        stated = licence_of(coded(name)[0])
        classifiers = " ".join(distribution(coded(name)[0]).metadata.get_all("Classifier", []))
        assert licence == stated or f":: {licence}" in classifiers


def shipped() -> set[str]:
    """Return every package that an installation without extras brings along."""
    found: set[str] = set()
    waiting = [Requirement(line) for line in project()["dependencies"]]
    while waiting:
        requirement = waiting.pop()
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if name in found:
            continue
        try:
            needed = distribution(name).requires or []
        except PackageNotFoundError:
            continue  # for another system
        found.add(name)
        parts = [Requirement(line) for line in needed]
        waiting += [one for one in parts if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


def test_every_shipped_package_is_named_and_none_is_under_a_gpl() -> None:
    text = page("reference/dependencies.md").text
    for name in shipped():
        assert f"`{name}`" in text
        metadata = distribution(name).metadata
        stated = " ".join((licence_of(name), *metadata.get_all("Classifier", [])))
        assert not re.search(r"GPL|General Public", stated), name


def test_every_setting_of_the_ruling_profile_has_its_row_with_values_default_and_clause() -> None:
    rows = {coded(row[0])[0]: row for row in page("reference/ruling-profile.md").rows()}
    fields = dataclasses.fields(RulingProfile)
    settings_of = {field.name: field.default for field in fields if field.name != "name"}
    assert set(rows) == set(settings_of)
    for name, default in settings_of.items():
        _, values, shown, clause, _ = rows[name]
        assert coded(shown) == [str(default)]
        assert clause
        assert coded(values) == (list(type(default)) if isinstance(default, StrEnum) else [])
