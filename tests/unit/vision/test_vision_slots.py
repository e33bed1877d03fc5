"""What the table's eye tells of cards as they come and go (vision.md, parts 3 to 6)."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from support.camera_reader import Reading, TemplateReader, cut
from support.camera_rig import CameraRig

from hardware_sim.camera.faults import CameraFault
from hardware_sim.camera.felt import Place
from studio.domain.cards import DECK, parse_card
from studio.domain.instants import Instant
from vision.image import Image
from vision.table.eye import TableEye
from vision.table.frames import Frame


@dataclass
class Scripted:
    """A recogniser that says what it is told to, then nothing."""

    codes: list[str] = field(default_factory=list)

    def read(self, _card: Image) -> Reading:
        code = self.codes.pop(0) if self.codes else ""
        return Reading(parse_card(code), 0.99, "") if code else Reading(None, 0.0, "low-confidence")


def test_a_card_is_told_once_with_its_outline_and_the_frames_it_stands_on() -> None:
    rig = CameraRig()
    rig.felt.lay(parse_card("8S"), 3, 1, rig.now_ns)
    assert rig.run(3) == [("s3h1", 1, "read", "8S")]
    (seen,) = rig.seen
    assert seen.outline is not None
    assert seen.outline.shape == (4, 2)
    assert len(seen.frames) >= 3
    assert seen.confidence > 0.5
    assert seen.still.shape[2] == 3


def test_a_settled_card_is_told_within_half_a_second() -> None:
    rig = CameraRig()
    rig.felt.lay(parse_card("KD"), 3, 1, rig.now_ns)
    laid_ns = rig.now_ns + 600_000_000
    rig.run(3)
    assert rig.seen[0].at.received.monotonic_ns - laid_ns <= 500_000_000


def test_the_cards_of_a_fan_are_told_in_order_though_each_covers_the_one_before() -> None:
    rig = CameraRig()
    told = []
    for code in ("AH", "2C", "7D", "KS", "9H", "3C"):
        rig.felt.lay(parse_card(code), 5, 1, rig.now_ns)
        told += rig.run(1.3)
    assert told == [("s5h1", n, "read", code) for n, code in enumerate(("AH", "2C", "7D", "KS", "9H", "3C"), 1)]


def test_a_hole_card_is_occupied_until_it_is_turned() -> None:
    rig = CameraRig()
    rig.felt.lay(parse_card("9C"), 0, 1, rig.now_ns)
    rig.run(1.3)
    rig.felt.lay(parse_card("TH"), 0, 1, rig.now_ns, is_up=False)
    assert rig.run(2) == [("d", 2, "occupied", "")]
    rig.felt.turn(Place(0, 1, 2), rig.now_ns)
    assert rig.run(1.3) == [("d", 2, "read", "TH")]


def test_a_card_moved_by_a_split_is_gone_here_and_read_there() -> None:
    rig = CameraRig()
    for code in ("8D", "8H"):
        rig.felt.lay(parse_card(code), 2, 1, rig.now_ns)
        rig.run(1.3)
    rig.felt.move(Place(2, 1, 2), 2, 2, rig.now_ns)
    # What lay under it is read once more.
    assert set(rig.run(2)) == {("s2h1", 2, "cleared", ""), ("s2h1", 1, "read", "8D"), ("s2h2", 1, "read", "8H")}
    rig.felt.lay(parse_card("5S"), 2, 1, rig.now_ns)
    assert rig.run(1.3) == [("s2h1", 2, "read", "5S")]


def test_a_card_laid_where_a_split_card_lay_a_moment_ago_is_told_in_its_place() -> None:
    rig = CameraRig()
    for code in ("8D", "8H"):
        rig.felt.lay(parse_card(code), 2, 1, rig.now_ns)
        rig.run(1.3)
    rig.felt.move(Place(2, 1, 2), 2, 2, rig.now_ns)
    rig.felt.lay(parse_card("QH"), 2, 1, rig.now_ns)
    assert set(rig.run(2)) == {("s2h1", 2, "read", "QH"), ("s2h2", 1, "read", "8H")}


@pytest.mark.parametrize(("first", "then"), [("3H", "TD"), ("QD", "9H"), ("QC", "QS"), ("AS", "4S")])
def test_a_card_that_is_exchanged_for_another_in_its_place_is_read_anew(first: str, then: str) -> None:
    rig = CameraRig()
    rig.felt.lay(parse_card(first), 4, 1, rig.now_ns)
    rig.run(1.3)
    rig.felt.collect(rig.now_ns, 4)
    rig.felt.lay(parse_card(then), 4, 1, rig.now_ns)
    assert rig.run(3) == [("s4h1", 1, "read", then)]


def test_a_hand_that_is_collected_while_the_next_card_is_laid_is_no_longer_what_it_was() -> None:
    rig = CameraRig()
    for code in ("QD", "QH"):
        rig.felt.lay(parse_card(code), 1, 1, rig.now_ns)
        rig.run(1.3)
    rig.felt.collect(rig.now_ns, 1)
    rig.felt.lay(parse_card("9H"), 1, 1, rig.now_ns)
    assert set(rig.run(3)) == {("s1h1", 2, "cleared", ""), ("s1h1", 1, "read", "9H")}


def test_a_hand_that_passes_takes_nothing_back_and_tells_nothing() -> None:
    rig = CameraRig()
    rig.felt.lay(parse_card("QC"), 4, 1, rig.now_ns)
    rig.run(1.3)
    rig.felt.pass_over(4, 1, rig.now_ns)
    assert rig.run(2) == []


def test_cards_that_are_collected_are_cleared_each_at_its_place() -> None:
    rig = CameraRig()
    for code in ("QC", "4D"):
        rig.felt.lay(parse_card(code), 4, 1, rig.now_ns)
        rig.run(1.3)
    rig.felt.collect(rig.now_ns)
    assert rig.run(2) == [("s4h1", 1, "cleared", ""), ("s4h1", 2, "cleared", "")]


def test_a_face_up_card_at_the_shoes_mouth_is_told_without_a_place() -> None:
    rig = CameraRig()
    rig.felt.at_mouth = parse_card("6H")
    assert [(slot, seen) for slot, _, seen, _ in rig.run(2)] == [("mouth", "face-up-in-shoe")]


def test_two_cards_laid_as_one_are_told_as_two_never_as_one_of_them() -> None:
    rig = CameraRig()
    rig.felt.lay(parse_card("6H"), 4, 1, rig.now_ns)
    rig.felt.lay(parse_card("JD"), 4, 1, rig.now_ns)
    assert rig.run(3) == [("s4h1", 1, "two-cards", "")]


def test_an_arm_that_rests_on_the_cards_is_told_as_covering_them() -> None:
    rig = CameraRig()
    told = rig.run(3, {CameraFault.ARM})
    assert ("d", 1, "occluded", "") in told
    assert not [one for one in told if one[2] == "read"]
    assert ("d", 1, "cleared", "") in rig.run(2)


@pytest.mark.parametrize("light", [CameraFault.SHADOW, CameraFault.DIM, CameraFault.NOISE, CameraFault.GLARE])
def test_in_bad_light_a_card_is_read_rightly_or_not_at_all(light: CameraFault) -> None:
    rig = CameraRig()
    cards = {}
    told = []
    for seat, card in zip((1, 3, 5, 7), DECK[3::13], strict=True):
        rig.felt.lay(card, seat, 1, rig.now_ns)
        cards[f"s{seat}h1"] = card.code
        told += rig.run(1.5, {light})
    read = {slot: code for slot, _, seen, code in told if seen == "read"}
    assert read.items() <= cards.items()
    if light in {CameraFault.SHADOW, CameraFault.DIM}:
        assert read == cards


# The vote


def test_readings_that_contradict_each_other_give_no_card_however_many_agree_later() -> None:
    rig = CameraRig(Scripted(["8S", "8C", *["8S"] * 40]))
    rig.felt.lay(parse_card("8S"), 3, 1, rig.now_ns)
    assert rig.run(6) == [("s3h1", 1, "occupied", "")]
    assert rig.seen[0].reason == "frames-differ"


def test_a_reader_that_abstains_leaves_the_place_occupied_with_its_reason() -> None:
    rig = CameraRig(Scripted())
    rig.felt.lay(parse_card("8S"), 3, 1, rig.now_ns)
    assert rig.run(3) == [("s3h1", 1, "occupied", "")]
    assert rig.seen[0].reason == "low-confidence"


def test_a_card_that_becomes_readable_is_told_then() -> None:
    rig = CameraRig(Scripted([""] * 7 + ["8S"] * 5))
    rig.felt.lay(parse_card("8S"), 3, 1, rig.now_ns)
    assert rig.run(6) == [("s3h1", 1, "occupied", ""), ("s3h1", 1, "read", "8S")]


# Bad input


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (CameraFault.BLACK, "black"),
        (CameraFault.GREY, "grey"),
        (CameraFault.WRONG_SIZE, "wrong-size"),
        (CameraFault.TURNED, "drifted"),
        (CameraFault.FROZEN, "frozen"),
    ],
)
def test_a_bad_picture_has_a_reason_and_takes_no_card_and_brings_none(fault: CameraFault, reason: str) -> None:
    rig = CameraRig()
    rig.felt.lay(parse_card("4C"), 6, 1, rig.now_ns)
    rig.run(1.3)
    assert rig.run(3, {fault}) == []
    assert rig.eye.reason == reason
    assert rig.run(2) == []
    assert not rig.eye.reason
    rig.felt.lay(parse_card("9S"), 6, 1, rig.now_ns)
    assert rig.run(1.3) == [("s6h1", 2, "read", "9S")]


def test_a_frame_that_is_too_old_is_not_used() -> None:
    rig = CameraRig()
    image = rig.camera.scene.render(rig.now_ns)
    rig.eye.look(Frame(image, 99, Instant(rig.now_ns - 400_000_000, 0)), rig.now_ns)
    assert rig.eye.reason == "old"


# Nobody saw the cards come


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_hand_that_lies_there_at_a_start_is_covered_until_it_is_cleared_and_never_two_cards(count: int) -> None:
    rig = CameraRig()
    for code in ("8S", "TC", "4D", "2H")[:count]:
        rig.felt.lay(parse_card(code), 3, 1, rig.now_ns)
        rig.run(1.3)
    rig.eye = TableEye(rig.calibration, TemplateReader(), cut)
    covered = [("s3h1", position, "occluded", "") for position in range(1, 9)]
    assert rig.run(1.5) == covered
    rig.felt.lay(parse_card("9H"), 3, 1, rig.now_ns)
    assert rig.run(3) == []
    rig.felt.collect(rig.now_ns)
    assert rig.run(2) == [(slot, position, "cleared", "") for slot, position, _, _ in covered]
    rig.felt.lay(parse_card("9H"), 3, 1, rig.now_ns)
    assert rig.run(2) == [("s3h1", 1, "read", "9H")]


def test_a_single_card_that_lies_there_at_a_start_is_read_and_the_next_one_too() -> None:
    rig = CameraRig()
    rig.felt.lay(parse_card("8S"), 3, 1, rig.now_ns)
    rig.run(1.3)
    rig.eye = TableEye(rig.calibration, TemplateReader(), cut)
    assert rig.run(2) == [("s3h1", 1, "read", "8S")]
    rig.felt.lay(parse_card("9H"), 3, 1, rig.now_ns)
    assert rig.run(2) == [("s3h1", 2, "read", "9H")]


def test_two_cards_that_came_while_the_picture_was_black_are_covered_and_never_two_cards() -> None:
    rig = CameraRig()
    rig.camera.set_fault(CameraFault.BLACK, is_on=True)
    for code in ("9H", "KC"):
        rig.felt.lay(parse_card(code), 3, 1, rig.now_ns)
        rig.run(1.5)
    rig.camera.set_fault(CameraFault.BLACK, is_on=False)
    assert {(slot, what) for slot, _, what, _ in rig.run(3)} == {("s3h1", "occluded")}
