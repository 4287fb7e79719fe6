"""`fencepost simulate --protocol zk`: page and document, many seeds, refusals, failures, what `conform` says."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import fencepost
from fencepost.model.zk import ZK
from tests.cases import each

from .conftest import Said

Says = Callable[..., Said]
ZOOKEEPER = ("simulate", "--protocol", "zk")
FIELDS = (
    "protocol", "seed", "simulated_seconds", "repeat", "events", "records", "epochs", "steps", "rows", "not_judged",
    "adopted", "divergences", "violations", "stuck", "faults", "requests", "log", "trace",
)  # fmt: skip
FILES = {
    "steps.ndjson", "znode-history.ndjson", "final-znodes.json", "meta.json",
    *(f"{kind}.broker-{broker}.log" for kind in ("state-change", "controller") for broker in (1, 2, 3, 4)),
}  # fmt: skip


def in_a_process(*arguments: str, hash_seed: str) -> str:
    """Run a command line in a process of its own, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", "from fencepost.checkers.cli.main import run; run()", *arguments],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(fencepost.__file__).parents[1])},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def contents(directory: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


# -- one seed ----------------------------------------------------------------------------------------------------------
def test_the_page_of_a_seed(fencepost_says: Says, tmp_path: Path) -> None:
    """One seed: the verdict, what was run, what no row is about, what was declared, the faults, where the files lie."""
    said = fencepost_says(*ZOOKEEPER, "--time", "60s", "--out", tmp_path / "out")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "conforms: every step was a row of the transition tables"
    for part in (" rows run, ", "declared violations that showed:", "transactions of ZooKeeper", "faults: "):
        assert part in said.out
    assert lines[-1] == f"next:  fencepost conform {tmp_path / 'out'}"
    assert [line for line in lines if len(line) > 100 and str(tmp_path) not in line] == []
    assert set(contents(tmp_path / "out")) == FILES


def test_the_document_of_a_seed(fencepost_says: Says, tmp_path: Path) -> None:
    """`--json` is one document with the contract's fields; rows are the tables', findings what is declared."""
    document = fencepost_says(*ZOOKEEPER, "--time", "60s", "--out", tmp_path / "out", "--json").document
    assert (document["command"], document["verdict"], document["exit_code"]) == ("simulate", "conforms", 0)
    assert [name for name in FIELDS if name not in document] == []
    assert (document["protocol"], document["seed"], document["simulated_seconds"]) == ("zk", 1, 60)
    assert document["divergences"] == document["violations"] == []
    assert set(document["rows"]) <= {row.id for row in ZK.rows}
    assert document["steps"] > 300
    assert {one["id"] for one in document["findings"]} <= {"ZI16", "ZI2m", "ZI2r"}
    assert shlex.split(document["repeat"]) == ["fencepost", *ZOOKEEPER, "--seed", "1", "--time", "60s"]
    assert Path(document["trace"]).parent == Path(document["log"]) == tmp_path / "out"


def test_a_story_tells_elections_and_operations(fencepost_says: Says, tmp_path: Path) -> None:
    """`--story` prints a line for each election, operation and fault, in lines of at most 100 columns."""
    said = fencepost_says(*ZOOKEEPER, "--time", "60s", "--story", "--out", tmp_path / "out")
    story = said.out[: said.out.index("conforms: ")]
    for word in ("Elect", "onNewPartitionCreation", "onBrokerStartup", "CreateTopic"):
        assert word in story
    assert max(map(len, story.splitlines())) <= 100


@pytest.mark.nightly("tests/cli/test_simulate.py::test_one_seed_is_one_run_to_the_byte")
def test_one_seed_is_one_run_to_the_byte(tmp_path: Path) -> None:
    """Two processes that hash differently leave the same logs, history and steps."""
    for hash_seed in ("1", "2"):
        arguments = (*ZOOKEEPER, "--seed", "3", "--time", "12s", "--out", str(tmp_path / hash_seed))
        in_a_process(*arguments, hash_seed=hash_seed)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


# -- many seeds --------------------------------------------------------------------------------------------------------
@pytest.mark.nightly("tests/cli/test_simulate.py::test_many_seeds_are_summed_up_whatever_the_number_of_jobs")
def test_many_seeds_are_the_same_for_any_number_of_jobs(fencepost_says: Says) -> None:
    """`--seeds` adds up steps and rows, and names each failing seed with its command, whatever `--jobs` says."""
    words = (*ZOOKEEPER, "--seed", "2", "--seeds", "2", "--time", "15s", "--inject", "Z9", "--json")
    alone, together = fencepost_says(*words).document, fencepost_says(*words, "--jobs", "2").document
    alone.pop("seconds"), together.pop("seconds")
    assert alone == together
    assert (alone["seeds"], alone["first_seed"], alone["exit_code"]) == (2, 2, 6)
    assert alone["steps"] > sum(one["steps"] for one in alone["failed"]) - 1
    for one in alone["failed"]:
        assert one["repeat"] == f"fencepost simulate --protocol zk --seed {one['seed']} --time 15s --inject Z9"


def test_clean_seeds_say_so(fencepost_says: Says) -> None:
    """Seeds without a fault of the tables or the reference end with 0 and are counted on the page."""
    said = fencepost_says(*ZOOKEEPER, "--seed", "5", "--seeds", "2", "--time", "40s")
    assert said.code == 0
    assert "conforms: 2 of 2 seeds clean, from seed 5 on" in said.out


# -- what goes wrong ---------------------------------------------------------------------------------------------------
@pytest.mark.representative("promise")
@pytest.mark.parametrize(
    ("bug", "code", "verdict"), [("Z9", 6, "violates"), ("Z5", 1, "violated")], ids=["no row", "promise"]
)
def test_a_failing_seed_ends_with_its_code_and_its_command_repeats_it(
    fencepost_says: Says, tmp_path: Path, bug: str, code: int, verdict: str
) -> None:
    """A step that is no row ends with 6, a broken promise with 1; the command that is printed finds the same again."""
    said = fencepost_says(*ZOOKEEPER, "--time", "60s", "--inject", bug, "--out", tmp_path / "page")
    assert said.code == code
    assert "of node " in said.out.splitlines()[0]
    command = next(line for line in said.out.splitlines() if line.startswith("repeat it with: "))
    program, *arguments = shlex.split(command.removeprefix("repeat it with: "))
    assert program == "fencepost"
    again = [fencepost_says(*arguments, "--json", "--out", tmp_path / str(one)) for one in (1, 2)]
    assert [one.code for one in again] == [code, code]
    assert again[0].document["verdict"] == verdict
    for name in ("divergences", "violations", "steps", "rows"):
        assert again[0].document[name] == again[1].document[name]
    assert again[0].document["divergences"] or again[0].document["violations"]


@each(
    ("arguments", "part"),
    [
        (("--inject", "K9"), "--inject K9: there is none of that name; there are Z1,"),
        (("--set", "broker.session.timeout.ms=3"), "--set: the reference of zk does not have it"),
        (("--repaired", "D1"), "--repaired: the reference of zk does not have it"),
        (("--release-version", "3.7-IV2"), "--release-version: the reference of zk does not have it"),
        (("--controllers", "5"), "--controllers: the reference of zk does not have it"),
        (("--faults", "quake"), "--faults quake: there is swarm, all, none, and broker-kill,"),
        (("--brokers", "0"), "--brokers 0: take 1 to 50 brokers"),
        (("--time", "soon"), "--time soon: write a time above 0"),
        (("--seeds", "0"), "--seeds 0: run at least one"),
        (("--jobs", "0"), "--jobs 0: take at least one"),
        (("--seeds", "2", "--out", "here"), "--out: it is for one seed"),
        (("--protocol", "chubby"), "--protocol chubby: there is no reference of this name; use one of kraft, zk,"),
    ],
)
def test_what_does_not_fit_is_one_sentence(fencepost_says: Says, arguments: tuple[str, ...], part: str) -> None:
    """An option that does not fit ends with 2 before anything runs, with a sentence that says what would fit."""
    said = fencepost_says(*ZOOKEEPER, *arguments)
    assert said.code == 2
    assert part in said.sentence


def test_nothing_is_written_over(fencepost_says: Says, tmp_path: Path) -> None:
    """`--out` names a new or an empty folder; one that holds something, or a file, is refused and left as it is."""
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    for place in (tmp_path, tmp_path / "precious"):
        said = fencepost_says(*ZOOKEEPER, "--time", "20s", "--out", place)
        assert said.code == 2
        assert "something is there already: name a new or an empty folder" in said.sentence
    assert contents(tmp_path) == {"precious": b"mine"}


# -- what other commands make of it ------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the recordings of two seeds."""
    directory = tmp_path_factory.mktemp("simulated")
    for seed in ("3", "4"):
        done = in_a_process(
            *ZOOKEEPER, "--seed", seed, "--time", "45s", "--out", str(directory / seed), "--json", hash_seed="0"
        )
        assert json.loads(done)["verdict"] == "conforms"
    return directory


@pytest.mark.nightly("tests/conformance/zk/test_simulated.py::test_simulated_clusters_conform")
def test_simulated_recordings_conform(fencepost_says: Says, simulated: Path) -> None:
    """`conform` reads what a run leaves as it reads a recorded cluster, and explains all of it."""
    said = fencepost_says("conform", simulated, "--json")
    assert said.code == 0
    assert [(Path(log["path"]).name, log["verdict"]) for log in said.document["logs"]] == [
        ("3", "conforms"), ("4", "conforms"),
    ]  # fmt: skip
    assert all(log["records"] > 200 for log in said.document["logs"])


@pytest.mark.nightly("tests/conformance/zk/test_simulated.py::test_simulated_clusters_conform")
@pytest.mark.spark
def test_simulated_recordings_conform_on_spark(fencepost_says: Says, simulated: Path) -> None:
    """On Spark, one cluster a task, verdicts and rows are the same."""
    alone = fencepost_says("conform", simulated, "--json").document
    spark = fencepost_says("conform", simulated, "--spark", "--json").document
    assert spark["verdict"] == "conforms"
    assert [(log["path"], log["rows"]) for log in spark["logs"]] == [
        (log["path"], log["rows"]) for log in alone["logs"]
    ]
