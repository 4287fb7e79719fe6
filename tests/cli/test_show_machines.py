"""`show zk`: both state machines as tables and as diagrams, made from the rows."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fencepost.checkers.diagrams import mermaid, name_of, of_machine, pictures
from fencepost.checkers.drawing import drawing
from fencepost.model.language.machines import machines
from fencepost.model.registry import find
from fencepost.model.zk import ZK
from tests.cases import each

SVG = "{http://www.w3.org/2000/svg}"


def test_both_machines_stand_before_the_tables(fencepost_says: Callable[..., Any]) -> None:
    """The page begins with the two machines: from, to, when, records, notified entities; at most 100 columns."""
    said = fencepost_says("show", "zk")
    assert said.code == 0
    page = said.out
    assert page.startswith("PARTITION STATE MACHINE\nStates: NewPartition, OnlinePartition, OfflinePartition,")
    assert page.index("REPLICA STATE MACHINE") < page.index("A change that is not legal")
    assert max(len(line) for line in page.splitlines()) <= 100
    words = " ".join(page.split())
    assert "row from to when written told" in words  # codespell:ignore
    assert "ZC0 starts it at OnlineReplica or ReplicaDeletionIneligible." in words
    assert "These rows keep the state: ZR0, ZR1l," in words


def test_the_document_has_the_machines(fencepost_says: Callable[..., Any]) -> None:
    """With --json each change has its rows, and each row its records and notified entities."""
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


def parts(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    """Return the groups of an SVG that Graphviz marks as nodes or as edges, the dots of beginnings left out."""
    found = [one for one in root.iter(f"{SVG}g") if one.attrib.get("class") == kind]
    return [one for one in found if ":first" not in (one.findtext(f"{SVG}title") or "")]


def words(root: ElementTree.Element) -> list[tuple[str, float, float, float, float]]:
    """Return every line of words with its left, right, upper and lower end, at 0.5 em a letter."""
    found = []
    for one in root.iter(f"{SVG}text"):
        size, said = float(one.attrib["font-size"]), (one.text or "").strip()
        x, y, long = float(one.attrib["x"]), float(one.attrib["y"]), 0.5 * size * len(said)
        left = x - {"start": 0.0, "middle": long / 2, "end": long}[one.attrib["text-anchor"]]
        found.append((said, left, left + long, y - 0.7 * size, y + 0.1 * size))
    return found


def test_the_picture_has_every_state_and_change(fencepost_says: Callable[..., Any]) -> None:
    """The SVG parses, has a box for each state and an arrow for each change, and names them as its readers do."""
    root = ElementTree.fromstring(fencepost_says("show", "zk", "--diagram", "svg").out)
    states = [state for machine in machines(ZK) for state in machine.states]
    assert len(parts(root, "node")) == len(states)
    assert len(parts(root, "edge")) == sum(len(machine.edges) for machine in machines(ZK))
    assert {said for said, *_ in words(root)} >= {name_of(state) for state in states}


@pytest.mark.representative("kip343", "kip631-v2")
@pytest.mark.parametrize("name", ["kip343", "kip46", "kip631-v1", "kip631-v2", "kraft", "kraft@4.2"])
def test_a_design_is_drawn_too(fencepost_says: Callable[..., Any], name: str) -> None:
    """Lives are drawn as Mermaid and as SVG: every change is there with its event and its rows, beside an arrow or
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
    # A remark is folded.
    written = [said for said, *_ in words(root)]
    written.append(" ".join(written))
    for life, picture in zip(lives, drawn, strict=True):
        assert picture.title.upper() in page
        for change in life["changes"]:
            for event, rows in change["rows"].items():
                told = f"{event} {', '.join(rows)}"
                beside = [a for a in picture.arrows if (a.source, a.target) == (change["from"], change["to"])]
                assert any(told in a.lines for a in beside) or told in picture.everywhere[change["to"]]
                assert told in text
                assert any(told in one for one in written)
                assert told in page
    assert len(parts(root, "edge")) == sum(len(one.arrows) for one in drawn)
    assert all(re.fullmatch(r"\w+", side) for side in re.findall(r"^    (\S+) --> ", text, re.M) if side != "[*]")


@each("name", ["zk", "kip343", "kip46", "kip631-v1", "kip631-v2", "kraft"])
def test_no_words_of_a_picture_run_together(name: str) -> None:
    """Lines of words touch neither one another nor the box of a state that they are not in; all are in the frame."""
    root = ElementTree.fromstring(drawing(pictures(find(name)), "svg"))
    wide, high = (float(root.attrib[one].removesuffix("pt")) for one in ("width", "height"))
    found = words(root)
    for number, (said, left, right, upper, lower) in enumerate(found):
        assert -4 <= left < right <= wide, said
        assert -high <= upper < lower <= 0, said
        for other, a, b, c, d in found[:number]:
            assert right < a or b < left or lower < c or d < upper, (said, other)
    for node in parts(root, "node"):
        inside = {(one.text or "").strip() for one in node.iter(f"{SVG}text")}
        [path] = node.iter(f"{SVG}path")
        numbers = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", path.attrib["d"])]
        xs, ys = numbers[0::2], numbers[1::2]
        for said, left, right, upper, lower in found:
            apart = right < min(xs) or max(xs) < left or lower < min(ys) or max(ys) < upper
            assert apart or said in inside, (said, inside)


def test_a_picture_is_the_same_each_time_and_asks_nothing_of_the_network() -> None:
    """Two drawings are one text, without the build of Graphviz and without a document type that is fetched."""
    first, second = (drawing(pictures(find("kip343")), "svg") for _ in range(2))
    assert first == second
    assert "graphviz" not in first.lower()
    assert "DOCTYPE" not in first


def test_any_protocol_is_drawn_by_a_variable(tmp_path: Path, fencepost_says: Callable[..., Any]) -> None:
    """A protocol of one's own is drawn by its enumerations; `--cell` says by which variable, a Bool too."""
    (tmp_path / "door.py").write_text(DOOR, encoding="utf-8")
    door = f"{tmp_path / 'door.py'}:DOOR"
    text = fencepost_says("show", door, "--diagram", "mermaid").out
    assert set(re.findall(r"^    (\w+) --> (\w+) : (.*)$", text, re.M)) == {
        ("Shut", "Open", "Push D1"),
        ("Open", "Shut", "Pull D2"),
    }
    assert "[*] --> Shut" in text
    root = ElementTree.fromstring(fencepost_says("show", door, "--diagram", "svg", "--cell", "locked").out)
    assert {said for said, *_ in words(root)} == {"Locked", "not locked", "locked", "Turn L1", "Turn L2"}
    assert "digraph" in fencepost_says("show", door, "--diagram", "dot").out
    assert (
        "--cell pushes: has no states to draw"
        in fencepost_says("show", door, "--diagram", "svg", "--cell", "pushes").sentence
    )
    assert "--cell lock: is no variable; there are locked, door" in fencepost_says(
        "show", door, "--diagram", "svg", "--cell", "lock"
    ).sentence.replace("door, locked", "locked, door")
    assert "add --diagram svg" in fencepost_says("show", door, "--cell", "locked").sentence


PLAIN = """
from fencepost.model.language import TRUE, cell, counter, event, protocol, table

pushes = cell("pushes", counter("pushes"), initial=0)
push = event("Push", source="a test")
PLAIN = protocol("plain", table("pushes", push("P1", TRUE, pushes.becomes(pushes + 1))))
"""
DOOR = """
import enum

from fencepost.model.language import BOOL, TRUE, FALSE, Entity, cell, counter, event, one_of, per, protocol, sort, table


class Door(enum.Enum):
    SHUT = 0
    OPEN = 1


class Room(Entity):
    pass


ROOM = sort(Room)
r = ROOM.var("r")
door = per(ROOM, "door", one_of(Door), initial=Door.SHUT)
locked = per(ROOM, "locked", BOOL)
pushes = cell("pushes", counter("pushes"), initial=0)
push, pull, turn = (event(name, r, source="a test") for name in ("Push", "Pull", "Turn"))
DOOR = protocol(
    "door",
    table(
        "doors",
        push("D1", door[r].is_(Door.SHUT) & ~locked[r], door[r].becomes(Door.OPEN), pushes.becomes(pushes + 1)),
        pull("D2", door[r].is_(Door.OPEN), door[r].becomes(Door.SHUT)),
        turn("L1", ~locked[r], locked[r].becomes(TRUE)),
        turn("L2", locked[r], locked[r].becomes(FALSE)),
    ),
)
"""


def test_what_cannot_be_drawn_is_refused(tmp_path: Path, fencepost_says: Callable[..., Any]) -> None:
    """A protocol without anything to draw, and a kind of diagram that there is not, are reported in one sentence."""
    (tmp_path / "plain.py").write_text(PLAIN, encoding="utf-8")
    plain = f"{tmp_path / 'plain.py'}:PLAIN"
    assert "has no state machine to draw" in fencepost_says("show", plain, "--diagram", "svg").sentence
    assert "use mermaid, svg or dot" in fencepost_says("show", "zk", "--diagram", "png").sentence


def test_a_diagram_is_made_of_the_rows() -> None:
    """A row that is taken out is out of the diagram."""
    [partition, _] = machines(ZK.without("ZP5", why="nothing vanishes"))
    assert "ZP5" not in mermaid(of_machine(partition))
    assert "ZP5" in mermaid(of_machine(machines(ZK)[0]))
