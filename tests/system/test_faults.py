"""Each fault button of the demo opens the incidents that its caption names, and they can be put right.

One studio is shared by all: real server, real driver over a pseudo-terminal, simulated shoe and dealer, players. A
test presses a button and waits for what happens, without fixed pauses. After a test that failed the studio is new.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from support.fault_ledger import Closed
from support.fault_studio import PLAYERS, SERVER_CLOCK, FaultStudio, run_fault_studio
from support.journal_audit import check_money, read_book
from support.studio_folder import DEALER, SUPERVISOR, Pace, StudioFolder, make_studio_folder

from hardware_sim.dealer_acts import CARD_CODES
from hardware_sim.faults import FAULTS, Fault, FaultKind
from studio.domain.anomalies import CATALOGUE, AnomalyKind

in_shared_loop = pytest.mark.asyncio(loop_scope="module")

_SEED = 1
_CARDS = 6
_PACE = Pace(
    betting_ms=700,
    insurance_ms=600,
    decision_ms=3_000,
    resume_grace_ms=500,
    minimum_draw_interval_ms=150,
    quiet_after_burn_ms=3_000,
)

RULED: dict[Fault, tuple[str, ...]] = {
    Fault.DOUBLE_READ: ("mark-duplicate",),
    Fault.MISSED: ("discard",),
    Fault.CARD_RETURN: ("void", "go-on"),
    Fault.IMPOSSIBLE_COPY: ("void", "change-shoe"),
    Fault.LATE_CUT_CARD: ("change-shoe",),
    Fault.MISSING_CUT_CARD: ("change-shoe",),
    Fault.EXTRA_CARD: ("use-next", "burn"),
    Fault.CARD_BEFORE_TIME: ("use-next",),
    Fault.WRONG_BURN: ("burn",),
    Fault.WRONG_SEAT: ("laid",),
}
"""Closed by the supervisor, by the first of these ways out that is lawful then."""

MENDED = (
    Fault.LID_OPEN,
    Fault.GATE_STUCK,
    Fault.JAM,
    Fault.UNPLUG,
    Fault.SWAPPED_READER,
    Fault.STUCK_HEARTBEAT,
    Fault.NAK_STORM,
)
"""Closed by the dealer once the cause is gone."""

RESCANNED = (Fault.NO_READ, Fault.UNKNOWN_CODE)

HARMLESS = (
    Fault.SHORT_SHOE,
    Fault.REBOOT,
    Fault.CLOCK_JUMP,
    Fault.DROP,
    Fault.SPLIT,
    Fault.MERGE,
    Fault.DUPLICATE,
    Fault.BIT_FLIP,
    Fault.GARBAGE,
    Fault.LATENCY,
    Fault.LOST_ACKNOWLEDGEMENT,
)
_COUNTED = frozenset({Fault.BIT_FLIP, Fault.GARBAGE})

OTHERS = (
    Fault.UNREADABLE,
    Fault.EARLY_CUT_CARD,
    Fault.BOXED_CARD,
    Fault.SILENCE,
    Fault.KILL_SERVER,
    Fault.DISK_FULL,
    Fault.SERVER_CLOCK,
)
"""Each has a test of its own."""


class SharedStudio:
    """The studio of this file's tests: started when first needed, and anew after a test that failed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = 0
        self._folder: StudioFolder | None = None
        self._running: FaultStudio | None = None
        self._stack = AsyncExitStack()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[FaultStudio]:
        """Give one test the studio, with no incident open."""
        if self._running is None:
            self._count += 1
            self._folder = _make_folder(self._path / str(self._count))
            self._running = await self._stack.enter_async_context(run_fault_studio(self._folder, _SEED))
        studio = self._running
        try:
            await studio.wait_closed()
            yield studio
            studio.ledger.check_money()
        except BaseException:
            self._running = self._folder = None
            await self._stack.aclose()
            raise

    async def close(self) -> None:
        """Stop the studio; then check its money event by event, every void's refunds with it."""
        await self._stack.aclose()
        if self._folder is not None:
            money = check_money(read_book(self._folder))
            assert money.settled > 0


def _make_folder(path: Path) -> StudioFolder:
    """Make a studio whose shoes last about 40 cards, and whose cut card is missed four cards after its place."""
    folder = make_studio_folder(path, *PLAYERS, cut_position=370, pace=_PACE)
    settings = folder.settings.read_text(encoding="utf-8")
    settings = settings.replace("[tables.profile]", "[tables.profile]\ncut_card_tolerance = 4")
    settings = settings.replace('data = "journal"', f'data = "journal"\nsimulated_clock = "{SERVER_CLOCK}"')
    folder.settings.write_text(settings, encoding="utf-8")
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SharedStudio]:
    shared = SharedStudio(tmp_path_factory.mktemp("faults"))
    yield shared
    await shared.close()


def _named(fault: Fault) -> list[AnomalyKind]:
    """Return the kinds of incidents that a caption names, in its order."""
    caption = FAULTS[fault].caption
    return sorted(
        (kind for kind in AnomalyKind if kind.value in caption), key=lambda kind: caption.index(kind.value)
    )


def _kinds(fault: Fault) -> list[AnomalyKind]:
    """Return the kinds that a fault may come to: a card that nobody read may be the hole card."""
    named = _named(fault)
    is_unread = {AnomalyKind.NO_READ, AnomalyKind.UNKNOWN_CODE} & {*named}
    return [*named, AnomalyKind.HOLE_UNREAD] if is_unread else named


async def _see(studio: FaultStudio, kind: str) -> int:
    """Wait until an incident of ``kind`` is open, look at it as a supervisor does; return the sequence then."""
    incident = await studio.wait_incident(kind)
    assert incident["cause"] == CATALOGUE[AnomalyKind(kind)].cause
    assert studio.table["stopped"]
    return studio.now.sequence


async def _see_round_end(studio: FaultStudio, since: int, end: str) -> None:
    """See a round end as it should, and the next one take bets."""
    await studio.wait(f"a round {end}", lambda: end in studio.ledger.rounds(since))
    await studio.wait("the next betting", lambda: studio.table["phase"] == "betting")


def _stopping(studio: FaultStudio, since: int) -> list[Closed]:
    """Return the incidents but for the warning that a cut card came far too early, which stops nothing."""
    return [one for one in studio.ledger.incidents(since) if one.kind != AnomalyKind.CUT_CARD_POSITION]


def test_each_fault_has_its_test() -> None:
    assert sorted((*RULED, *MENDED, *RESCANNED, *HARMLESS, *OTHERS)) == sorted(Fault)


def test_captions_name_the_kinds_that_these_tests_see() -> None:
    assert [fault for fault in (*HARMLESS, Fault.EARLY_CUT_CARD) if _named(fault)] == []
    assert _named(Fault.UNREADABLE) == ["no-read"]
    assert _named(Fault.SILENCE) == ["scanner-down", "wrong-mode"]
    assert _named(Fault.BOXED_CARD) == ["boxed-card"]
    assert _named(Fault.KILL_SERVER) == ["crash-recovery"]
    assert _named(Fault.DISK_FULL) == ["commit-failed", "wrong-mode"]
    assert _named(Fault.SERVER_CLOCK) == ["clock-jump"]


@in_shared_loop
@pytest.mark.parametrize("fault", RULED)
async def test_the_supervisor_rules(shared: SharedStudio, fault: Fault) -> None:
    async with shared.running() as studio:
        since = studio.ledger.sequence()
        if fault is Fault.WRONG_BURN:
            await studio.press(Fault.EARLY_CUT_CARD)  # the sooner a new shoe is burned
        kind = await studio.provoke(fault, _kinds(fault))
        await studio.press(fault, is_on=False)
        seen = await _see(studio, kind)
        way_out = await studio.resolve(kind, RULED[fault])
        await _see_round_end(studio, seen, "voided" if way_out == "void" else "settled")
        assert _stopping(studio, since) == [Closed(kind, way_out, SUPERVISOR)]


@in_shared_loop
@pytest.mark.parametrize("fault", MENDED)
async def test_the_dealer_goes_on_when_the_cause_is_gone(shared: SharedStudio, fault: Fault) -> None:
    async with shared.running() as studio:
        since = studio.ledger.sequence()
        await studio.hold_still()
        await studio.press(fault)
        if fault is Fault.NAK_STORM:
            await studio.control("POST", "/resume")  # no refusal without a card
        (kind,) = _named(fault)
        seen = await _see(studio, kind)
        assert _is_latched(studio, kind) or fault is Fault.STUCK_HEARTBEAT  # whose port is opened again at once
        cards = studio.ledger.cards(0)
        await studio.press(fault, is_on=False)
        await studio.wait("the cause to be gone", lambda: not _is_latched(studio, kind))
        assert studio.ledger.cards(0) == cards
        await studio.control("POST", "/resume")
        await studio.wait_closed()
        await _see_round_end(studio, seen, "settled")
        assert studio.ledger.incidents(since) == [Closed(kind, "go-on", DEALER)]


def _is_latched(studio: FaultStudio, kind: str) -> bool:
    """Tell whether an incident still waits for its cause to end, so that nobody can go on."""
    incident = studio.incident(kind)
    return incident is not None and not incident["cleared"] and "go-on" not in incident["ways_out"]


@in_shared_loop
@pytest.mark.parametrize("fault", RESCANNED)
async def test_the_dealer_rescans(shared: SharedStudio, fault: Fault) -> None:
    async with shared.running() as studio:
        since = studio.ledger.sequence()
        kind = await studio.provoke(fault, _kinds(fault))
        seen = await _see(studio, kind)
        await _see_round_end(studio, seen, "settled")
        assert studio.ledger.incidents(since) == [Closed(kind, "rescan", "shoe-1")]


@in_shared_loop
@pytest.mark.parametrize("fault", HARMLESS)
async def test_cards_come_undisturbed(shared: SharedStudio, fault: Fault) -> None:
    async with shared.running() as studio:
        since = studio.ledger.sequence()
        errors = sum((await studio.errors()).values())
        await studio.press(fault)
        await studio.wait_cards(_CARDS)
        if FAULTS[fault].kind is FaultKind.ONE_SHOT:
            assert not await studio.is_armed(fault)
        await studio.press(fault, is_on=False)
        await studio.wait_cards(2)
        assert studio.ledger.incidents(since) == []
        assert fault not in _COUNTED or sum((await studio.errors()).values()) > errors


@in_shared_loop
async def test_a_card_that_can_never_be_read_is_discarded(shared: SharedStudio) -> None:
    async with shared.running() as studio:
        since = studio.ledger.sequence()
        kind = await studio.provoke(Fault.UNREADABLE, _kinds(Fault.UNREADABLE))
        seen = await _see(studio, kind)
        await studio.wait("two failed rescans", lambda: studio.table["suspended"])
        incident = studio.incident(kind)
        assert incident is not None
        assert incident["tries"] == 2
        await studio.resolve(kind, ["discard"])
        await _see_round_end(studio, seen, "settled")
        assert studio.ledger.incidents(since) == [Closed(kind, "discard", SUPERVISOR)]


@in_shared_loop
async def test_a_card_pulled_in_silence_takes_its_place_when_it_arrives(shared: SharedStudio) -> None:
    async with shared.running() as studio:
        await studio.wait("a deal", lambda: studio.table["phase"] == "dealing")
        since = studio.ledger.sequence()
        await studio.press(Fault.SILENCE)
        seen = await _see(studio, AnomalyKind.SCANNER_DOWN)
        cards = studio.ledger.cards(0)
        await studio.press(Fault.SILENCE, is_on=False)
        await studio.wait("the reader", lambda: studio.now.view["dealer"]["reader_ready"])
        assert studio.ledger.cards(0) == cards + 1
        await studio.wait_closed()
        await _see_round_end(studio, seen, "settled")
        # The gate that the unheard reader closed opens by itself: no second incident.
        assert studio.ledger.incidents(since) == [Closed("scanner-down", "go-on", DEALER)]


@in_shared_loop
async def test_an_early_cut_card_ends_the_shoe(shared: SharedStudio) -> None:
    async with shared.running() as studio:
        since = studio.ledger.sequence()
        await studio.press(Fault.EARLY_CUT_CARD)
        await studio.wait("a new shoe", lambda: "shoe-loaded" in studio.ledger.names(since))
        names = studio.ledger.names(since)
        assert names.index("cut-card-seen") < names.index("shoe-closed")
        await studio.wait("the next betting", lambda: studio.table["phase"] == "betting")
        assert _stopping(studio, since) == []


@in_shared_loop
async def test_a_boxed_card_is_drawn_and_put_away_and_the_deal_goes_on(shared: SharedStudio) -> None:
    async with shared.running() as studio:
        since = studio.ledger.sequence()
        await studio.press(Fault.BOXED_CARD)
        drawn = Closed("boxed-card", "out-of-play", "shoe-1")
        await studio.wait("the card to be put away", lambda: drawn in studio.ledger.incidents(since))
        await _see_round_end(studio, studio.ledger.sequence(), "settled")
        assert _stopping(studio, since) == [drawn]
        names = studio.ledger.names(since)
        assert names.index("card-burned") > names.index("anomaly-detected")


@in_shared_loop
async def test_what_a_full_disk_cannot_take_does_not_count_and_the_round_goes_on_when_it_can(
    shared: SharedStudio,
) -> None:
    async with shared.running() as studio:
        await studio.wait("a deal", lambda: studio.table["phase"] == "dealing")
        await studio.hold_still()
        since, cards = studio.ledger.sequence(), studio.ledger.cards(0)
        await studio.press(Fault.DISK_FULL)
        assert await studio.is_armed(Fault.DISK_FULL)
        await studio.control("POST", "/resume")
        await studio.wait_unrecorded()
        assert (studio.ledger.sequence(), studio.ledger.cards(0)) == (since, cards)
        await studio.press(Fault.DISK_FULL, is_on=False)
        await studio.wait_cards(1)
        await _see_round_end(studio, since, "settled")
        await studio.wait_closed()
        closed = studio.ledger.incidents(since)
        assert Closed("commit-failed", "go-on", "system") in closed
        assert {one.kind for one in closed} <= {*_named(Fault.DISK_FULL)}


@in_shared_loop
async def test_a_clock_that_jumped_lets_no_new_round_begin_until_it_runs_evenly(shared: SharedStudio) -> None:
    async with shared.running() as studio:
        await studio.wait("the betting", lambda: studio.table["phase"] == "betting")
        since = studio.ledger.sequence()
        await studio.press(Fault.SERVER_CLOCK)
        kind = AnomalyKind.CLOCK_JUMP
        await studio.wait_incident(kind)
        await studio.wait("the end of the round", lambda: "settled" in studio.ledger.rounds(since))
        await studio.wait("the clock to run evenly", lambda: not _is_latched(studio, kind))
        assert studio.table["phase"] == "idle"
        await studio.resolve(kind, ["go-on"])
        await studio.press(Fault.SERVER_CLOCK, is_on=False)  # another jump
        await studio.wait_incident(kind)
        await studio.wait("the clock to run evenly", lambda: not _is_latched(studio, kind))
        await studio.resolve(kind, ["go-on"])
        await studio.wait("the next betting", lambda: studio.table["phase"] == "betting")
        assert studio.ledger.incidents(since) == [Closed(kind, "go-on", SUPERVISOR)] * 2


@in_shared_loop
async def test_a_killed_server_goes_on_when_the_dealer_has_confirmed_the_felt(shared: SharedStudio) -> None:
    async with shared.running() as studio:
        await studio.wait("a deal", lambda: studio.table["phase"] == "dealing")
        since = studio.ledger.sequence()
        await studio.hold_still()
        await studio.press(Fault.KILL_SERVER)
        seen = await _see(studio, AnomalyKind.CRASH_RECOVERY)
        await studio.control("POST", "/resume")
        await studio.wait_closed()
        await _see_round_end(studio, seen, "settled")
        assert studio.ledger.incidents(since) == [Closed("crash-recovery", "go-on", DEALER)]


@in_shared_loop
async def test_a_card_rescanned_after_a_restart_is_dealt(shared: SharedStudio) -> None:
    """The new process knows which card was the last, not that it was unread: the table does."""
    async with shared.running() as studio:
        await studio.wait("a deal", lambda: studio.table["phase"] == "dealing")
        await studio.control("POST", "/pause")
        since = studio.ledger.sequence()
        await studio.press(Fault.NO_READ)
        while studio.incident(AnomalyKind.NO_READ) is None:
            await studio.wait("a card to be due", lambda: _is_card_due(studio))
            before = studio.now.sequence
            await studio.control("POST", "/step")
            await studio.wait_sequence(before + 1)
        await studio.hold_still()
        await studio.press(Fault.KILL_SERVER)
        seen = await _see(studio, AnomalyKind.CRASH_RECOVERY)
        assert studio.incident(AnomalyKind.NO_READ) is not None
        await studio.control("POST", "/resume")
        await studio.wait_closed()
        await _see_round_end(studio, seen, "settled")
        assert studio.ledger.incidents(since) == [
            Closed("no-read", "rescan", "shoe-1"),
            Closed("crash-recovery", "go-on", DEALER),
        ]


def _is_card_due(studio: FaultStudio) -> bool:
    return studio.now.view["dealer"]["instruction"]["code"] in CARD_CODES or studio.table["stopped"]


@in_shared_loop
async def test_a_fault_that_ended_while_the_server_was_down_can_be_closed(shared: SharedStudio) -> None:
    async with shared.running() as studio:
        await studio.hold_still()
        await studio.press(Fault.LID_OPEN)
        seen = await _see(studio, AnomalyKind.WRONG_MODE)
        await studio.press(Fault.KILL_SERVER)
        await studio.press(Fault.LID_OPEN, is_on=False)
        await studio.control("POST", "/resume")
        await studio.wait_closed()
        await _see_round_end(studio, seen, "settled")
