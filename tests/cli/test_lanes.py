"""The lanes of `fencepost story`: states over time, compared with the intervals and the health of the same log."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.operations import lanes
from fencepost.checkers.operations.about import About
from fencepost.checkers.operations.health import health
from fencepost.checkers.operations.intervals import intervals
from fencepost.checkers.operations.moments import When
from fencepost.checkers.operations.story import story
from fencepost.traces import find_log

RECORDED = Path(__file__).parents[2] / "traces" / "recorded"
EVERYTHING, END = About(), When("end")
LOGS = (
    "kill-nine-elr",
    "reassignment",
    "delete-recreate",
    "snapshots",
    "rolling-restart",
    "min-isr-while-isr-empty-4.4.0",
)


@cache
def lanes_of(name: str, begin: int = 0, end: int | None = None) -> dict[str, Any]:
    """The lanes of a recording between two offsets; no row is asked."""
    to = END if end is None else When(str(end), offset=end)
    found = story(find_log(str(RECORDED / name)), When(str(begin), offset=begin), to, EVERYTHING, None, 0)["lanes"]
    assert isinstance(found, dict)
    return found


def spans(states: list[dict[str, Any]], holds: Any) -> list[tuple[int, int | None]]:
    """The offsets from which to which something holds of a lane, neighbouring states as one."""
    found: list[tuple[int, int | None]] = []
    for one in states:
        if holds(one):
            if found and found[-1][1] == one["offset"]:
                found[-1] = found[-1][0], one["to"]
            else:
                found.append((one["offset"], one["to"]))
    return found


@pytest.mark.representative("reassignment", "rolling-restart", "min-isr-while-isr-empty-4.4.0")
@pytest.mark.parametrize("name", LOGS)
def test_lanes_agree_with_the_intervals(name: str) -> None:
    """Fenced brokers, leaderless partitions and those under min ISR are so from the offsets to the offsets that
    `--intervals`, which replays record by record, has; and so many are counted at each point."""
    found = lanes_of(name)
    all_intervals = intervals(find_log(str(RECORDED / name)), When("0", offset=0), END, EVERYTHING, StaticSettings())[
        "intervals"
    ]
    expected: dict[tuple[str, str], list[tuple[int, int | None]]] = {}
    for one in all_intervals:
        to = None if one["to"] is None else one["to"]["offset"]
        expected.setdefault((one["condition"], one["name"]), []).append((one["from"]["offset"], to))
    for lane in found["brokers"]:
        fenced = spans(lane["states"], lambda state: state["state"] == "fenced")
        assert fenced == expected.get(("fenced", str(lane["broker"])), [])
    shown = {lane["partition"]: lane["states"] for lane in found["partitions"]}
    assert len(shown) == len(found["partitions"]) or name == "delete-recreate"
    for (condition, entity), mine in expected.items():
        if condition in ("leaderless", "under_min_isr") and entity in shown and found["left_out"]["partitions"] == 0:
            assert mine == spans(
                shown[entity],
                lambda state, condition=condition: (
                    state["leader"] is None if condition == "leaderless" else len(state["isr"]) < state["min_isr"]
                ),
            )
    for point in found["counts"]:
        for condition, counted in (("leaderless", "offline"), ("under_min_isr", "under_min_isr")):
            holding = sum(
                begin <= point["offset"] and (to is None or point["offset"] < to)
                for (of, _), mine in expected.items()
                for begin, to in mine
                if of == condition
            )
            assert (point["offset"], point[counted]) == (point["offset"], holding)


@pytest.mark.parametrize(("name", "at"), [("reassignment", 170), ("reassignment", 175), ("kill-nine-elr", 345)])
def test_the_last_states_are_those_of_health(name: str, at: int) -> None:
    """Up to an offset the lanes end with the counts, the leaders, ISRs and reassignments that `health` has there."""
    found, now = lanes_of(name, 0, at), health(find_log(str(RECORDED / name)), When(str(at), offset=at)).document
    last = found["counts"][-1]
    for condition in lanes.COUNTED:
        assert (condition, last[condition]) == (condition, len(now["partitions"][condition]))
    assert last["partitions"] == now["counts"]["partitions"]
    shown = {lane["partition"]: lane["states"][-1] for lane in found["partitions"]}
    compared = 0
    for condition in lanes.COUNTED:
        for one in now["partitions"][condition]:
            if one["partition"] in shown:
                state = shown[one["partition"]]
                compared += 1
                for cell in ("leader", "isr", "replicas", "adding", "removing", "min_isr"):
                    assert (one["partition"], cell, state[cell]) == (one["partition"], cell, one[cell])
    assert compared > 0


@pytest.mark.parametrize(("name", "begin"), [("reassignment", 160), ("kill-nine-elr", 345), ("snapshots", 1350)])
def test_lanes_that_begin_later_have_the_states_of_the_whole(name: str, begin: int) -> None:
    """Lanes from an offset on begin with the states in front of it, and go on as those of the whole log."""
    whole, part = lanes_of(name), lanes_of(name, begin)
    at = part["begin"]["offset"]
    assert at >= begin - 50

    def behind(states: list[dict[str, Any]]) -> list[dict[str, Any]]:
        times = ("offset", "timestamp")
        return [one if one["offset"] > at else {k: v for k, v in one.items() if k not in times}
                for one in states if one["to"] is None or one["to"] > at]  # fmt: skip

    of_whole = {lane["broker"]: behind(lane["states"]) for lane in whole["brokers"]}
    assert {lane["broker"]: behind(lane["states"]) for lane in part["brokers"]} == of_whole
    all_of = {lane["partition"]: behind(lane["states"]) for lane in whole["partitions"]}
    mine = {lane["partition"]: behind(lane["states"]) for lane in part["partitions"]}
    both = [one for one in mine if one in all_of]
    assert both
    assert {one: mine[one] for one in both} == {one: all_of[one] for one in both}


def test_of_many_states_the_worst_of_each_stretch_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lanes that are too long have one state for each stretch of time, which was there, and says how many it is."""
    whole = lanes_of("kill-nine-elr")
    for name, most in (("STATES", 5), ("PARTITIONS", 3), ("BROKERS", 2)):
        monkeypatch.setattr(lanes, name, most)
    found = lanes_of.__wrapped__("kill-nine-elr")
    assert (len(found["brokers"]), len(found["partitions"])) == (2, 3)
    points = [one["counts"] for one in (whole, found)]
    assert [one["left_out"]["counts"] + len(mine) for one, mine in zip((whole, found), points, strict=True)] == [
        len(whole["counts"]) + whole["left_out"]["counts"]
    ] * 2
    assert len(points[1]) <= 5 * 6 < len(points[0])
    assert (found["left_out"]["brokers"], found["left_out"]["partitions"]) == (2, 17)
    of_whole = {lane["partition"]: lane["states"] for lane in whole["partitions"]}
    for lane in found["partitions"]:
        states = of_whole[lane["partition"]]
        assert len(lane["states"]) <= 6
        assert sum(one["times"] for one in lane["states"]) == len(states)
        for one in lane["states"]:
            inside = [
                s for s in states if one["offset"] <= s["offset"] and (one["to"] is None or s["offset"] < one["to"])
            ]
            assert len(inside) == one["times"]
            assert (one["leader"], one["isr"]) in [(s["leader"], s["isr"]) for s in inside]
            assert (one["leader"] is None) == any(s["leader"] is None for s in inside)
    highest = max(point["offline"] for point in whole["counts"])
    assert max(point["offline"] for point in found["counts"]) == highest > 0


def test_a_filter_leaves_its_lanes() -> None:
    """Of a topic there are its partitions, of a partition itself, of a broker its lane and those it replicates."""

    def asked(**about: Any) -> dict[str, Any]:
        log = find_log(str(RECORDED / "reassignment"))
        found = story(log, When("0", offset=0), END, About(**about), None, 0)["lanes"]
        assert isinstance(found, dict)
        return found

    assert {one["topic"] for one in asked(topic="r")["partitions"]} == {"r"}
    assert [one["partition"] for one in asked(partition="s-0")["partitions"]] == ["s-0"]
    of_broker = asked(broker=3)
    assert [one["broker"] for one in of_broker["brokers"]] == [3]
    assert of_broker["partitions"]
    for lane in of_broker["partitions"]:
        assert any(3 in state["replicas"] for state in lane["states"])
