"""The HTML page of `story` and `health`: it draws what the document says, loads nothing, and runs in a browser."""

import json
import random
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.cli.story import story
from fencepost.checkers.operations.moments import iso
from fencepost.checkers.reports import picture as pictures
from fencepost.checkers.reports.picture import picture
from tests.cli.test_html import in_browser, text_of

Says = Callable[..., Any]

RECORDED = Path(__file__).parents[2] / "traces" / "recorded"

SAMPLED = 200
"""So many of what is drawn are compared with the document."""


class _Drawn(HTMLParser):
    """What a page draws: for each lane its stretches and marks as attributes, and the text of each event."""

    def __init__(self) -> None:
        super().__init__()
        self.lane = ""
        self.lanes: dict[str, list[dict[str, str]]] = {}
        self.events: dict[str, dict[str, str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element with an offset into its lane, or into the events."""
        given = {name: value or "" for name, value in attrs}
        self.lane = given.get("data-lane", self.lane)
        if "data-lane" in given:
            self.lanes[self.lane] = []
        elif tag == "article":
            self.events[given["id"]] = given
        elif "data-offset" in given:
            self.lanes[self.lane].append(given)


def drawn(page: str) -> _Drawn:
    """Return what a page draws."""
    found = _Drawn()
    found.feed(page)
    return found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return document and page of the story of two recordings, each read once."""
    found = {}
    for name in ("kill-nine-elr", "reassignment"):
        file = tmp_path_factory.mktemp("page") / "page.html"
        document = json.loads(json.dumps(story(str(RECORDED / name), html=file).document(0.0)))
        found[name] = (document, file.read_text(encoding="utf-8"))
    return found


def place(document: dict[str, Any], timestamp: int) -> float:
    """Where a time is, in hundredths."""
    lanes = document["lanes"]
    begin, end = lanes["begin"]["timestamp"], lanes["end"]["timestamp"]
    return float(100 * (timestamp - begin) / (end - begin))


def style(one: dict[str, str], name: str) -> float:
    """A length of a drawn element, in hundredths."""
    return float(re.search(rf"{name}:([\d.]+)%", one["style"])[1])  # type: ignore[index]


@pytest.mark.representative("reassignment")
@pytest.mark.parametrize("name", ["kill-nine-elr", "reassignment"])
def test_what_is_drawn_is_what_the_document_says(pages: dict[str, Any], name: str) -> None:
    """Of 200 stretches and marks, drawn by chance, each is a state or an event of the document: at its place and as
    wide as it lasts, in its colour and height, with offset, leader and ISR in its text, and leads to the event that
    wrote it."""
    document, page = pages[name]
    found, lanes = drawn(page), document["lanes"]
    states = {lane["partition"]: lane["states"] for lane in lanes["partitions"]}
    brokers = {f"broker {lane['broker']}": lane["states"] for lane in lanes["brokers"]}
    everything = [(lane, one) for lane, some in found.lanes.items() for one in some]
    sample = random.Random(7).sample(everything, SAMPLED)
    kinds = set()
    for lane, one in sample:
        offset, classes = int(one["data-offset"]), one["class"].split()
        kinds.add(classes[0])
        if "href" in one:
            event = document["events"][int(one["href"][2:])]
            assert event["offset"] <= offset <= event["last_offset"]
        if classes[0] == "m":
            event = next(each for each in document["events"] if each["offset"] == offset)
            assert style(one, "left") == pytest.approx(max(0, place(document, event["timestamp"])), abs=0.001)
            assert event["words"].startswith(one["title"].split(" ", 2)[2][:200])
            assert lane in ("findings", "cluster") or int(lane.split()[1]) in event["brokers"]
        elif lane in states and classes[0] == "s":
            state = next(each for each in states[lane] if each["offset"] == offset)
            assert style(one, "left") == pytest.approx(place(document, state["timestamp"]), abs=0.001)
            assert style(one, "left") + style(one, "width") == pytest.approx(
                place(document, state["to_timestamp"]), abs=0.001
            )
            leader = "no leader" if state["leader"] is None else f"leader {state['leader']}"
            assert f"{lane}: {leader}, ISR {state['isr']} of {state['replicas']}" in one["title"]
            assert ("offline" in classes) == (state["leader"] is None)
            assert ("under" in classes) == (state["leader"] is not None and len(state["isr"]) < state["min_isr"])
            if state["leader"] is not None:
                share = 100 * len(state["isr"]) / len(state["replicas"])
                assert style(one, "height") == pytest.approx(min(100, share), abs=0.1)
                assert f"l{state['leader'] % 8}" in classes
            assert iso(state["timestamp"])[11:23] in one["title"]  # type: ignore[index]
        elif lane in brokers:
            state = next(each for each in brokers[lane] if each["offset"] == offset)
            assert state["state"] in classes
            assert style(one, "left") == pytest.approx(max(0, place(document, state["timestamp"])), abs=0.001)
        elif classes[0] == "moving":
            state = next(each for each in states[lane] if each["offset"] == offset)
            assert state["adding"] or state["removing"]
        elif classes[:2] == ["s", "count"]:
            point = next(each for each in lanes["counts"] if each["offset"] == offset)
            count = int(one["title"].split()[0].replace(",", ""))
            assert count == point[re.sub("[ -]", "_", lane).lower()]
        else:
            assert (lane, classes[1]) == ("controller", "term")
    assert {"s", "m"} <= kinds
    assert len(everything) >= SAMPLED


@pytest.mark.parametrize("name", ["kill-nine-elr", "reassignment"])
def test_every_state_and_event_is_on_the_page(pages: dict[str, Any], name: str) -> None:
    """Of a short log each state of each lane is a stretch, each event has its record types, causes and rows."""
    document, page = pages[name]
    found = drawn(page)
    for lane in document["lanes"]["partitions"]:
        mine = [int(one["data-offset"]) for one in found.lanes[lane["partition"]] if one["class"].startswith("s ")]
        assert mine == [one["offset"] for one in lane["states"]]
    assert [int(one["data-offset"]) for one in found.events.values()] == [one["offset"] for one in document["events"]]
    said = text_of(page)
    for event in document["events"]:
        assert " ".join(event["words"].split()) in said
        for type, count in event["types"].items():
            assert f"{count:,} {type}" in said
        assert all(reason in said for reason in event["may_come_from"] if reason != "unknown")
    assert all(" ".join(text.split()) in said for text in document["rows"].values())
    assert sum(sum(event["types"].values()) for event in document["events"]) == sum(
        event["records"] for event in document["events"]
    )


def test_the_page_says_at_its_top_what_happened(pages: dict[str, Any]) -> None:
    """Offline partitions, unclean elections, fences and known defects are sentences above the picture."""
    top = text_of(pages["kill-nine-elr"][1].split('class="picture"')[0])
    assert "offline: up to 20 partitions at once, solo-2 the longest: 42.0 s; 20 at the end" in top
    assert "46 unclean elections: records that were acknowledged may be lost" in top
    assert "brokers fenced: 0 (5 times), 1 (4 times), 2 (4 times), 3 (4 times)" in top
    document, page = pages["reassignment"]
    assert "offline: 1 partition, r-0 the longest: 13.5 s" in text_of(page)
    assert {one["offset"] for one in document["findings"]} == {
        int(one["data-offset"]) for one in drawn(page).lanes["findings"]
    }


def test_a_page_is_whole_and_small_whatever_a_log_holds(pages: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """All that a log says is text; of too many events the worst are on the page, which says how many."""
    document = json.loads(json.dumps(pages["kill-nine-elr"][0]))
    bad = "<script>alert(1)</script><img src=x onerror='y'>\udcff\""
    document["path"] = document["events"][0]["words"] = document["lanes"]["partitions"][0]["partition"] = bad
    page = picture(document)
    assert page.count("<script>") == page.count("</script>") == 1
    assert "<img" not in page
    assert re.findall(r"https?:|//[a-z]|url\(|@import|<link|<iframe|\bsrc=|fetch\(", page.replace("src=x", "")) == []
    page.encode()
    monkeypatch.setattr(pictures, "LARGEST", 150_000)
    small = picture(document)
    kept = drawn(small).events
    assert 0 < len(kept) < len(document["events"])
    assert f"Aggregated: {len(kept)} of {len(document['events'])} events are on this page" in text_of(small)
    leaderless = [e for e in document["events"] if e["counts"].get("leaderless")]
    assert {e["offset"] for e in leaderless} <= {int(one["data-offset"]) for one in kept.values()}


def test_health_has_the_picture_up_to_its_moment(
    fencepost_says: Says, recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of `health` has every line of its text, and the lanes up to the moment."""
    monkeypatch.setenv("COLUMNS", "1000")
    file = tmp_path / "page.html"
    said = fencepost_says("health", recorded / "kill-nine-elr", "--at", 345, "--no-findings", "--html", file)
    page = file.read_text(encoding="utf-8")
    shown = text_of(page)
    assert said.code == 1
    assert [line for line in said.out.splitlines() if " ".join(line.split()) not in shown] == []
    assert max(int(one["data-offset"]) for some in drawn(page).lanes.values() for one in some) <= 345
    assert "offline: up to 10 partitions at once" in shown


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("story", "--follow"), "--html: there is no such page of --follow; leave out either"),
        (("story", "--intervals"), "--html: there is no such page of --intervals; leave out either"),
        (("story", "--no-lanes"), "--html: there is no such page of --no-lanes; leave out either"),
        (("health", "--and", "3"), "--html: there is no such page of --and; leave out either"),
    ],
)
def test_what_has_no_picture_is_refused(
    fencepost_says: Says, recorded: Path, tmp_path: Path, command: tuple[str, ...], sentence: str
) -> None:
    """An option that asks something else has no page, and says so before the log is read."""
    file = tmp_path / "page.html"
    said = fencepost_says(command[0], recorded / "reassignment", *command[1:], "--html", file)
    assert (said.code, said.sentence, file.exists()) == (2, f"fencepost: {sentence}", False)


@pytest.mark.browser
def test_a_browser_draws_zooms_and_shows_events(pages: dict[str, Any], tmp_path: Path) -> None:
    """Without an error in its console a browser opens the page; a click on a stretch shows its event, `j` the next one,
    `+` zooms, and dragging over the axis fills the picture with what was marked."""
    act = (
        "addEventListener('error', (e) => { document.documentElement.dataset.error = e.message; });"
        "const first = document.querySelector('.lane.partition a.offline'); first.click();"
        "document.documentElement.dataset.first = document.documentElement.dataset.event;"
        "const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', {key}));"
        "press('j'); press('+'); document.documentElement.dataset.once = document.documentElement.dataset.scale;"
        "press('0'); const axis = document.querySelector('.axis .track'), box = axis.getBoundingClientRect();"
        "axis.setPointerCapture = () => {};"
        "for (const [kind, part] of [['pointerdown', .25], ['pointermove', .4], ['pointerup', .5]])"
        " axis.dispatchEvent(new PointerEvent(kind, {clientX: box.left + box.width * part}));"
    )
    document, page = pages["kill-nine-elr"]
    opening = in_browser(page, tmp_path, "", act).split("<html", 1)[1].split(">", 1)[0]
    assert 'data-script="on"' in opening
    assert "data-error" not in opening
    first = int(re.search(r'data-first="e(\d+)"', opening)[1])  # type: ignore[index]
    assert document["events"][first]["counts"]["leaderless"] == 1
    assert f'data-event="e{first + 1}"' in opening
    assert 'data-once="2"' in opening
    assert float(re.search(r'data-scale="([\d.]+)"', opening)[1]) == pytest.approx(4, rel=0.05)  # type: ignore[index]
    assert 'data-script="on"' in in_browser(page, tmp_path)
