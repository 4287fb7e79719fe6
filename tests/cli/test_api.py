"""The Python API beside the commands: the same answers, from paths, lists and tables, and what a notebook shows."""

import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas
import pytest

import fencepost
from fencepost.traces import TraceError

Says = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "traces" / "recorded"
FIRST = RECORDED / "first-boot"
LARGEST = 30_000
"""The letters that a notebook gets of one value."""


class Tables(HTMLParser):
    """Reads tables of HTML as lists of cells, and fails for a tag that is not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Note what begins."""
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """Note what ends: the last that began."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Add a text to its cell."""
        if {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1] += data


def shown(value: Any) -> list[list[list[str]]]:
    """Return the tables that a notebook shows of a value; neither they nor its repr are long."""
    html = value._repr_html_()
    assert len(html) < LARGEST
    assert len(repr(value)) < 500
    return Tables(html).tables


def same(answer: Any, document: dict[str, Any]) -> None:
    """Assert that an answer is the document of a command, without what every document has."""
    common = {"command", "verdict", "exit_code", "seconds", "version", "table_hash", "findings"}
    assert {name: value for name, value in document.items() if name not in common} == answer.as_json()


# -- the same as the commands ------------------------------------------------------------------------------------------
@pytest.mark.representative("first-boot")
@pytest.mark.parametrize("log", ["first-boot", "reassignment"])
def test_answers_are_the_documents_of_the_commands(fencepost_says: Says, log: str) -> None:
    """health, story and why are what --json of their commands prints."""
    path = RECORDED / log
    same(fencepost.health(path), fencepost_says("health", path, "--no-findings", "--json").document)
    same(
        fencepost.story(path, "10", "60", broker=1),
        fencepost_says("story", path, "--from", "10", "--to", "60", "--broker", "1", "--json").document,
    )
    same(fencepost.why(path, "broker", 1), fencepost_says("why", path, "broker", "1", "--json").document)


def test_a_redacted_copy_is_that_of_the_command(fencepost_says: Says, tmp_path: Path) -> None:
    """The document and the bytes that are written are the same."""
    one = fencepost.redact(FIRST, tmp_path / "one")
    other = fencepost_says("redact", FIRST, "--to", tmp_path / "other", "--json").document
    same(one, {**other, "to": str(tmp_path / "one")})
    for name in one["files"]:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    with pytest.raises(fencepost.Refusal, match="is there already"):
        fencepost.redact(FIRST, tmp_path / "one")


def test_designs_are_compared_as_by_the_commands(fencepost_says: Says) -> None:
    """diff and whatif give the objects that their commands print, by names and by values."""
    old, new = fencepost.find("kip46").whole, fencepost.find("kip46+compares-brokers").whole
    document = fencepost_says("diff", "kip46", "kip46+compares-brokers", "--json").document
    for found in (fencepost.diff("kip46", "kip46+compares-brokers"), fencepost.diff(old, new)):
        assert [one["row"] for one in found.as_json()["rows"]] == [one["row"] for one in document["rows"]]
        assert found
    nothing = dict.fromkeys(("search", "in_step", "repair", "limit"), 0.0)
    asked = fencepost.whatif("kip46+compares-brokers", **nothing)
    options = [word for name in nothing for word in (f"--{name.replace('_', '-')}", "0")]
    printed = fencepost_says("whatif", "kip46+compares-brokers", *options, "--json").document
    mine = asked.as_json()
    assert {name: mine[name] for name in ("base", "rows", "properties", "asked")} == {
        name: printed[name] for name in ("base", "rows", "properties", "asked")
    }
    assert mine["asked"] > 0
    with pytest.raises(fencepost.Refusal, match="is no variant of another protocol"):
        fencepost.whatif("kip46")


def test_logs_are_named_by_a_path_a_list_or_a_table() -> None:
    """One path as text or Path, several, and the column `path` of a DataFrame are checked alike, by the release in
    force."""
    other = RECORDED / "reassignment"
    one = fencepost.conform(str(FIRST))
    assert (one.verdict, [log.path for log in one.logs]) == (fencepost.Verdict.CONFORMS, [str(FIRST)])
    assert fencepost.conform(FIRST).as_json() == one.as_json()
    several = fencepost.conform([FIRST, other])
    frame = pandas.DataFrame({"path": [str(FIRST), str(other)], "cluster": ["a", "b"]})
    assert fencepost.conform(frame).as_json() == several.as_json()
    assert len(several.logs) == 2
    with pytest.raises(fencepost.Refusal, match="has no column path"):
        fencepost.conform(frame[["cluster"]])
    with pytest.raises(TraceError):
        fencepost.conform(ROOT / "docs")


def test_static_settings_are_given_by_name() -> None:
    """A mapping of Kafka's names is what --static says; an unknown one is refused."""
    found = fencepost.health(FIRST, static={"min.insync.replicas": 2, "unclean.leader.election.enable": True})
    assert found["assumed"]["min.insync.replicas"]["value"] == "2"
    assert found["assumed"]["unclean.leader.election.enable"]["value"] == "true"
    with pytest.raises(fencepost.Refusal, match=r"log\.dirs"):
        fencepost.health(FIRST, static={"log.dirs": "/x"})


@pytest.mark.parametrize(("what", "name", "sentence"), [("topic", "x", "ask of a broker"), ("broker", "x", "a number")])
def test_what_a_log_does_not_have_is_refused(what: str, name: str, sentence: str) -> None:
    """One sentence says what can be asked."""
    with pytest.raises(fencepost.Refusal, match=sentence):
        fencepost.why(FIRST, what, name)


# -- in a notebook -----------------------------------------------------------------------------------------------------
def test_a_log_is_a_table_of_batches() -> None:
    """A line a batch, up to a screen of them, with the types of its records; repr is a line."""
    log = fencepost.read_log(fencepost.find_logs([FIRST])[0])
    (table,) = shown(log)
    assert table[0] == ["offsets", "leader epoch", "time", "segment", "records"]
    assert len(table) - 1 == len(log.batches) == 31
    kinds = [sorted({record.type for record in batch.records}) for batch in log.batches]
    told = [[one.split(" ")[1] for one in line[4].split(", ")] for line in table[1:]]
    assert list(map(sorted, told)) == kinds
    assert repr(log) == f"<log {FIRST}: 31 batches, 1 snapshots>"


def test_answers_of_logs_are_tables() -> None:
    """Of a story the events, of a chain its records, of health the conditions, of conform the logs and findings."""
    (_, events) = shown(fencepost.story(FIRST))
    assert events[0] == ["time", "offset", "last_offset", "words"]
    assert len(events) - 1 == len(fencepost.story(FIRST).events)
    chain = shown(fencepost.why(FIRST, "broker", 1))[1]
    assert chain[0] == ["offset", "time", "words"]
    health = fencepost.health(FIRST)
    counts, *conditions = shown(health)
    assert ["offline", "12"] not in counts
    assert len(conditions[0]) - 1 == len(health.partitions["offline"]) == 12
    result = fencepost.conform(RECORDED / "rolling-restart")
    (_, logs) = shown(result)
    assert logs[1][:2] == [str(RECORDED / "rolling-restart"), "conforms"]
    (_, findings) = shown(result.logs[0])
    assert findings[1][0] == "D23"


def test_designs_and_verdicts_are_tables() -> None:
    """A row is its sentence, a table a line a row, a protocol its tables and properties, an exploration its verdicts, a
    run a line a step."""
    protocol = fencepost.find("kip46").bounds["tiny"]
    row = protocol.rows[0]
    assert row.id in row._repr_html_()
    (lines,) = shown(protocol.tables[0])
    assert [line[0] for line in lines[1:]] == [one.id for one in protocol.tables[0].rows]
    tables, claims = shown(protocol)
    assert len(tables) - 1 == len(protocol.tables)
    assert [line[0] for line in claims[1:]] == [one.id for one in protocol.properties][:60]
    assert "and 2 more" in protocol._repr_html_()
    found = fencepost.explore(protocol, "tiny", engine="numpy")
    (scalars, verdicts) = shown(found)
    assert ["distinct", "703"] in scalars
    assert [line[0] for line in verdicts[1:]] == [one.id for one in found.properties][:60]
    trace = found.property("SI1").trace
    assert trace is not None
    (steps,) = shown(trace)
    assert [line[1] for line in steps[1:]] == [step.row.id for step in trace.steps]
    proof = fencepost.prove(fencepost.find("kip46").whole, properties=["SI2"])
    assert ["verdict", "proved"] in shown(proof)[0]


def test_every_text_in_a_table_is_escaped() -> None:
    """What a log or a table says makes no tag."""
    from fencepost.notebook import grid, headed

    html = headed("<b>", grid(("<i>",), [("<script>alert(1)</script>",)]))
    assert "<script>" not in html
    assert Tables(html).tables == [[["<i>"], ["<script>alert(1)</script>"]]]
    long = grid(("n",), ((n,) for n in range(1_000)))
    assert "and 940 more" in long


def test_the_package_is_light_until_a_name_is_used() -> None:
    """`import fencepost` loads nothing of an engine, a table or NumPy; every name of `__all__` is there."""
    said = subprocess.run(
        [sys.executable, "-c", "import sys, fencepost; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    assert [one for one in said if one.startswith("fencepost")] == ["fencepost"]
    assert not {"numpy", "z3", "llvmlite", "pyspark"} & set(said)
    assert all(getattr(fencepost, name) is not None for name in fencepost.__all__)
    assert {"conform", "health", "story", "why", "whatif", "diff", "redact"} <= set(fencepost.__all__)
