"""The wiring: from a settings file to a running studio. The only place where ports meet their adapters."""

from __future__ import annotations

import asyncio
import datetime as dt
import resource
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import structlog
import uvicorn
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from studio.adapters.capture import SealedCapture
from studio.adapters.clocks import SystemClock
from studio.adapters.metrics import StudioMetrics
from studio.adapters.metrics_observer import MetricsObserver
from studio.adapters.plugins import load_card_source
from studio.adapters.sealing import Sealer, load_key
from studio.adapters.settled_rounds import SqliteSettledRounds
from studio.adapters.sqlite_history import SqliteHistory
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore
from studio.adapters.sqlite_wallet import SqliteWallet
from studio.adapters.variants import load_variant
from studio.domain.money import VIRTUAL_UNITS
from studio.domain.rules import Money, RuleSet, Shuffling, Start
from studio.domain.setup import CutCardBetweenRounds, EmptyShoe, Limits, RulingProfile, TableSetup, TimeAllowances
from studio.domain.table import Table
from studio.odds.figures import figures_of
from studio.ports.devices import CardSource, DrawnSource, LinkState, Resume
from studio.ports.observer import Observer
from studio.ports.settled import SettledRound
from studio.runtime.ingest import Ingest
from studio.runtime.table_actor import Ports, TableActor
from studio.runtime.virtual_dealer import VirtualDealer
from studio.settings import (
    Mode,
    People,
    ServerSettings,
    Settings,
    SettingsError,
    TableSettings,
    load_people,
    load_settings,
)
from studio.web.app import create_app

JOURNAL_FILE = "journal.sqlite"
CAPTURE_FOLDER = "capture"
_MS = 1_000_000
_GRACEFUL_SECONDS = 3
_IDLE_SECONDS = 5
_WAITING_CONNECTIONS = 128
_SOCKET_BYTES = 1 << 16

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Studio:
    """A running studio: its tables, their card sources, and the application that serves them."""

    tables: dict[str, TableActor]
    sources: dict[str, CardSource]
    wallets: Mapping[str, SqliteWallet]
    """By currency."""
    application: FastAPI


def table_setup(settings: TableSettings, mode: Mode) -> TableSetup:
    """Turn a table's settings into what the core needs; raise :class:`SettingsError` where they contradict."""
    profile = settings.profile.model_dump()
    profile["cut_card_between_rounds"] = CutCardBetweenRounds(profile["cut_card_between_rounds"])
    profile["empty_shoe"] = EmptyShoe(profile["empty_shoe"])
    try:
        rules = load_variant(settings.variant)
        if settings.real_shoe:
            rules = replace(rules, shuffling=Shuffling.SHOE)
        is_virtual = rules.shuffling is Shuffling.VIRTUAL
        _check_currency(rules, settings.limits.currency)
        return TableSetup(
            table=settings.id,
            name=settings.name,
            rules=rules,
            limits=Limits(**settings.limits.model_dump()),
            reader=settings.reader.device,
            simulated=mode is Mode.SIMULATION,
            cut_position=settings.cut_position,
            allowances=TimeAllowances(**settings.allowances.model_dump()),
            profile=RulingProfile(**profile),
            opens_itself=settings.opens_itself or is_virtual or rules.start is Start.CONFIRMED_BET,
            commits_itself=settings.commits_itself or is_virtual,
        )
    except ValueError as error:
        message = f"table {settings.id}: {error}"
        raise SettingsError(message) from error


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
    key = load_key(server.key_file, create=simulated)
    registry = CollectorRegistry()
    metrics = StudioMetrics(registry)
    clock = SystemClock()
    async with AsyncExitStack() as stack:
        store = SqliteStore(server.data / JOURNAL_FILE, simulated=simulated, on_commit=metrics.observe_commit)
        stack.callback(store.close)
        currencies = sorted({table.limits.currency for table in settings.tables})
        wallets = {currency: SqliteWallet(store, currency) for currency in currencies}
        await _open_accounts(wallets, people, clock)
        _check_books(wallets)
        journal, observer = SqliteJournal(store, Sealer(key)), observed_by(MetricsObserver(metrics))
        capture = SealedCapture(server.data / CAPTURE_FOLDER, Sealer(key), on_lost=metrics.count_lost_chunk)
        stack.callback(capture.close)
        tables: dict[str, TableActor] = {}
        sources: dict[str, CardSource] = {}
        setups = [table_setup(each, server.mode) for each in settings.tables]
        for setup in setups:
            figures_of(setup.rules)  # before anything is dealt: those of a game of one's own are calculated
        for each, setup in zip(settings.tables, setups, strict=True):
            ports = Ports(journal, wallets[each.limits.currency], clock, observer)
            actor = TableActor(setup, ports)
            await actor.start()
            stack.push_async_callback(actor.stop)
            tables[each.id] = actor
            sources[each.id] = await _open_source(stack, each, actor, ports, capture, simulated=simulated)
        application = create_app(
            tables=tables,
            people=people,
            wallets=wallets,
            clock=clock,
            history=SqliteHistory(store.path, {name: actor.setup for name, actor in tables.items()}),
            settled=SqliteSettledRounds(store.path, {name: actor.setup.rules for name, actor in tables.items()}),
            health=lambda: _health(tables, sources, capture),
            registry=registry,
            simulated=simulated,
            on_painted=lambda table, sequence: tables[table].painted(sequence),
        )
        yield Studio(tables, sources, wallets, application)


def settled_rounds(config: Path, table: str, limit: int) -> tuple[RuleSet, tuple[SettledRound, ...]]:
    """Return a table's rules and the settled among its newest ``limit`` rounds, also while the studio runs.

    Raises :class:`SettingsError` or ``ValueError`` where the settings name no such table or there is no journal.
    """
    settings = load_settings(config)
    setups = {one.id: table_setup(one, settings.studio.mode) for one in settings.tables}
    if table not in setups:
        message = f"there is no table {table!r} in {config}; its tables are {', '.join(setups)}"
        raise SettingsError(message)
    rules = setups[table].rules
    return rules, SqliteSettledRounds(settings.studio.data / JOURNAL_FILE, {table: rules}).settled(
        table, limit=limit
    )


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
    ingest = Ingest(source, actor.submit, ports.clock, ports.observer)
    _watch_over(stack, actor, asyncio.create_task(ingest.run(), name=f"ingest {settings.id}"))
    if isinstance(source, DrawnSource):
        dealer = VirtualDealer(actor, source, ports.clock, settings.card_ms * _MS)
        _watch_over(stack, actor, asyncio.create_task(dealer.run(), name=f"virtual dealer {settings.id}"))
    return source


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
    tables: dict[str, TableActor], sources: dict[str, CardSource], capture: SealedCapture
) -> dict[str, Any]:
    """Return what ``/health`` says: the server lives; ``can_deal`` per table says whether nothing holds it up."""
    found: dict[str, dict[str, Any]] = {}
    for name, actor in tables.items():
        device = sources[name].health()
        found[name] = {
            "sequence": actor.sequence,
            "stopped": [incident.kind.value for incident in actor.table.incidents],
            "running": actor.is_running,
            "not_recorded": actor.not_recorded,
            "reader": {**asdict(device), "errors": dict(device.errors)},
            "can_deal": (
                actor.is_running
                and not actor.not_recorded
                and not actor.table.incidents
                and device.link is LinkState.READY
            ),
        }
    return {
        "status": "ok" if all(one["running"] for one in found.values()) else "a table does not run any more",
        "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "tables": found,
        "capture_lost_chunks": dict(capture.lost),
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
        await StudioServer(server, studio.application).serve()


def raise_open_files() -> None:
    """Let the process open as many files as the system allows: each client is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def stop_on_sigterm() -> None:
    """Let SIGTERM before the server runs end the process like Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
