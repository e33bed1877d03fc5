"""A record on paper. The same record gives the same bytes: no clock, no random id, no compression.

It lays out what :mod:`studio.evidence.records` found and adds nothing to it. The standard fonts need no font file;
a character that they have not is written as its code point, and stands in full in the JSON.
"""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from studio.evidence.records import MoneyLine, Person, Record
from studio.evidence.timecode import VideoSpan

_TEXT = ParagraphStyle("text", fontName="Helvetica", fontSize=8.5, leading=11)
_QUIET = ParagraphStyle("quiet", parent=_TEXT, textColor=colors.HexColor("#5b6570"))
_HEAD = ParagraphStyle("head", parent=_TEXT, fontName="Helvetica-Bold", fontSize=10.5, leading=14, spaceBefore=10)
_TITLE = ParagraphStyle("title", parent=_HEAD, fontSize=16, leading=20, spaceBefore=0)
_RIGHT = ParagraphStyle("right", parent=_TEXT, alignment=2)
_MARGIN = 18 * mm
_WIDTH = A4[0] - 2 * _MARGIN
_NS = 1_000_000_000


def render_pdf(record: Record, sha256: str) -> bytes:
    """Return the PDF of a record, which states the hash that it is given."""
    buffer = io.BytesIO()
    title = f"Incident record {record.table} / {record.sequence}"
    template = SimpleDocTemplate(
        buffer,
        pagesize=A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN + 6 * mm,
        title=title,
        author="Live-dealer studio",
        invariant=1,
        pageCompression=0,
    )

    def frame(canvas: Canvas, _template: SimpleDocTemplate) -> None:
        _frame(canvas, record, sha256)

    template.build([*_story(record, title)], onFirstPage=frame, onLaterPages=frame)
    return buffer.getvalue()


def _frame(canvas: Canvas, record: Record, sha256: str) -> None:
    """Write the hash at the foot of each page, and the mark of a simulation at its head."""
    canvas.saveState()
    canvas.setFont("Helvetica", 7)
    canvas.drawString(_MARGIN, 12 * mm, f"SHA-256 of the record: {sha256}")
    canvas.drawRightString(A4[0] - _MARGIN, 12 * mm, f"page {canvas.getPageNumber()}")
    if record.simulated:
        canvas.setFont("Helvetica-Bold", 9)
        canvas.drawRightString(A4[0] - _MARGIN, A4[1] - 12 * mm, "SIMULATION")
    canvas.restoreState()


def _story(record: Record, title: str) -> Iterable[Flowable]:
    yield _p(title, _TITLE)
    yield _p(record.happened)
    yield Spacer(1, 4 * mm)
    yield _grid([*_facts(record)], (38 * mm, _WIDTH - 38 * mm))
    yield _p("Who acted", _HEAD)
    yield _p(", ".join(map(_who, record.actors)))
    yield _p("What happened", _HEAD)
    head = ("#", "time (UTC)", "video", "event", "by", "")
    rows = [
        (str(one.sequence), _time(one.at_wall_ns), one.timecode, one.name, _who(one.by), one.said)
        for one in record.events
    ]
    yield _grid([head, *rows], (12 * mm, 22 * mm, 21 * mm, 33 * mm, 32 * mm, _WIDTH - 120 * mm), headed=True)
    yield _p("Money", _HEAD)
    if record.money:
        lines = [
            (
                line.account if line.accounts == 1 else f"{line.accounts} players",
                _amount(line.amount, line.currency),
            )
            for line in record.money
        ]
        rows_of_money = [*lines, ("All players together", _amount(record.players_delta, record.currency))]
        yield _grid(rows_of_money, (70 * mm, 40 * mm), right=1)
    else:
        yield _p("No money was moved by this case.", _QUIET)
    yield _p("Notes", _HEAD)
    if not record.notes:
        yield _p("None.", _QUIET)
    for note in record.notes:
        yield _p(f"{_time(note.at_wall_ns)}, {_who(note.by)}: {note.text}")


def _facts(record: Record) -> Iterable[tuple[str, str]]:
    closed = "open" if record.closed_wall_ns is None else _time(record.closed_wall_ns)
    yield "Table, round", f"{record.table}, round {record.round}"
    yield "Kind", record.kind + (f", number {record.number}" if record.number else "")
    yield "Classes", ", ".join(record.classes) or "none"
    if record.detail:
        yield "Detail", record.detail
    yield "Opened, closed (UTC)", f"{_time(record.opened_wall_ns)}, {closed}"
    yield "Video (UTC)", _video(record.video)
    yield "Events", f"{record.first} to {record.last}, chain {record.head}"
    if record.way_out:
        yield "Way out", record.way_out
    if record.reason:
        yield "Reason", record.reason
    if record.text:
        yield "In words", record.text
    yield "Clauses", ", ".join(record.clauses) or "none"
    yield "Rules", record.rules_hash


def _video(span: VideoSpan) -> str:
    last = span.last if span.last_day == span.first_day else f"{span.last_day} {span.last}"
    return f"{span.first_day} {span.first} to {last}, at {span.frames_per_second} frames a second"


def _grid(
    rows: Sequence[tuple[str, ...]], widths: tuple[float, ...], *, headed: bool = False, right: int | None = None
) -> Table:
    cells = [
        [
            _p(text, _QUIET if (headed and not place) or (not headed and not column) else _style(column, right))
            for column, text in enumerate(row)
        ]
        for place, row in enumerate(rows)
    ]
    table = Table(cells, colWidths=widths, repeatRows=1 if headed else 0, hAlign="LEFT")
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.HexColor("#c5ccd3")),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ]
        )
    )
    return table


def _style(column: int, right: int | None) -> ParagraphStyle:
    return _RIGHT if column == right else _TEXT


def _p(text: str, style: ParagraphStyle = _TEXT) -> Paragraph:
    return Paragraph(escape(_writable(text)).replace("\n", "<br/>"), style)


def _writable(text: str) -> str:
    """Return text that the standard fonts can write: another character becomes its code point."""
    return "".join(one if _is_writable(one) else f"\\u{ord(one):04x}" for one in text)


def _is_writable(character: str) -> bool:
    try:
        character.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return character == "\n" or character.isprintable()


def _who(person: Person) -> str:
    return f"{person.name} ({person.role})"


def _account(line: MoneyLine) -> str:
    return line.account if line.accounts == 1 else f"{line.accounts} players"


def _time(wall_ns: int) -> str:
    at = dt.datetime.fromtimestamp(wall_ns // _NS, tz=dt.UTC)
    return f"{at:%Y-%m-%d %H:%M:%S}.{wall_ns % _NS // 1_000_000:03d}"


def _amount(minor: int, currency: str) -> str:
    sign = "-" if minor < 0 else ""
    return f"{sign}{abs(minor) // 100:,}.{abs(minor) % 100:02d} {currency}"
