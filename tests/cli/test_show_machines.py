"""`show zk`: both state machines as tables and as diagrams, made from the rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from fencepost.checkers.diagrams import mermaid, name_of, of_machine, pictures
from fencepost.checkers.drawing import svg
from fencepost.model.language.machines import machines
from fencepost.model.registry import find
from fencepost.model.zk import ZK

SVG = "{http://www.w3.org/2000/svg}"


def test_both_machines_stand_before_the_tables(fencepost_says: Callable[..., Any]) -> None:
    """The page begins with the two machines: from, to, when, what is written, who is told; at most 100 columns."""
    said = fencepost_says("show", "zk")
    assert said.code == 0
    page = said.out
    assert page.startswith("PARTITION STATE MACHINE\nStates: NewPartition, OnlinePartition, OfflinePartition,")
    assert page.index("REPLICA STATE MACHINE") < page.index("A change that is not legal")
    assert max(len(line) for line in page.splitlines()) <= 100
    words = " ".join(page.split())
    assert "row from to when written told" in words
    assert "ZC0 starts it at OnlineReplica or ReplicaDeletionIneligible." in words
    assert "These rows keep the state: ZR0, ZR1l," in words


def test_the_document_has_the_machines(fencepost_says: Callable[..., Any]) -> None:
    """With --json each change stands with its rows, and each row with what it writes and whom it tells."""
    partition, replica = fencepost_says("show", "zk", "--json").document["machines"]
    assert {"from": "OfflinePartition", "to": "NonExistentPartition", "rows": ["ZP5"]} in partition["changes"]
    [shrinks] = [row for row in replica["rows"] if row["id"] == "ZR4"]
    assert shrinks["to"] == ["OfflineReplica"]
    assert shrinks["told"] == ["StopReplica to {r}", "LeaderAndIsr to others", "UpdateMetadata to live[c]"]
    assert "isr left" in shrinks["written"][0]
    assert fencepost_says("show", "kraft", "--json").document["machines"] == []


def test_the_mermaid_diagram_has_every_change(fencepost_says: Callable[..., Any]) -> None:
    """Every legal change is an arrow with its rows, between states by Kafka's names."""
    text = fencepost_says("show", "zk", "--diagram", "mermaid").out
    assert text.count("stateDiagram-v2") == 2
    assert "    NewPartition --> OnlinePartition : ZP2\n" in text
    arrows = re.findall(r"^    (\w+) --> (\w+) : (.+)$", text, re.M)
    edges = [edge for machine in machines(ZK) for edge in machine.edges]
    assert len(arrows) == len(edges)
    assert {(a, b, rows) for a, b, rows in arrows} == {
        (name_of(edge.source), name_of(edge.target), ", ".join(edge.rows)) for edge in edges
    }


def test_the_page_has_the_states_that_its_readers_know(fencepost_says: Callable[..., Any]) -> None:
    """`zk+page_replica_states` has four states of replicas, and the nine arrows of the page."""
    replica = fencepost_says("show", "zk+page_replica_states", "--diagram", "mermaid").out.split("stateDiagram-v2")[2]
    arrows = set(re.findall(r"^    (\w+) --> (\w+) : Z[PR]", replica, re.M))
    assert arrows == {
        ("NonExistentReplica", "NewReplica"),
        ("NewReplica", "OnlineReplica"),
        ("OnlineReplica", "OnlineReplica"),
        ("OfflineReplica", "OnlineReplica"),
        ("NewReplica", "OfflineReplica"),
        ("OnlineReplica", "OfflineReplica"),
        ("OfflineReplica", "NonExistentReplica"),
    }


def test_the_picture_is_a_drawing_inside_its_frame(fencepost_says: Callable[..., Any]) -> None:
    """The SVG parses, has a box for each state and an arrow for each change, and nothing lies outside it."""
    root = ElementTree.fromstring(fencepost_says("show", "zk", "--diagram", "svg").out)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    boxes = [one for one in root.iter(f"{SVG}rect") if "rx" in one.attrib]
    arrows = [one for one in root.iter(f"{SVG}path") if "marker-end" in one.attrib]
    states = [state for machine in machines(ZK) for state in machine.states]
    assert len(boxes) == len(states)
    assert len(arrows) == sum(len(machine.edges) for machine in machines(ZK))
    assert {one.text for one in root.iter(f"{SVG}text")} >= {name_of(state) for state in states}
    corners = [(float(b.attrib["x"]), float(b.attrib["y"])) for b in boxes]
    assert all(x >= 0 and x + float(boxes[0].attrib["width"]) <= width and 0 <= y <= height for x, y in corners)
    assert len(set(corners)) == len(corners)


@pytest.mark.parametrize("name", ["kip343", "kip46", "kip631-v1", "kip631-v2", "kraft", "kraft@4.2"])
def test_a_design_is_drawn_too(fencepost_says: Callable[..., Any], name: str) -> None:
    """Lives are drawn as Mermaid and as SVG: every change stands there with its event and its rows, beside an arrow or
    in the remark on what comes from everywhere; and the page has them as tables, in 100 columns."""
    lives = fencepost_says("show", name, "--json").document["lives"]
    drawn = pictures(find(name))
    assert [one["name"] for one in lives] == [one.title[0].lower() + one.title[1:] for one in drawn]
    page, text, root = (
        fencepost_says("show", name).out,
        fencepost_says("show", name, "--diagram", "mermaid").out,
        ElementTree.fromstring(fencepost_says("show", name, "--diagram", "svg").out),
    )
    assert max(len(line) for line in page.splitlines()) <= 100
    words = [one.text or "" for one in root.iter(f"{SVG}text")]
    for life, picture in zip(lives, drawn, strict=True):
        assert picture.title.upper() in page
        for change in life["changes"]:
            for event, rows in change["rows"].items():
                told = f"{event} {', '.join(rows)}"
                beside = [a for a in picture.arrows if (a.source, a.target) == (change["from"], change["to"])]
                assert any(told in a.lines for a in beside) or told in picture.everywhere[change["to"]]
                assert told in text
                assert any(told in one for one in words)
                assert told in page
    arrows = [one for one in root.iter(f"{SVG}path") if "marker-end" in one.attrib]
    assert len(arrows) == sum(len(one.arrows) for one in drawn)
    assert all(re.fullmatch(r"\w+", side) for side in re.findall(r"^    (\S+) --> ", text, re.M) if side != "[*]")


@pytest.mark.parametrize("name", ["zk", "kip343", "kip46", "kip631-v1", "kip631-v2", "kraft"])
def test_nothing_of_a_picture_lies_outside_it(name: str) -> None:
    """Boxes hold the names of their states and do not touch, and every word ends inside the frame."""
    root = ElementTree.fromstring(svg(pictures(find(name))))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    drawn = [one.attrib for one in root.iter(f"{SVG}rect") if "rx" in one.attrib]
    boxes = [[float(one[name]) for name in ("x", "y", "width", "height")] for one in drawn]
    for number, (x, y, wide, tall) in enumerate(boxes):
        assert min(x, y, width - x - wide, height - y - tall) >= 0
        assert all(x + wide < a or a + w < x or y + tall < b or b + t < y for a, b, w, t in boxes[:number])
    for one in root.iter(f"{SVG}text"):
        long = 0.62 * float(one.attrib["font-size"]) * len(one.text or "")
        left = float(one.attrib["x"]) - {"start": 0.0, "middle": long / 2, "end": long}[one.attrib["text-anchor"]]
        assert min(left, width - left - long) >= 0, one.text
        assert 0 < float(one.attrib["y"]) < height
    for path in root.iter(f"{SVG}path"):
        if "marker-end" in path.attrib:
            assert all(0 <= float(number) <= max(width, height) for number in re.findall(r"-?\d+", path.attrib["d"]))


def test_what_cannot_be_drawn_is_refused(fencepost_says: Callable[..., Any]) -> None:
    """A protocol without state machines, and a kind of diagram that there is not, are told in one sentence."""
    assert fencepost_says("show", "lease", "--diagram", "svg").sentence.endswith(
        "lease: has no state machine to draw; --diagram is for kraft, zk, kip343, kip46, kip631-v1, kip631-v2"
    )
    assert "use mermaid or svg" in fencepost_says("show", "zk", "--diagram", "dot").sentence


def test_a_diagram_is_made_of_the_rows() -> None:
    """A row that is taken out is out of the diagram."""
    [partition, _] = machines(ZK.without("ZP5", why="nothing vanishes"))
    assert "ZP5" not in mermaid(of_machine(partition))
    assert "ZP5" in mermaid(of_machine(machines(ZK)[0]))
