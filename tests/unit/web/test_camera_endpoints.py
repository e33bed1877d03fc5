"""The camera's pictures over the API: who may see which, and the calibration by four points."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.camera_tables import CameraTable
from web_fakes import Studio

from studio.ports.devices import DeviceHealth, Enrolment, LinkState
from studio.ports.stills import Still
from studio.web.camera_endpoints import may_show_hidden

CORNERS = [[0, 0], [1280, 0], [1280, 720], [0, 720]]


class ShownCamera:
    """A camera with one picture."""

    device = "cam-1"
    simulated = True

    def __init__(self) -> None:
        self.shown = b"\xff\xd8live"
        self.problem = ""
        self.steps: list[tuple[str, str]] = []
        self.corners: list[tuple[float, float]] = []

    def picture(self) -> bytes:
        return self.shown

    async def enrol(self, step: str, due: str = "") -> Enrolment:
        self.steps.append((step, due))
        return Enrolment("", len(self.steps), "2S")

    async def calibrate(self, corners: Sequence[tuple[float, float]]) -> str:
        self.corners = list(corners)
        return self.problem

    def health(self) -> DeviceHealth:
        return DeviceHealth("cam-1", LinkState.LOST, "uncover the lens", {}, 1, None)


class Shelf:
    def __init__(self, **kept: Still) -> None:
        self.kept = {name.replace("f", "").replace("_", "-"): still for name, still in kept.items()}

    def open(self, table: str, frame: str) -> Still | None:
        return self.kept.get(frame) if table == "t1" else None


@pytest.fixture
def web() -> Studio:
    web = Studio()
    web.app.state.cameras = {"t1": ShownCamera()}
    web.app.state.stills = Shelf(f7_1=Still(b"\xff\xd8still", 3, 5))
    return web


async def test_a_supervisor_sees_the_still_of_a_card_and_nobody_keeps_it(web: Studio) -> None:
    answer = await web.get("sup", "/v1/tables/t1/stills/7-1")
    assert (answer.status_code, answer.content) == (200, b"\xff\xd8still")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "no-store"
    assert (await web.get("sup", "/v1/tables/t1/stills/7-2")).status_code == 404


@pytest.mark.parametrize("person", ["dea", "pam"])
@pytest.mark.parametrize("path", ["stills/7-1", "camera", "camera/picture", "camera/enrolment"])
async def test_dealers_and_players_see_no_picture(web: Studio, person: str, path: str) -> None:
    assert (await web.get(person, f"/v1/tables/t1/{path}")).status_code == 403


async def test_a_dealers_still_is_withheld_until_the_hole_card_is_turned() -> None:
    played = CameraTable().ready().round(1)
    before_ns = played.now.monotonic_ns
    played.dealt("TC@s1c1", "9C@dc1", "9D@s1c2", "TH@dc2")
    at_ns = played.now.monotonic_ns
    assert may_show_hidden(played.table, Still(b"", 0, at_ns))
    assert not may_show_hidden(played.table, Still(b"", 1, at_ns))
    assert not may_show_hidden(played.table, Still(b"", 0, before_ns - 10**10))
    played.decide("stand")
    assert not may_show_hidden(played.table, Still(b"", 0, at_ns))


async def test_the_live_picture_and_why_the_camera_is_down(web: Studio) -> None:
    picture = await web.get("sup", "/v1/tables/t1/camera/picture")
    assert (picture.status_code, picture.content) == (200, b"\xff\xd8live")
    state = await web.get("sup", "/v1/tables/t1/camera")
    assert state.json() == {"device": "cam-1", "link": "lost", "reason": "uncover the lens"}


async def test_four_points_calibrate_and_a_refusal_says_why(web: Studio) -> None:
    answer = await web.post("sup", "t1/camera/calibration", {"corners": CORNERS})
    assert answer.json() == {"problem": ""}
    camera: ShownCamera = web.app.state.cameras["t1"]
    assert camera.corners == [tuple(one) for one in CORNERS]
    camera.problem = "these corners are no table"
    again = await web.post("sup", "t1/camera/calibration", {"corners": CORNERS}, key="k2")
    assert again.json() == {"problem": "these corners are no table"}
    assert (await web.post("sup", "t1/camera/calibration", {"corners": CORNERS[:3]}, key="k3")).status_code == 422


async def test_an_enrolment_is_looked_at_and_a_picture_taken_of_what_is_due(web: Studio) -> None:
    look = await web.get("sup", "/v1/tables/t1/camera/enrolment")
    assert look.json() == {"problem": "", "taken": 1, "due": "2S"}
    taken = await web.post("tec", "t1/camera/enrolment", {"step": "take", "due": "AS"})
    assert taken.json() == {"problem": "", "taken": 2, "due": "2S"}
    assert web.app.state.cameras["t1"].steps == [("look", ""), ("take", "AS")]
    assert (await web.post("sup", "t1/camera/enrolment", {"step": "look"}, key="k2")).status_code == 422
    assert (await web.post("dea", "t1/camera/enrolment", {"step": "begin"}, key="k3")).status_code == 403


async def test_a_table_without_a_camera_says_so() -> None:
    assert (await Studio().get("sup", "/v1/tables/t1/camera")).status_code == 404
