"""The designs on the command line: `simulate`, `conform` of what it wrote, and `show matrix`."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from fencepost.checkers.cli.simulate_design import DESIGNS
from fencepost.model.registry import find
from tests.cases import each

from .conftest import Said

Says = Callable[..., Said]
FIELDS = (
    "protocol", "seed", "simulated_seconds", "repeat", "steps", "changes", "rows", "not_judged", "untold", "idle",
    "divergences", "findings", "trace",
)  # fmt: skip


def simulate(design: str, *others: str | Path) -> tuple[str | Path, ...]:
    """Return the words that simulate a minute of a design."""
    return ("simulate", "--protocol", design, "--time", "60s", *others)


def wide(said: Said, but: Path) -> list[str]:
    """Return the lines that are longer than the page, but for those with a path of the test's own."""
    return [line for line in said.out.splitlines() if len(line) > 100 and str(but) not in line]


# -- simulate ----------------------------------------------------------------------------------------------------------
@pytest.mark.representative("kip46", "kip631-v2")
@pytest.mark.parametrize("design", DESIGNS)
def test_the_page_of_a_seed_and_its_trace(fencepost_says: Says, tmp_path: Path, design: str) -> None:
    """A seed of each design: the verdict, what was run, where the trace lies; and the trace conforms."""
    said = fencepost_says(*simulate(design, "--seed", "5", "--out", tmp_path / "out"))
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] in (
        "conforms: every step was a row of the transition tables",
        "conforms: every step that changes something was a row of the transition tables",
    )
    assert " rows run, " in lines[1]
    assert wide(said, tmp_path) == []
    trace = tmp_path / "out" / "steps.ndjson"
    assert said.out.split()[-6:] == ["trace:", str(trace), "next:", "fencepost", "conform", str(trace)]
    judged = fencepost_says("conform", trace)
    assert judged.code == 0
    assert f"conforms: {lines[1].split()[0]} steps of {design}" in " ".join(judged.out.split())
    assert wide(judged, tmp_path) == []


@pytest.mark.parametrize("design", DESIGNS)
def test_the_document_of_a_seed(fencepost_says: Says, tmp_path: Path, design: str) -> None:
    """`--json` is one document with the contract's fields; every step is a row or idle, and rows are the tables'."""
    document = fencepost_says(*simulate(design, "--seed", "5", "--out", tmp_path / "out", "--json")).document
    assert (document["command"], document["verdict"], document["exit_code"]) == ("simulate", "conforms", 0)
    assert [name for name in FIELDS if name not in document] == []
    assert (document["protocol"], document["seed"], document["simulated_seconds"]) == (design, 5, 60)
    assert (document["divergences"], document["not_judged"], document["untold"]) == ([], {}, {})
    assert sum(document["rows"].values()) + sum(document["idle"].values()) == document["steps"] > 20
    whole = find(design).whole
    assert set(document["rows"]) <= {row.id for row in whole.rows}
    assert shlex.split(document["repeat"]) == [
        "fencepost", "simulate", "--protocol", design, "--seed", "5", "--time", "60s",
    ]  # fmt: skip
    assert document["trace"] == str(tmp_path / "out" / "steps.ndjson")


def test_a_story_tells_every_step(fencepost_says: Says, tmp_path: Path) -> None:
    """`--story` prints a line a step, with the time, who, what, and what changed, in at most 100 columns."""
    said = fencepost_says(*simulate("kip343", "--story", "--out", tmp_path / "out"))
    story = said.out[: said.out.index("\nconforms: ")].splitlines()
    assert len(story) == len((tmp_path / "out" / "steps.ndjson").read_text("utf-8").splitlines()) - 1
    assert max(map(len, story)) <= 100
    assert any("ElectLeader: p " in line and "→ isr[" in line for line in story)


@pytest.mark.nightly("tests/cli/test_simulate.py::test_many_seeds_are_summed_up_whatever_the_number_of_jobs")
def test_many_seeds_are_the_same_for_any_number_of_jobs(fencepost_says: Says) -> None:
    """`--seeds` adds up steps and rows and names each failing seed with its command, whatever `--jobs` says."""
    words = ("simulate", "--protocol", "kip343", "--seeds", "2", "--inject", "leader-epoch-ignored")
    alone, together = (fencepost_says(*words, "--json", "--jobs", jobs).document for jobs in ("1", "2"))
    assert alone.pop("seconds") > 0
    assert together.pop("seconds") > 0
    assert alone == together
    assert (alone["seeds"], alone["first_seed"], alone["exit_code"]) == (2, 1, 6)
    assert alone["failed"]
    for one in alone["failed"]:
        found = f"fencepost simulate --protocol kip343 --seed {one['seed']} --inject leader-epoch-ignored"
        assert one["repeat"] == found
        assert one["divergences"]
    page = fencepost_says(*words)
    assert page.code == 6
    assert f"violates: {2 - len(alone['failed'])} of 2 seeds clean, from seed 1 on" in page.out


def test_clean_seeds_say_so(fencepost_says: Says) -> None:
    """Seeds without a divergence end with 0 and are counted."""
    said = fencepost_says(*simulate("kip46", "--seeds", "2"))
    assert said.code == 0
    assert "conforms: 2 of 2 seeds clean, from seed 1 on" in said.out


def test_an_injected_bug_is_found_and_its_command_repeats_it(fencepost_says: Says, tmp_path: Path) -> None:
    """A step that is no row ends with 6; the command that is printed finds the same divergences again."""
    said = fencepost_says(*simulate("kip46", "--seed", "3", "--inject", "tasks-at-once", "--out", tmp_path / "page"))
    assert said.code == 6
    assert "StartTask(chunk=2) of controller-" in said.out.splitlines()[0]
    assert "no row of StartTask applies" in said.out
    assert "violates: " in said.out
    command = next(line for line in said.out.splitlines() if line.startswith("repeat it with: "))
    program, *arguments = shlex.split(command.removeprefix("repeat it with: "))
    assert program == "fencepost"
    again = [fencepost_says(*arguments, "--json", "--out", tmp_path / name).document for name in ("1", "2")]
    assert again[0]["divergences"] == again[1]["divergences"] != []


def test_a_long_command_stands_alone(fencepost_says: Says, tmp_path: Path) -> None:
    """What is printed to be copied is never folded: a command that is too long gets a line of its own."""
    bug = "incarnation-of-isr-change-unchecked"
    said = fencepost_says("simulate", "--protocol", "kip343", "--inject", bug, "--out", tmp_path / "out")
    assert said.code == 6
    lines = said.out.splitlines()
    assert lines[lines.index("repeat it with:") + 1] == f"fencepost simulate --protocol kip343 --seed 1 --inject {bug}"


@each(
    ("arguments", "part"),
    [
        (("--inject", "Z1"), "--inject Z1: there is none of that name; there are two-isr-writers,"),
        (("--inject", "empty-isr", "--inject", "never-fences"), "--inject: one bug a run"),
        (("--set", "a=3"), "--set: the reference of kip343 does not have it"),
        (("--repaired", "D1"), "--repaired: the reference of kip343 does not have it"),
        (("--release-version", "3.7-IV2"), "--release-version: the reference of kip343 does not have it"),
        (("--controllers", "5"), "--controllers: the reference of kip343 does not have it"),
        (("--brokers", "5"), "--brokers: the reference of kip343 does not have it"),
        (("--faults", "quake"), "--faults quake: there is swarm, all, none, and "),
        (("--time", "soon"), "--time soon: write a time above 0"),
        (("--seeds", "0"), "--seeds 0: run at least one"),
        (("--jobs", "0"), "--jobs 0: take at least one"),
        (("--seeds", "2", "--out", "here"), "--out: it is for one seed"),
    ],
)
def test_what_does_not_fit_is_one_sentence(fencepost_says: Says, arguments: tuple[str, ...], part: str) -> None:
    """An option that does not fit ends with 2 before anything runs, with a sentence that says what would fit."""
    said = fencepost_says("simulate", "--protocol", "kip343", *arguments)
    assert said.code == 2
    assert part in said.sentence


def test_nothing_is_written_over(fencepost_says: Says, tmp_path: Path) -> None:
    """`--out` names a new or an empty folder; one that holds something is refused and left as it is."""
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    said = fencepost_says(*simulate("kip46", "--out", tmp_path))
    assert said.code == 2
    assert "something is there already: name a new or an empty folder" in said.sentence
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


# -- conform -----------------------------------------------------------------------------------------------------------
@pytest.fixture
def traces(fencepost_says: Says, tmp_path: Path) -> list[Path]:
    """Return the traces of a minute of two designs."""
    found = []
    for design in ("kip343", "kip631-v2"):
        assert fencepost_says(*simulate(design, "--out", tmp_path / design)).code == 0
        found.append(tmp_path / design / "steps.ndjson")
    return found


def altered(trace: Path) -> Path:
    """Write a trace in which the fourth step, a first heartbeat, answers an error; returns it."""
    first, *lines = trace.read_text("utf-8").splitlines(keepends=True)
    assert '"answer":"NONE Active"' in lines[3]
    lines[3] = lines[3].replace("NONE Active", "INVALID_INCARNATION_ID")
    found = trace.with_name("altered.ndjson")
    found.write_text("".join([first, *lines]), encoding="utf-8")
    return found


def test_conform_tells_an_altered_step_by_its_line(
    page_and_document: Callable[..., tuple[Said, Said]], traces: list[Path]
) -> None:
    """An altered answer ends with 6: page and document name its line and what the tables say, and where it arrives."""
    said, documented = page_and_document("conform", altered(traces[0]))
    assert said.code == 6
    text = " ".join(said.out.split())
    assert "unexplained at altered.ndjson:5: step 4: Heartbeat(" in text
    assert "it answered 'INVALID_INCARNATION_ID', H3a says 'NONE Active'" in text
    document = documented.document
    assert (document["command"], document["verdict"], document["exit_code"]) == ("conform", "violates", 6)
    (log,) = document["logs"]
    assert [one["offset"] for one in log["violations"]] == [5, 6]


def test_conform_of_two_traces(
    page_and_document: Callable[..., tuple[Said, Said]], traces: list[Path], tmp_path: Path
) -> None:
    """Each trace is checked with the tables of its design, in a paragraph of its own, with the steps that are idle."""
    said, documented = page_and_document("conform", *traces)
    assert said.code == 0
    assert said.out.splitlines()[-1] == "2 traces: 2 conforms"
    assert "steps that change nothing, and no row applies: HeartbeatReply " in " ".join(said.out.split())
    assert wide(said, tmp_path) == []
    logs = documented.document["logs"]
    assert [(log["path"], log["protocol"], log["mode"]) for log in logs] == [
        (str(traces[0]), "kip343", "design"),
        (str(traces[1]), "kip631-v2", "design"),
    ]


@pytest.mark.nightly("tests/conformance/test_spark.py::test_spark_gives_the_results_of_the_single_process")
@pytest.mark.spark
def test_conform_is_the_same_on_spark(fencepost_says: Says, traces: list[Path]) -> None:
    """On Spark, one trace a task, the verdicts, rows, cells and violations are the same."""
    three = [*traces, altered(traces[0])]
    alone, spark = (fencepost_says("conform", *three, *more, "--json").document for more in ((), ("--spark",)))
    assert spark["exit_code"] == alone["exit_code"] == 6
    assert spark["logs"] == alone["logs"]


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("headless.ndjson", None, "headless.ndjson:1: no header of a design's trace"),
        ("unknown.ndjson", '{"v":1,"design":"kip999","settings":{}}\n', "kip999: no protocol has this name"),
    ],
)
def test_a_file_that_is_no_trace_is_refused(
    fencepost_says: Says, traces: list[Path], name: str, text: str | None, part: str
) -> None:
    """A header that is missing, or of no design, ends with 2 and one sentence."""
    trace = traces[0].with_name(name)
    trace.write_text(traces[0].read_text("utf-8").split("\n", 1)[1] if text is None else text, encoding="utf-8")
    said = fencepost_says("conform", trace)
    assert said.code == 2
    assert part in said.sentence


def test_the_directory_of_a_run_is_judged(fencepost_says: Says, traces: list[Path]) -> None:
    """`conform` takes the directory that `simulate --out` has filled, as it does for the other protocols."""
    said = fencepost_says("conform", traces[0].parent, "--json")
    assert said.code == 0
    judged = [log["path"] for log in said.document["logs"]]
    assert str(traces[0]) in judged
    assert {Path(one).parent for one in judged} == {traces[0].parent}


def test_a_trace_whose_header_does_not_fit_is_inconclusive(fencepost_says: Says, tmp_path: Path) -> None:
    """A header that does not fit the tables ends with 3: nothing was checked, and the page says why."""
    trace = tmp_path / "odd.ndjson"
    trace.write_text('{"v":1,"design":"kip343","settings":{"initial":[["isr",[0,1],[1]]]}}\n', encoding="utf-8")
    said = fencepost_says("conform", trace)
    assert said.code == 3
    page = " ".join(said.out.split())
    assert "odd.ndjson: undecided: 0 steps" in page
    assert "do not fit the tables of kip343, so that no step is checked: isr[0, 1]: the tables have 1 keys" in page


def test_what_conform_does_not_do_with_designs(fencepost_says: Says, traces: list[Path], recorded: Path) -> None:
    """Recorded logs beside a trace, and `--sensitivity`, are refused in a sentence."""
    said = fencepost_says("conform", traces[0], recorded)
    assert said.code == 2
    assert "is no event trace of a design" in said.sentence
    said = fencepost_says("conform", traces[0], "--sensitivity")
    assert said.code == 2
    assert "a trace of a design has every cell" in said.sentence


# -- show matrix -------------------------------------------------------------------------------------------------------
def test_the_matrix_has_a_line_for_each_guarantee(fencepost_says: Says, tmp_path: Path) -> None:
    """Nine guarantees of six designs, each cell a sign, in at most 100 columns; the document has the same cells."""
    said = fencepost_says("show", "matrix")
    assert said.code == 0
    head, *lines = said.out.splitlines()
    assert head.split() == ["zk", "kip343", "kip46", "kip631-v1", "kip631-v2", "kraft"]
    assert [line.split()[0] for line in lines[:9]] == [f"M{number}" for number in range(1, 10)]
    assert wide(said, tmp_path) == []
    document = fencepost_says("show", "matrix", "--json").document
    assert list(document["designs"]) == head.split()
    signs = {"proved": "✓", "violated": "✗", "not said": "–"}
    for line, one in zip(lines[:9], document["guarantees"], strict=True):
        assert [cell["design"] for cell in one["cells"]] == head.split()
        found = line.removeprefix(f"{one['id']} {one['name']}").replace("✓ b", "b").replace("(✓)", "").split()
        assert found == [signs.get(cell["finding"], "b") for cell in one["cells"]]


def test_a_guarantee_of_the_matrix_says_how_to_see_it(fencepost_says: Says, tmp_path: Path) -> None:
    """`show matrix M4` tells of each design what was found, and the command that finds it again."""
    said = fencepost_says("show", "matrix", "M4")
    assert said.code == 0
    assert wide(said, tmp_path) == []
    assert "M4: Cut off, it stops serving." in said.out
    document = fencepost_says("show", "matrix", "M4", "--json").document
    (guarantee,) = document["guarantees"]
    text = " ".join(said.out.split())
    for cell in guarantee["cells"]:
        assert f"{cell['design']}: {cell['finding']}." in text
        assert cell["command"] in text
        assert bool(cell["command"]) == (cell["finding"] != "not said")


def test_what_the_matrix_has_not_is_refused(fencepost_says: Says) -> None:
    """An unknown guarantee ends with 2, and the sentence names those that there are."""
    said = fencepost_says("show", "matrix", "M99")
    assert said.code == 2
    assert "M99: the matrix has no guarantee of this id; it has M1, M2," in said.sentence
