"""Topics, and when a view is made anew."""

from __future__ import annotations

import json

import pytest
from web_fakes import RecordingTable, SetClock, SetWallet

from studio.domain.people import Role
from studio.domain.views import DeviceView
from studio.web.errors import ApiError
from studio.web.sign_in import Session
from studio.web.views import Audience, Topic, Views, day_of, parse_topic

PAM = Session("pam", "Pam", (Role.PLAYER,))
PAT = Session("pat", "Pat", (Role.PLAYER,))
PUBLIC = Topic("t1", Audience.PUBLIC)
OWN = Topic("t1", Audience.PLAYER)


class Show:
    def __init__(self) -> None:
        self.table = RecordingTable()
        self.wallet = SetWallet()
        self.clock = SetClock()
        self.devices = (DeviceView("shoe-1", "reader", "ready", "", 0, {}),)
        self.views = Views({"t1": self.table}, {"EUR": self.wallet}, self.clock, lambda _table: self.devices)


@pytest.mark.parametrize("audience", Audience)
def test_a_topic_reads_as_it_is_written(audience: Audience) -> None:
    topic = Topic("t1", audience)
    assert parse_topic(str(topic)) == topic


@pytest.mark.parametrize(
    "text", ["", "tables", "tables/t1/", "tables/t1/PUBLIC", "rooms/t1/public", "tables/t1/a/b"]
)
def test_anything_else_is_no_topic(text: str) -> None:
    with pytest.raises(ApiError) as refused:
        parse_topic(text)
    assert refused.value.code == "unknown-topic"


def test_the_same_view_is_not_made_twice() -> None:
    show = Show()
    first = show.views.show(PUBLIC, PAM)
    show.clock.advance(60)
    assert show.views.show(PUBLIC, PAT) is first


def test_a_view_is_made_anew_when_the_table_moves() -> None:
    show = Show()
    first = show.views.show(PUBLIC, PAM)
    show.table.sequence += 1
    assert show.views.show(PUBLIC, PAM).basis.sequence == first.basis.sequence + 1


def test_a_view_is_made_anew_on_another_day() -> None:
    show = Show()
    first = show.views.show(PUBLIC, PAM)
    show.clock.advance(86_400)
    assert show.views.show(PUBLIC, PAM).basis.day > first.basis.day


@pytest.mark.parametrize("audience", [Audience.DEALER, Audience.SUPERVISOR])
def test_a_console_is_shown_the_devices_as_they_are_now(audience: Audience) -> None:
    show, who, topic = Show(), Session("max", "Max", (Role.MANAGER,)), Topic("t1", audience)
    before = show.views.show(topic, who)
    assert show.views.show(topic, who) is before
    silent = DeviceView("shoe-1", "reader", "stale", "the reader has fallen silent", 1, {"crc": 2})
    show.devices = (silent,)
    view = json.loads(show.views.show(topic, who).text)
    shown = view["dealer"]["devices"] if audience is Audience.SUPERVISOR else view["devices"]
    assert [DeviceView(**one) for one in shown] == [silent]


@pytest.mark.parametrize("topic", [PUBLIC, OWN])
def test_players_are_shown_no_device(topic: Topic) -> None:
    show = Show()
    assert "shoe-1" not in show.views.show(topic, PAM).text


def test_a_private_view_is_each_players_own() -> None:
    show = Show()
    show.wallet.balances = {"player:pam": 500, "player:pat": 700}
    balances = [json.loads(show.views.show(OWN, who).text)["balance"] for who in (PAM, PAT, PAM)]
    assert balances == [500, 700, 500]


def test_a_message_is_the_view_with_its_sequence_and_the_time_of_sending() -> None:
    show = Show()
    shown = show.views.show(PUBLIC, PAM)
    show.clock.advance(5)
    message = json.loads(shown.message(show.clock.now()))
    assert list(message) == ["topic", "sequence", "server_wall_ns", "view"]
    assert message["server_wall_ns"] == show.clock.now().wall_ns
    assert message["view"] == json.loads(shown.text)


def test_a_role_is_checked_before_the_table_is_looked_for() -> None:
    with pytest.raises(ApiError) as refused:
        Show().views.show(Topic("t9", Audience.SUPERVISOR), PAM)
    assert refused.value.code == "forbidden"


def test_the_day_is_the_one_in_utc() -> None:
    assert day_of(SetClock().now()) == "2023-11-14"
