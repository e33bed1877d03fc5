"""The wiring: from a settings file to a running studio. The only place where ports meet their adapters."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import os
import resource
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import structlog
import uvicorn
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from studio.adapters.capture import SealedCapture
from studio.adapters.clocks import ShiftedClock, SystemClock
from studio.adapters.device_metrics import DeviceMetrics
from studio.adapters.host_probes import ClockProbe, DiskProbe, JournalProbe, RecorderProbe
from studio.adapters.journal_copy import JournalCopy
from studio.adapters.journal_patrol import JournalPatrol
from studio.adapters.key_files import load_sealer, load_signer
from studio.adapters.metrics import StudioMetrics
from studio.adapters.metrics_observer import MetricsObserver
from studio.adapters.plugins import load_card_source
from studio.adapters.profiles import check_profile, profile_names, read_profile
from studio.adapters.settled_rounds import SqliteSettledRounds
from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.adapters.sqlite_history import SqliteHistory
from studio.adapters.sqlite_look_back import SqliteLookBack
from studio.adapters.sqlite_wallet import SqliteWallet
from studio.adapters.stills import SealedStills
from studio.adapters.variants import load_variant
from studio.adapters.watchdog import Watchdog
from studio.domain import second_reader
from studio.domain.commands import OpenTable
from studio.domain.instants import Instant
from studio.domain.loads import position
from studio.domain.money import VIRTUAL_UNITS
from studio.domain.profile import UNAPPROVED, Approval, RulingProfile, profile_of
from studio.domain.projections import table_view
from studio.domain.record_commands import RecordRules
from studio.domain.rules import Money, RuleSet, Shuffling, Start
from studio.domain.setup import (
    CameraMode,
    CameraSetup,
    Limits,
    SecondReaderSetup,
    TableSetup,
    TimeAllowances,
)
from studio.domain.table import Table
from studio.evidence.commands import OpenedEvidence
from studio.odds.figures import figures_of
from studio.ports.attached import AttachedDevice, DeviceRole
from studio.ports.conditions import Probe
from studio.ports.devices import Camera, CardSource, DrawnSource, Resume
from studio.ports.observer import Observer
from studio.ports.settled import SettledRound
from studio.ports.stills import Stills
from studio.proof.holds import JournalCustody
from studio.proof.kept_journal import kept_journal
from studio.proof.places import JOURNAL_FILE
from studio.runtime.health import device_views, table_report
from studio.runtime.host_watch import HostWatch
from studio.runtime.ingest import Ingest
from studio.runtime.still_keeping import StillKeeping
from studio.runtime.table_actor import Ports, TableActor
from studio.runtime.virtual_dealer import VirtualDealer
from studio.settings import (
    Mode,
    People,
    ProfileSettings,
    ServerSettings,
    Settings,
    SettingsError,
    TableSettings,
    load_people,
    load_settings,
)
from studio.web.app import create_app

CAPTURE_FOLDER = "capture"
STILLS_FOLDER = "stills"
_MS = 1_000_000
_GRACEFUL_SECONDS = 3
_IDLE_SECONDS = 5
_LISTENING_SECONDS = 0.05
_WAITING_CONNECTIONS = 128
_SOCKET_BYTES = 1 << 16

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Studio:
    """A running studio: its tables, and the application that serves them."""

    tables: dict[str, TableActor]
    wallets: Mapping[str, SqliteWallet]
    """By currency."""
    application: FastAPI


def table_setup(settings: TableSettings, mode: Mode, folder: Path = Path()) -> TableSetup:
    """Turn a table's settings into what the core needs; raise :class:`SettingsError` where they contradict."""
    try:
        rules = load_variant(settings.variant)
        if settings.real_shoe:
            rules = replace(rules, shuffling=Shuffling.SHOE)
        is_virtual = rules.shuffling is Shuffling.VIRTUAL
        _check_currency(rules, settings.limits.currency)
        if mode is Mode.LIVE and not settings.shoe_control:
            message = "shoe_control = false is for simulation only: a live table deals verified shoes"
            raise ValueError(message)  # noqa: TRY301 - told with the table's name like the others
        return TableSetup(
            table=settings.id,
            name=settings.name,
            rules=rules,
            limits=Limits(**settings.limits.model_dump()),
            reader=settings.reader.device,
            simulated=mode is Mode.SIMULATION,
            cut_position=settings.cut_position,
            allowances=TimeAllowances(**settings.allowances.model_dump()),
            profile=table_profile(settings.profile, mode, folder)[0],
            camera=_camera(settings),
            second_reader=_second_reader(settings),
            opens_itself=settings.opens_itself or is_virtual or rules.start is Start.CONFIRMED_BET,
            commits_itself=settings.commits_itself or is_virtual,
            shoe_control=settings.shoe_control,
            pack_hours=settings.pack_hours,
            full_count_rounds=settings.full_count_rounds,
            dead_table_minutes=settings.dead_table_minutes,
        )
    except ValueError as error:
        message = f"table {settings.id}: {error}"
        raise SettingsError(message) from error


def table_profile(settings: ProfileSettings, mode: Mode, folder: Path = Path()) -> tuple[RulingProfile, Approval]:
    """Return a table's ruling profile, checked against its pinned hash and signature, and who approved it.

    Raises ``ValueError`` where it cannot be used: a live table goes by a shipped profile or by a signed file.
    """
    read = read_profile(settings.file, folder)
    profile, approval = read.profile, UNAPPROVED
    if settings.public_key:
        approval = check_profile(read, settings.public_key)
    is_shipped = settings.file in profile_names()
    if mode is Mode.LIVE and not is_shipped and not settings.public_key:
        message = (
            f"a live table goes by a signed profile: studio profile sign {settings.file} prints its public key, "
            "set it as public_key in [tables.profile]"
        )
        raise ValueError(message)
    if settings.sha256 and settings.sha256 != profile.hash:
        message = f"profile {profile.name} has the hash {profile.hash}, the settings pin {settings.sha256}"
        raise ValueError(message)
    if settings.changes and (settings.sha256 or settings.public_key or mode is Mode.LIVE):
        message = (
            f"single settings ({', '.join(settings.changes)}) beside a pinned profile: put them into its file"
        )
        raise ValueError(message)
    if settings.changes:
        profile = profile_of(json.loads(profile.text) | {"name": f"{profile.name}-changed"} | settings.changes)
    return profile, approval


def _camera(settings: TableSettings) -> CameraSetup | None:
    """Return the second witness of a table, ``None`` where it has none or it is off."""
    if settings.camera is None or settings.camera.mode == CameraMode.OFF:
        return None
    values = settings.camera.model_dump(exclude={"driver", "settings"})
    return CameraSetup(**values | {"mode": CameraMode(values["mode"])})


def _second_reader(settings: TableSettings) -> SecondReaderSetup | None:
    """Return the other reader that is a table's second witness, ``None`` where there is none."""
    if settings.second_reader is None:
        return None
    return SecondReaderSetup(**settings.second_reader.model_dump(exclude={"driver", "settings"}))


def _check_currency(rules: RuleSet, currency: str) -> None:
    """M4: virtual units have a currency code of their own, which no money has."""
    if rules.money is Money.VIRTUAL and currency != VIRTUAL_UNITS:
        message = f'the variant {rules.variant} plays for virtual units: set currency = "{VIRTUAL_UNITS}"'
        raise ValueError(message)
    if rules.money is Money.CURRENCY and currency == VIRTUAL_UNITS:
        message = f"the variant {rules.variant} plays for money, and {VIRTUAL_UNITS} is no currency: name another"
        raise ValueError(message)


@asynccontextmanager
async def run_studio(
    settings: Settings, observed_by: Callable[[Observer], Observer] = lambda metrics: metrics
) -> AsyncIterator[Studio]:
    """Run a studio until the block ends: journal replayed, tables open, readers connected.

    ``observed_by`` may put an observer of its own before the metrics', which it is given.
    Raises :class:`SettingsError` or ``ValueError`` with a sentence where something cannot be opened.
    """
    server = settings.studio
    simulated = server.mode is Mode.SIMULATION
    people = load_people(server.people)
    server.data.mkdir(parents=True, exist_ok=True)
    sealer = load_sealer(server.key_file, create=simulated)
    signer = load_signer(server.signing_key_file, create=simulated)
    registry = CollectorRegistry()
    metrics = StudioMetrics(registry)
    clock = SystemClock() if server.simulated_clock is None else ShiftedClock(server.simulated_clock)
    async with AsyncExitStack() as stack:
        store, journal, patrol, copy = await stack.enter_async_context(
            kept_journal(
                server.data / JOURNAL_FILE,
                simulated=simulated,
                sealer=sealer,
                signer=signer,
                settings=server.proof,
                clock=clock,
                on_commit=metrics.observe_commit,
            )
        )
        currencies = sorted({table.limits.currency for table in settings.tables})
        wallets = {currency: SqliteWallet(store, currency) for currency in currencies}
        await _open_accounts(wallets, people, clock)
        _check_books(wallets)
        observer = observed_by(MetricsObserver(metrics))
        capture = SealedCapture(server.data / CAPTURE_FOLDER, sealer, on_lost=metrics.count_lost_chunk)
        stack.callback(capture.close)
        tables: dict[str, TableActor] = {}
        devices: dict[str, list[AttachedDevice]] = {}
        DeviceMetrics(registry, lambda: (one.source.health() for each in devices.values() for one in each))
        cameras: dict[str, Camera] = {}
        stills = SealedStills(server.data / STILLS_FOLDER, sealer)
        setups = [table_setup(each, server.mode, settings.folder) for each in settings.tables]
        for setup in setups:
            figures_of(setup.rules)  # before anything is dealt: those of a game of one's own are calculated
        for each, setup in zip(settings.tables, setups, strict=True):
            read = partial(table_profile, each.profile, server.mode, settings.folder)
            compare = partial(_compare_rules, each)
            ports = Ports(journal, wallets[each.limits.currency], clock, observer, read, compare)
            opening = OpenTable(setup.profile, read()[1], each.rules_approval)
            actor = TableActor(setup, ports, opening)
            await journal.keep_setup(setup, clock.now())
            await actor.start()
            stack.push_async_callback(actor.stop)
            tables[each.id] = actor
            source = await _open_source(stack, each, actor, ports, capture, simulated=simulated)
            devices[each.id] = [AttachedDevice(DeviceRole.READER, source)]
            witness = await _open_witness(stack, each, actor, ports, capture, stills, simulated=simulated)
            if witness is not None:
                role = DeviceRole.CAMERA if actor.setup.camera else DeviceRole.SECOND_READER
                devices[each.id].append(AttachedDevice(role, witness))
            if isinstance(witness, Camera):
                cameras[each.id] = witness
        watch = HostWatch(tables, tuple(_probes(server, patrol, copy)), clock)
        watching = asyncio.create_task(watch.run(), name="host watch")
        for actor in tables.values():
            _watch_over(stack, actor, watching)
        application = create_app(
            tables=tables,
            people=people,
            wallets=wallets,
            clock=clock,
            look_back=SqliteLookBack(store.path),
            history=SqliteHistory(store.path, {name: actor.setup for name, actor in tables.items()}),
            settled=SqliteSettledRounds(store.path, {name: actor.setup.rules for name, actor in tables.items()}),
            custody=JournalCustody(store),
            evidence=SqliteEvidence(store.path, sealer, tables),
            health=lambda: _health(tables, devices, capture, watch, copy),
            registry=registry,
            simulated=simulated,
            cameras=cameras,
            stills=stills,
            on_painted=lambda table, sequence: tables[table].painted(sequence),
            devices=lambda table: device_views(devices[table]),
            frames_per_second=server.watch.video_frames_per_second,
        )
        yield Studio(tables, wallets, application)


def settled_rounds(config: Path, table: str, limit: int) -> tuple[RuleSet, tuple[SettledRound, ...]]:
    """Return a table's rules and the settled among its newest ``limit`` rounds, also while the studio runs.

    Raises :class:`SettingsError` or ``ValueError`` where the settings name no such table or there is no journal.
    """
    settings = load_settings(config)
    setups = {one.id: table_setup(one, settings.studio.mode, settings.folder) for one in settings.tables}
    if table not in setups:
        message = f"there is no table {table!r} in {config}; its tables are {', '.join(setups)}"
        raise SettingsError(message)
    rules = setups[table].rules
    return rules, SqliteSettledRounds(settings.studio.data / JOURNAL_FILE, {table: rules}).settled(
        table, limit=limit
    )


def _probes(server: ServerSettings, patrol: JournalPatrol, copy: JournalCopy | None) -> Iterator[Probe]:
    """Yield what looks after the machine."""
    watch = server.watch
    yield DiskProbe(server.data, watch.disk_reserve_mib)
    yield ClockProbe(watch.clock_warn_ms, watch.clock_stop_ms)
    if watch.recorder is not None:
        yield RecorderProbe(watch.recorder, watch.recorder_seconds)
    yield JournalProbe(patrol, copy, watch.copy_lag_seconds)


def open_evidence(config: Path) -> OpenedEvidence:
    """Open the journal of a settings file for reading, beside a running studio or without one.

    Raises :class:`SettingsError` or ``ValueError`` with a sentence where that cannot be.
    """
    settings = load_settings(config)
    server = settings.studio
    setups = {each.id: table_setup(each, server.mode, settings.folder) for each in settings.tables}
    sealer = load_sealer(server.key_file)
    evidence = SqliteEvidence(server.data / JOURNAL_FILE, sealer, setups)
    return OpenedEvidence(evidence, setups, server.watch.video_frames_per_second)


def _check_books(wallets: Mapping[str, SqliteWallet]) -> None:
    """Refuse a ledger whose accounts do not sum to zero (M3): somebody changed it from outside."""
    for wallet in wallets.values():
        for currency, total in wallet.totals().items():
            if total:
                message = (
                    f"the ledger's accounts in {currency} sum to {total}, not to zero: restore the journal's copy"
                )
                raise SettingsError(message)


async def _open_accounts(wallets: Mapping[str, SqliteWallet], people: People, clock: SystemClock) -> None:
    """Credit each opening balance once in every currency: the key of the deposit says whose and in which."""
    for person in people.people:
        if not person.opening_balance:
            continue
        for currency, wallet in wallets.items():
            key = f"opening:{currency}:{person.id}"
            await wallet.deposit(person.id, person.opening_balance, key, clock.now())


async def _open_source(  # noqa: PLR0913 - each part is what one source needs
    stack: AsyncExitStack,
    settings: TableSettings,
    actor: TableActor,
    ports: Ports,
    capture: SealedCapture,
    *,
    simulated: bool,
) -> CardSource:
    reader, rules = settings.reader, actor.setup.rules
    is_virtual = rules.shuffling is Shuffling.VIRTUAL
    options = {**reader.settings, "decks": rules.decks} if is_virtual else reader.settings
    plugin = load_card_source(reader.driver)
    source = plugin.open(reader.device, options, resume=_resume(actor.table), capture=capture)
    stack.push_async_callback(source.close)
    if isinstance(source, DrawnSource) is not is_virtual:
        message = (
            f"table {settings.id}: the variant {rules.variant} shuffles {rules.shuffling}, which the driver "
            f"{reader.driver} does not; name another driver, or set real_shoe = true for a real shoe"
        )
        raise SettingsError(message)
    if source.simulated and not simulated:
        message = f"table {settings.id}: its reader is a simulator, which a live studio refuses"
        raise SettingsError(message)
    counted_here = None if plugin.counts else lambda: position(actor.table)
    ingest = Ingest(source, actor.submit, ports.clock, counted_here)
    _watch_over(stack, actor, asyncio.create_task(ingest.run(), name=f"ingest {settings.id}"))
    if isinstance(source, DrawnSource):
        dealer = VirtualDealer(actor, source, ports.clock, settings.card_ms * _MS)
        _watch_over(stack, actor, asyncio.create_task(dealer.run(), name=f"virtual dealer {settings.id}"))
    return source


async def _open_witness(  # noqa: PLR0913, PLR0917 - each part is what one source needs
    stack: AsyncExitStack,
    settings: TableSettings,
    actor: TableActor,
    ports: Ports,
    capture: SealedCapture,
    stills: Stills,
    *,
    simulated: bool,
) -> CardSource | None:
    """Open the table's second witness; what it sees comes in as the reader's events do, its stills are kept."""
    witness = settings.witness
    if witness is None or actor.setup.witness is None:
        return None
    plugin, newest = load_card_source(witness.driver), actor.table.witness.pairing.newest
    resume = Resume(newest.load, newest.ordinal) if newest else None
    source = plugin.open(witness.device, witness.settings, resume=resume, capture=capture)
    stack.push_async_callback(source.close)
    if source.simulated and not simulated:
        message = f"table {settings.id}: its second witness is a simulator, which a live studio refuses"
        raise SettingsError(message)
    is_counted_here = settings.second_reader is not None and not plugin.counts
    counted_here = (lambda: second_reader.position(actor.table)) if is_counted_here else None
    keeping = StillKeeping(source, settings.id, stills)
    ingest = Ingest(keeping, actor.submit, ports.clock, counted_here)
    _watch_over(stack, actor, asyncio.create_task(ingest.run(), name=f"second witness {settings.id}"))
    return source


def _compare_rules(settings: TableSettings, table: Table) -> RecordRules:
    """C27: return the rules that the console shows and those of the file that the published sheet is made of."""
    published = load_variant(settings.variant)
    if settings.real_shoe:
        published = replace(published, shuffling=Shuffling.SHOE)
    return RecordRules(table_view(table, Instant(0, 0)).rules_hash, published.hash)


def _resume(table: Table) -> Resume | None:
    """Return where the journal stands; a virtual shuffle may be on record before any of its cards."""
    shoe, seen = table.shoe, table.last_seen
    if shoe is not None and shoe.seed and (seen is None or seen.load < shoe.load):
        return Resume(shoe.load, shoe.drawn)
    return Resume(seen.load, seen.ordinal) if seen else None


def _watch_over(stack: AsyncExitStack, actor: TableActor, task: asyncio.Task[None]) -> None:
    """Cancel a table's task at the end; one that fails before suspends the table, and is never missed silently."""

    def ended(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("fault", task=task.get_name(), exc_info=error)
            actor.report_fault(f"{task.get_name()} ended unexpectedly; see the log")

    task.add_done_callback(ended)
    stack.callback(task.cancel)


def _health(
    tables: dict[str, TableActor],
    devices: Mapping[str, Sequence[AttachedDevice]],
    capture: SealedCapture,
    watch: HostWatch,
    copy: JournalCopy | None,
) -> dict[str, Any]:
    """Return what ``/health`` says: the server lives; how each table and each of its devices is."""
    found = {name: table_report(actor, devices[name]) for name, actor in tables.items()}
    return {
        "status": "ok" if all(one["running"] for one in found.values()) else "a table does not run any more",
        "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "tables": found,
        "capture_lost_chunks": dict(capture.lost),
        "machine": {kind.value: text for kind, text in watch.conditions.items()},
        "copy_lag_seconds": None if copy is None else round(copy.lag_seconds, 3),
    }


class StudioServer(uvicorn.Server):
    """A uvicorn server whose feed closes first, so that clients hear 1012 and nobody waits for them."""

    def __init__(self, settings: ServerSettings, application: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                host=settings.host,
                port=settings.port,
                log_config=None,
                access_log=False,
                backlog=_WAITING_CONNECTIONS,
                timeout_keep_alive=_IDLE_SECONDS,
                ws_max_size=_SOCKET_BYTES,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=_GRACEFUL_SECONDS,
            )
        )
        self._application = application

    def stop(self) -> None:
        """End :meth:`serve` without a signal."""
        self._application.state.feed.stop()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: Any) -> None:  # noqa: ANN401 - uvicorn's signature
        """Take a signal: the feed first, then the rest."""
        self._application.state.feed.stop()
        super().handle_exit(sig, frame)


async def serve(settings: Settings) -> None:
    """Run a studio and its server until SIGTERM or Ctrl-C."""
    server = settings.studio
    async with run_studio(settings) as studio:
        log.info("serving", url=f"http://{server.host}:{server.port}", mode=server.mode.value)
        serving = StudioServer(server, studio.application)
        tables = studio.tables.values()
        watchdog = Watchdog(os.environ, lambda: all(actor.is_running for actor in tables), SystemClock())
        speaking = asyncio.create_task(_speak(watchdog, serving), name="watchdog")
        try:
            await serving.serve()
        finally:
            speaking.cancel()
            watchdog.stopping()


async def _speak(watchdog: Watchdog, serving: StudioServer) -> None:
    """Say *ready* once the server listens, then go on saying *alive*."""
    while not serving.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(_LISTENING_SECONDS)
    watchdog.ready()
    await watchdog.run()


def raise_open_files() -> None:
    """Let the process open as many files as the system allows: each client is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def stop_on_sigterm() -> None:
    """Let SIGTERM before the server runs end the process like Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
