"""The table's actor: decide, commit, evolve, publish, one command at a time.

It owns the table's state; nobody else changes it. Nothing is shown or acknowledged before it is on disk. It knows
neither HTTP nor serial lines: both reach it as submissions.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import structlog

from studio.domain.answers import Decided, Rejected, Step
from studio.domain.bets import Placement
from studio.domain.commands import (
    ChangeProfile,
    Command,
    OpenTable,
    PassDeadline,
    PlaceBets,
)
from studio.domain.correction_views import DrawView, Preview, ReadingView
from studio.domain.decide import decide, next_alarm_ns
from studio.domain.events import BettingOpened, Event, TableOpened
from studio.domain.evolve import evolve
from studio.domain.instants import Instant
from studio.domain.money import transfers
from studio.domain.people import SYSTEM, Actor
from studio.domain.preview import preview
from studio.domain.profile import Approval, RulingProfile
from studio.domain.record_commands import (
    RecordFault,
    RecordRestart,
    RecordRules,
    RecordSighting,
)
from studio.domain.rulings_projection import draws_view
from studio.domain.setup import TableSetup
from studio.domain.table import Table
from studio.ports.clock import Clock
from studio.ports.journal import Entry, Journal, JournalError, Receipt, Recorded, Refusal
from studio.ports.observer import Observer
from studio.ports.wallet import Wallet
from studio.runtime.funds import Funds, fund
from studio.runtime.inbox import Done, Outcome, Refused, Repeated, Submission
from studio.runtime.names import command_name, event_name
from studio.runtime.recent_readings import RecentReadings
from studio.runtime.standing import standing_submissions
from studio.runtime.step_watch import StepWatch
from studio.runtime.two_people import informed, of_two_people, read_settled

_NANOSECONDS = 1_000_000_000
_REMEMBERED = 512
_MANY_BETS = 5_000
_RETRY_NS = 250_000_000
_KEY_REUSED = Rejected("key-reused", "This Idempotency-Key was used for another request; take a new key")

T = TypeVar("T")

log = structlog.get_logger(__name__)


class TableRefusedError(Exception):
    """A table that may not be opened; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What an actor needs from the outside."""

    journal: Journal
    wallet: Wallet
    clock: Clock
    observer: Observer
    read_profile: Callable[[], tuple[RulingProfile, Approval]] | None = None
    """Reads the table's ruling profile anew; raises ``ValueError`` where it cannot be used."""
    compare_rules: Callable[[Table], RecordRules] | None = None
    """Says which rules the console shows and which are published (C27)."""


class TableActor:
    """One table. Call :meth:`start` once, then :meth:`submit`; :meth:`stop` at the end."""

    def __init__(self, setup: TableSetup, ports: Ports, opening: OpenTable | None = None) -> None:
        """``opening`` says which profile the table is to go by, where it is not simply its setup's."""
        self.setup = setup
        self._opening = opening or OpenTable()
        self.table = Table(setup)
        self.sequence = 0
        self.not_recorded = ""
        """Why the last append failed, empty once one succeeds again."""
        self.last_failure = ""
        """Why an append failed the last time that one did."""
        self.failed_appends = 0
        self._ports = ports
        self._readings = RecentReadings()
        self._inbox: asyncio.Queue[tuple[Submission, asyncio.Future[Outcome]]] = asyncio.Queue()
        self._watchers: set[Callable[[], None]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._armed_ns: int | None = None
        self._alarm: asyncio.Task[None] | None = None
        self._steps = StepWatch(ports.clock, self._post)
        self._standing: set[str] = set()
        self._names: OrderedDict[int, str] = OrderedDict()
        self._bytes_at: OrderedDict[int, int] = OrderedDict()

    async def start(self) -> None:
        """Replay the journal, open the table, and begin to take commands.

        Raises :class:`TableRefusedError` if the rules changed under the journal.
        """
        last = self._load()
        self._tasks.add(asyncio.create_task(self._run(), name=f"table {self.setup.table}"))
        outcome = await self.submit(Submission(self._opening, SYSTEM, "open"))
        if isinstance(outcome, Refused):
            await self.stop()
            raise TableRefusedError(outcome.rejected.text)
        self._check_published_rules()
        if last is not None:
            await self.submit(Submission(RecordRestart(last.monotonic_ns), SYSTEM, "restart"))
        self._send_standing(self._ports.clock.now())
        log.info("table open", table=self.setup.table, sequence=self.sequence, rules=self.setup.rules.hash[:8])

    def _load(self) -> Instant | None:
        """Fold the journal into the table; return when its last event was, ``None`` where there is none."""
        table, sequence, last = Table(self.setup), 0, None
        for recorded in self._ports.journal.replay(self.setup.table):
            self._check_rules(recorded.event)
            self._readings.note(recorded)
            table, sequence, last = evolve(table, recorded.event), recorded.sequence, recorded.at
        self.table, self.sequence = table, sequence
        return last

    def _check_rules(self, event: Event) -> None:
        rules = self.setup.rules
        if isinstance(event, TableOpened) and event.rules_hash != rules.hash:
            message = (
                f"table {self.setup.table}: its journal was begun under rules {event.rules_hash[:8]}, the variant "
                f"{rules.variant} now has {rules.hash[:8]}; restore the file, or give the new rules a new table"
            )
            raise TableRefusedError(message)

    def _check_published_rules(self) -> None:
        """C27: a table whose console or published sheet has other rules does not open."""
        compare = self._ports.compare_rules
        told = compare(self.table) if compare else None
        own = self.setup.rules.hash
        if told is not None and {told.console, told.published} != {own}:
            message = (
                f"table {self.setup.table} plays by rules {own[:8]}, its console shows {told.console[:8]}, "
                f"published are {told.published[:8]}: load the approved version everywhere"
            )
            raise TableRefusedError(message)

    async def stop(self) -> None:
        """Stop taking commands; what was answered is on disk."""
        self._steps.stop()
        for task in (*self._tasks, *((self._alarm,) if self._alarm else ())):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self._tasks.clear()
        while not self._inbox.empty():
            _, future = self._inbox.get_nowait()
            future.cancel()

    @property
    def is_running(self) -> bool:
        """Whether it still takes commands."""
        return any(not task.done() for task in self._tasks)

    def watch(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` after each commit, until the returned function is called."""
        self._watchers.add(callback)
        return lambda: self._watchers.discard(callback)

    async def submit(self, submission: Submission) -> Outcome:
        """Put a command into the inbox and return its outcome, once it is on disk.

        Raises :class:`studio.ports.journal.JournalError` when it could not be written; nothing changed then.
        """
        return await self._post(submission)

    def _post(self, submission: Submission) -> asyncio.Future[Outcome]:
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        # The caller may be gone by then; an exception that nobody waits for is in the log already.
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._inbox.put_nowait((submission, future))
        return future

    def painted(self, sequence: int) -> None:
        """Take note that a console has painted a view, for the time from byte to paint.

        A view shows everything up to its sequence; of several consoles the first to paint counts.
        """
        now_ns = self._ports.clock.now().monotonic_ns
        for shown in [number for number in self._bytes_at if number <= sequence]:
            seconds = (now_ns - self._bytes_at.pop(shown)) / _NANOSECONDS
            self._ports.observer.painted(self.setup.table, seconds)

    async def _run(self) -> None:
        while True:
            submission, future = await self._inbox.get()
            try:
                outcome = await self._handle(submission)
            except JournalError as error:
                self.not_recorded = self.last_failure = str(error)
                self.failed_appends += 1
                log.warning("not recorded", table=self.setup.table, reason=str(error))
                if not future.done():
                    future.set_exception(error)
                continue
            except Exception:
                log.exception("fault", table=self.setup.table, command=command_name(submission.command))
                outcome = self._faulted(submission)
            if not future.done():
                future.set_result(outcome)

    def _faulted(self, submission: Submission) -> Refused:
        """Principle 4: an unexpected exception is a fault event and a suspended table, never one left running."""
        # It may have come after the append: what is on disk is what happened.
        self._load()
        if not isinstance(submission.command, RecordFault):
            self.report_fault(f"{command_name(submission.command)} could not be handled; see the log")
        text = "An unexpected fault; the table is suspended, call the supervisor"
        return Refused(Rejected("internal-fault", text), self.sequence)

    def report_fault(self, text: str) -> None:
        """Suspend the table because something around it failed unexpectedly."""
        self._post(Submission(RecordFault(text), SYSTEM, "fault"))

    async def _handle(self, submission: Submission) -> Outcome:
        receipt = submission.receipt
        first = self._ports.journal.receipt(receipt.key) if receipt else None
        if receipt is not None and first is not None and first.fingerprint == receipt.fingerprint:
            return Repeated(first.status, first.body)
        at = self._ports.clock.now()
        refusal = self._stale(submission)
        if first is not None:
            refusal, submission = _KEY_REUSED, replace(submission, receipt=None)
        funds = Funds(self._ports.wallet)
        try:
            command = await informed(self._ports.journal, self.table, submission.command, at)
            funded = fund(self.table, self._with_profile(command), funds)
            answer: Decided | Rejected | None = refusal
            if answer is None:
                answer = await self._compute(lambda: decide(self.table, funded, submission.actor, at))
            placed = funded.placements if isinstance(funded, PlaceBets) else ()
            return await self._write(submission, answer, at, placed)
        finally:
            funds.release()

    def _with_profile(self, command: Command) -> Command:
        """Fill in what the profile's file says now."""
        if not isinstance(command, ChangeProfile) or self._ports.read_profile is None:
            return command
        try:
            profile, approval = self._ports.read_profile()
        except ValueError as error:
            return replace(command, problem=str(error))
        return replace(command, profile=profile, approval=approval)

    async def preview(self, command: Command, actor: Actor) -> Preview:
        """Return what a command would do now; nothing happens, and nothing stays reserved."""
        at, funds = self._ports.clock.now(), Funds(self._ports.wallet)
        try:
            funded = fund(self.table, await informed(self._ports.journal, self.table, command, at), funds)
            return await self._compute(lambda: preview(self.table, funded, actor, at))
        finally:
            funds.release()

    def readings(self) -> tuple[ReadingView, ...]:
        """Return the last readings with their bytes, newest first."""
        return self._readings.views(self.table)

    async def settled_draws(self, number: int) -> tuple[DrawView, ...] | None:
        """Return the cards of a settled round by their draws, ``None`` where there is no such round."""
        found = await read_settled(self._ports.journal, self.setup, number, self._ports.clock.now())
        return None if found is None else draws_view(found.table)

    async def _compute(self, work: Callable[[], T]) -> T:
        """Do pure work; with very many bets in a thread, so that other tables and the feed go on meanwhile."""
        bets = self.table.round.bets if self.table.round else ()
        many = len(bets) >= _MANY_BETS or sum(map(len, bets)) >= _MANY_BETS
        return await asyncio.to_thread(work) if many else work()

    def _stale(self, submission: Submission) -> Rejected | None:
        seen = submission.seen_sequence
        if seen is None or seen == self.sequence:
            return None
        return Rejected("stale-view", "The table has moved since you looked; look again and decide anew")

    async def _write(
        self, submission: Submission, answer: Decided | Rejected, at: Instant, placed: tuple[Placement, ...]
    ) -> Outcome:
        match answer:
            case Decided(steps, items):
                proposal, opened = of_two_people(steps)
                outcome: Done | Refused = Done(self.sequence + len(steps), items, placed, proposal, opened)
            case Rejected(code):
                self._ports.observer.refused(self.setup.table, code)
                changed = self._changed_since(submission.seen_sequence) if code == "stale-view" else ()
                outcome, steps = Refused(answer, self.sequence, changed), ()
        entry = await self._compute(lambda: self._entry(submission, outcome, steps, at))
        if entry is not None:
            await self._append(submission, entry)
        self._publish(steps, at)
        return outcome

    def _changed_since(self, seen: int | None) -> tuple[str, ...]:
        return tuple(name for sequence, name in self._names.items() if seen is None or sequence > seen)

    def _entry(
        self, submission: Submission, outcome: Done | Refused, steps: tuple[Step, ...], at: Instant
    ) -> Entry | None:
        """Return what to write, ``None`` where nothing happened and nobody is to be answered twice alike."""
        table, actor, cause = self.setup.table, submission.actor, submission.cause
        behind = _event_behind(submission, steps)
        events = tuple(
            Recorded(table, number, at, actor, cause, step.event, submission.raw if place == behind else b"")
            for place, (number, step) in enumerate(enumerate(steps, start=self.sequence + 1))
        )
        moved = tuple(transfers(step.before, step.event) for step in steps)
        receipt = None
        if submission.receipt is not None:
            status, body = submission.receipt.respond(outcome)
            receipt = Receipt(submission.receipt.key, submission.receipt.fingerprint, status, body)
        refusal = None
        if isinstance(outcome, Refused):
            code, text = outcome.rejected.code, outcome.rejected.text
            refusal = Refusal(table, at, actor, command_name(submission.command), code, text)
        if not events and receipt is None and refusal is None:
            return None
        return Entry(events, moved, receipt, refusal)

    async def _append(self, submission: Submission, entry: Entry) -> None:
        clock, command = self._ports.clock, submission.command
        await self._ports.journal.append(entry)
        for recorded in entry.events:
            self._readings.note(recorded)
        self.not_recorded = ""
        if isinstance(command, RecordSighting) and entry.events:
            received_ns = command.sighting.at_ns
            self._ports.observer.committed(
                self.setup.table, (clock.now().monotonic_ns - received_ns) / _NANOSECONDS
            )
            self._bytes_at[entry.events[-1].sequence] = received_ns
            _forget_oldest(self._bytes_at)

    def _publish(self, steps: tuple[Step, ...], at: Instant) -> None:
        if not steps:
            return
        for step in steps:
            self.sequence += 1
            self._names[self.sequence] = event_name(step.event)
            _forget_oldest(self._names)
            self._ports.observer.happened(step.before, step.event, step.after, at)
        self.table = steps[-1].after
        names = [event_name(step.event) for step in steps]
        log.info("events", table=self.setup.table, sequence=self.sequence, names=names)
        self._arm()
        self._steps.look(self.table)
        if self._ports.compare_rules and any(isinstance(step.event, BettingOpened) for step in steps):
            self._post(Submission(self._ports.compare_rules(self.table), SYSTEM, "rules"))
        self._send_standing(at)
        for callback in tuple(self._watchers):
            callback()

    def _send_standing(self, at: Instant) -> None:
        """Send what is due on a standing word, each once."""
        due = tuple(standing_submissions(self.table, at))
        for submission in due:
            if submission.cause not in self._standing:
                self._post(submission)
        self._standing = {submission.cause for submission in due}

    def _arm(self) -> None:
        """Wake when something is over next: a window, a proposal, the patience for an absent supervisor."""
        deadline_ns = next_alarm_ns(self.table)
        if deadline_ns == self._armed_ns:
            return
        self._armed_ns = deadline_ns
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if deadline_ns is not None:
            self._alarm = asyncio.create_task(self._ring(deadline_ns), name=f"deadline {self.setup.table}")

    async def _ring(self, deadline_ns: int) -> None:
        clock = self._ports.clock
        await clock.sleep_until(deadline_ns)
        while True:
            try:
                await self.submit(Submission(PassDeadline(), SYSTEM, "deadline"))
            except JournalError:
                # A deadline is a fact too: it is told again until it is on disk.
                await clock.sleep_until(clock.now().monotonic_ns + _RETRY_NS)
            else:
                return


def _forget_oldest(kept: OrderedDict[int, str] | OrderedDict[int, int]) -> None:
    while len(kept) > _REMEMBERED:
        kept.popitem(last=False)


def _event_behind(submission: Submission, steps: tuple[Step, ...]) -> int:
    """Return the place of the event that the bytes led to: its own sealing is theirs.

    A rescan, for one, closes its incident first, and only the card that follows may be face down.
    """
    command = submission.command
    if isinstance(command, RecordSighting):
        for place, step in enumerate(steps):
            if getattr(step.event, "sighting", None) == command.sighting.id:
                return place
    return 0
