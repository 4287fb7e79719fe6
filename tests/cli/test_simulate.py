"""`fencepost simulate`: the story, the page, the document, exit codes, and what it refuses."""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fencepost
from fencepost.checkers.cli.main import main
from fencepost.checkers.cli.simulated import judged_alone
from fencepost.checkers.conformance.loop_lockstep import LoopResult
from fencepost.checkers.verdicts import ExitCode
from fencepost.reference.kraft.simulation.plan import Plan
from tests.cases import each
from tests.cli.conftest import documenting

Says = Callable[..., Any]

GOLDEN = Path(__file__).parent.parent / "golden" / "story.txt"
REWRITE = "FENCEPOST_REWRITE_GOLDEN"
"""With this variable set the golden transcript is written anew in place of being compared."""

SMALL = (
    "--set", "metadata.log.segment.bytes=6000",
    "--set", "metadata.log.max.record.bytes.between.snapshots=3000",
)  # fmt: skip
"""Many segments and snapshots."""

FIELDS = (
    "seed", "simulated_seconds", "repeat", "events", "records", "steps", "steps_judged", "rows", "changed_nothing",
    "not_judged", "data", "loop", "came_to_pass", "divergences", "violations", "faults", "requests", "acknowledged",
    "losses", "log", "trace", "story", "metrics",
)  # fmt: skip


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict[str, Any]]:
    """Return where the files of the default run lie, its story as it was printed, and its document."""
    directory, page, text = tmp_path_factory.mktemp("story") / "out", io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(page):
        code, print_document = documenting(lambda: main(["simulate", "--out", str(directory)]))
    assert code == 0
    with contextlib.redirect_stdout(text):
        print_document()
    return directory, page.getvalue(), json.loads(text.getvalue())


@pytest.fixture(scope="module")
def told(ran: tuple[Path, str, dict[str, Any]]) -> tuple[Path, str]:
    """Return where the default story's files lie, and what was printed."""
    return ran[:2]


@pytest.fixture(scope="module")
def documented(ran: tuple[Path, str, dict[str, Any]]) -> tuple[Path, dict[str, Any]]:
    """Return where the default run's files lie, and its document."""
    return ran[0], ran[2]


def in_a_process(*arguments: str, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run a command line in a process of its own."""
    root = str(Path(fencepost.__file__).parents[1])
    code = "from fencepost.checkers.cli.main import run; run()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )


def files_below(directory: Path) -> dict[str, bytes]:
    """Return the contents of all files below a directory."""
    return {str(p.relative_to(directory)): p.read_bytes() for p in sorted(directory.rglob("*")) if p.is_file()}


# -- the story ---------------------------------------------------------------------------------------------------------
def test_the_story_is_as_it_was(told: tuple[Path, str]) -> None:
    """The default story is line by line as the golden transcript has it, but for where the files lie.

    After a wanted change write it anew: FENCEPOST_REWRITE_GOLDEN=1 pytest tests/cli/test_simulate.py
    """
    directory, text = told
    steady = re.sub(r"in \d+\.\d s:", "in SECONDS s:", text.replace(str(directory), "OUT"))
    if os.environ.get(REWRITE):
        GOLDEN.write_text(steady, encoding="utf-8")
    assert steady == GOLDEN.read_text(encoding="utf-8")


def test_the_story_has_what_it_promises(told: tuple[Path, str]) -> None:
    """A broker is lost and fenced, the active controller is lost and another takes over, a reassignment gets done."""
    _, text = told
    lines = text.splitlines()

    def after(start: int, *parts: str) -> int:
        return next(n for n, line in enumerate(lines) if n > start and all(part in line for part in parts))

    killed = after(0, "×", "B2", "killed")
    fenced = after(killed, "broker 2", "fenced")
    back = after(fenced, "broker 2", "unfenced")
    lost = after(back, "×", "C3000", "controller is killed")
    taken = after(lost, "C3001", "is the active controller")
    asked = after(taken, "admin", "reassigns orders-0")
    begun = after(asked, "orders-0", "reassignment begins")
    assert after(begun, "orders-0", "reassignment over: replicas [2, 3, 1]")
    said = after(begun, "conforms: every step was a row")
    log = next(line.split()[-1] for line in lines[said:] if line.startswith("log:"))
    assert Path(log).is_dir()
    assert [p for p in Path(log).iterdir() if p.suffix == ".log"]


def test_lines_fit_a_page(told: tuple[Path, str]) -> None:
    """No line of story and page is wider than 100 columns, but for paths, which are not folded."""
    directory, text = told
    assert [line for line in text.replace(str(directory), "OUT").splitlines() if len(line) > 100] == []


def test_a_refusal_that_comes_again_is_told_once(told: tuple[Path, str]) -> None:
    """A broker that asks every two seconds until its former process is fenced is printed once, later with the count."""
    _, text = told
    assert text.count("DUPLICATE_BROKER_REGISTRATION") == 1
    assert re.search(r"broker 1 is registered.*after\s+\d+\s+refusals", text)


@pytest.mark.representative("drawn")
@pytest.mark.parametrize("arguments", [(), ("--seed", "3", "--time", "20s", "--story", *SMALL)], ids=["story", "drawn"])
def test_one_seed_is_one_run_to_the_byte(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Two processes that hash differently print the same story and leave the same logs, steps and snapshots."""
    runs = []
    for hash_seed in ("1", "2"):
        done = in_a_process("simulate", *arguments, "--out", str(tmp_path / hash_seed), hash_seed=hash_seed)
        assert done.returncode == 0, done.stdout + done.stderr
        steady = re.sub(r"in \d+\.\d s:", "", done.stdout.replace(str(tmp_path / hash_seed), "OUT"))
        runs.append((steady, files_below(tmp_path / hash_seed)))
    assert runs[0] == runs[1]
    assert any(name.endswith(".log") for name in runs[0][1])


# -- the document ------------------------------------------------------------------------------------------------------
def test_the_document_has_the_contracts_fields(documented: tuple[Path, dict[str, Any]]) -> None:
    """`--json` is one document: events, records, rows, divergences, where log and trace lie, metrics, `repeat`."""
    out, document = documented
    assert (document["command"], document["verdict"], document["exit_code"]) == ("simulate", "conforms", 0)
    assert [name for name in FIELDS if name not in document] == []
    assert document["seed"] == 1
    assert document["divergences"] == document["violations"] == []
    assert document["events"] > 1000
    assert document["records"] > 100
    counted = sum(document["changed_nothing"].values()) + sum(document["not_judged"].values())
    assert document["steps"] == document["steps_judged"] + counted
    assert Path(document["log"]).parent.parent == out
    for name in ("trace", "story"):
        assert Path(document[name]).parent == out
    assert document["repeat"] == "fencepost simulate"


def test_the_document_has_the_loops(documented: tuple[Path, dict[str, Any]]) -> None:
    """`loop` has the steps of the event loops by row, and the rows that no step was, each with a reason."""
    _, document = documented
    loop = document["loop"]
    assert document["verdict"] == "conforms"
    assert loop["steps_judged"] > 800
    assert loop["rows"]["QC1"] > 50
    assert set(loop["rows"]) & set(loop["rows_never_fired"]) == set()
    assert len(loop["rows"]) + len(loop["rows_never_fired"]) == 36
    assert all(loop["rows_never_fired"].values())
    assert loop["judged_no_further"] == {}


def test_a_run_without_a_step_of_a_loop_is_inconclusive() -> None:
    """Where nothing of the loops was judged, no verdict says that they conform."""
    judged = judged_alone(Plan(seed=2, seconds=30))
    assert judged.verdict() == (ExitCode.AS_DECLARED, "conforms")
    assert replace(judged, loop=LoopResult()).verdict() == (ExitCode.INCONCLUSIVE, "inconclusive")


def test_metrics_go_by_kafkas_names(documented: tuple[Path, dict[str, Any]]) -> None:
    """Every controller's metrics are there by Kafka's names: one is active, four brokers are up."""
    metrics = documented[1]["metrics"]
    assert sorted(metrics) == ["3000", "3001", "3002"]
    active = [node for node, one in metrics.items() if one["ActiveControllerCount"] == 1]
    assert len(active) == 1
    assert metrics[active[0]]["ActiveBrokerCount"] == 4
    assert metrics[active[0]]["FencedBrokerCount"] == 0
    assert metrics[active[0]]["GlobalTopicCount"] == 2


def test_a_setting_changes_what_happens(fencepost_says: Says, tmp_path: Path) -> None:
    """With a long broker.session.timeout.ms fewer brokers are fenced for their silence than with a short one."""

    def fenced(milliseconds: int) -> int:
        document = fencepost_says(
            "simulate", "--seed", "4", "--time", "30s", "--faults", "broker-kill", "--json",
            "--set", f"broker.session.timeout.ms={milliseconds}", "--out", tmp_path / str(milliseconds),
        ).document  # fmt: skip
        assert f"broker.session.timeout.ms={milliseconds}" in document["repeat"]
        return sum(line.count("silent for too long") for line in Path(document["story"]).read_text().splitlines())

    assert fenced(3000) > fenced(60000)


# -- what goes wrong ---------------------------------------------------------------------------------------------------
@pytest.mark.representative("promise")
@pytest.mark.parametrize(
    ("bug", "code", "verdict"), [("J9", 6, "violates"), ("answer-at-once", 1, "violated")], ids=["no row", "promise"]
)
def test_an_injected_bug_ends_with_its_code_and_its_command_repeats_it(
    fencepost_says: Says, bug: str, code: int, verdict: str
) -> None:
    """A step that is no row ends with 6, a broken promise with 1; `repeat` is a command that finds the same again."""
    document = fencepost_says("simulate", "--seed", "1", "--time", "15s", "--inject", bug, "--json").document
    assert (document["exit_code"], document["verdict"]) == (code, verdict)
    program, *arguments = shlex.split(document["repeat"])
    assert program == "fencepost"
    again = fencepost_says(*arguments, "--json")
    assert again.code == code
    for name in ("divergences", "violations", "steps", "rows", "events"):
        assert again.document[name] == document[name]


def test_a_divergence_is_shown_with_its_command(fencepost_says: Says) -> None:
    """The page shows the first step that is no row, what would have been right, and the command that repeats it."""
    said = fencepost_says("simulate", "--seed", "1", "--time", "15s", "--inject", "J9")
    assert said.code == 6
    assert "processBrokerHeartbeat" in said.out
    assert "repeat it with: fencepost simulate --seed 1 --time 15s --inject J9" in said.out
    assert "no row of the transition tables" in said.out
    assert "every step was a row" not in said.out


def test_many_seeds_are_summed_up_whatever_the_number_of_jobs(fencepost_says: Says, page_and_document: Says) -> None:
    """`--seeds` adds up rows and steps and names each failing seed with its command; `--jobs` changes nothing of it."""
    words = ("simulate", "--seeds", "2", "--time", "15s", "--inject", "J9")
    shown, documented = page_and_document(*words)
    alone, together = documented.document, fencepost_says(*words, "--json", "--jobs", "2").document
    alone.pop("seconds"), together.pop("seconds")
    assert alone == together
    assert (alone["seeds"], alone["exit_code"]) == (2, 6)
    assert [one["seed"] for one in alone["failed"]] == [1, 2]
    assert alone["failed"][0]["repeat"] == "fencepost simulate --seed 1 --time 15s --inject J9"
    page = shown.out
    assert "violates: 0 of 2 seeds clean" in page
    assert "repeat the first with: fencepost simulate --seed 1 --time 15s --inject J9" in page


@pytest.mark.representative("min.insync.replicas=2")
@pytest.mark.parametrize(
    "setting",
    [
        "min.insync.replicas=2",
        "metadata.log.max.snapshot.interval.ms=0",
        "metadata.log.max.record.bytes.between.snapshots=1",
    ],
)
def test_settings_that_kafka_takes_conform(fencepost_says: Says, tmp_path: Path, setting: str) -> None:
    """A static minimum, no snapshots by time, a snapshot after each batch: the run conforms, and so does its log."""
    out = tmp_path / "run"
    said = fencepost_says("simulate", "--time", "12s", "--faults", "none", "--set", setting, "--out", out)
    assert (said.code, said.out.partition(":")[0]) == (0, "conforms")
    judged = fencepost_says("conform", out)
    assert judged.code == 0
    assert "3 logs: 3 conforms" in judged.out


@pytest.mark.parametrize("protocol", ["kraft", "zk", "kip343"])
def test_a_folder_that_cannot_be_made_is_refused_at_once(fencepost_says: Says, tmp_path: Path, protocol: str) -> None:
    """An unwritable folder is refused before a run of a month begins."""
    (tmp_path / "file").touch()
    said = fencepost_says("simulate", "--protocol", protocol, "--time", "30d", "--out", tmp_path / "file" / "under")
    assert said.code == 2
    assert "under: Not a directory" in said.err


def test_clean_seeds_say_so(fencepost_says: Says) -> None:
    """Without a bug all seeds are clean, and the command ends with 0."""
    said = fencepost_says("simulate", "--seed", "5", "--seeds", "2", "--time", "40s")
    assert said.code == 0
    assert "conforms: 2 of 2 seeds clean, from seed 5 on" in said.out


@each(
    ("arguments", "part"),
    [
        (("--faults", "quake"), "--faults quake: there is swarm"),
        (("--set", "broker.session.timeout=3"), "broker.session.timeout: no setting of this cluster has that name"),
        (("--set", "broker.session.timeout.ms=soon"), "broker.session.timeout.ms=soon: write a whole number"),
        (("--set", "broker.session.timeout.ms=0"), "timeout.ms=0: write a whole number from 1 to 2147483647"),
        (("--set", "min.insync.replicas=2147483648"), "min.insync.replicas=2147483648: write a whole number from 1 to"),
        (("--set", "nonsense"), "--set nonsense: write NAME=VALUE"),
        (("--fork", "automq"), "--fork automq: there is no reference of this fork; use inkless"),
        (("--fork", "inkless", "--seeds", "0"), "--seeds 0: run at least one"),
        (("--fork", "inkless", "--release-version", "4.3-IV0"), "inkless knows metadata.version up to 4.2-IV1"),
        (("--fork", "inkless", "--protocol", "zk"), "--fork: the reference of zk does not have it; leave it out"),
        (("--repaired", "D99"), "--repaired D99: there is none of that name; there are D1,"),
        (("--inject", "J99"), "--inject J99: there is none of that name; there are J7,"),
        (("--release-version", "3.2-IV0"), "--release-version 3.2-IV0: Kafka 4.4 runs at 3.3-IV3,"),
        (("--highest-version", "4.9"), "--highest-version 4.9: Kafka 4.4 runs at 3.3-IV3,"),
        (
            ("--highest-version", "4.3-IV0", "--release-version", "4.4-IV0"),
            "--highest-version 4.3-IV0: --release-version 4.4-IV0 is above it; lower that one",
        ),
        (("--time", "nonsense"), "--time nonsense: write a time above 0"),
        (("--time", "-3m"), "--time -3m: write a time above 0"),
        (("--seeds", "0"), "--seeds 0: run at least one"),
        (("--jobs", "0"), "--jobs 0: take at least one"),
        (("--seeds", "2", "--out", "here"), "--out: it is for one seed"),
        (("--controllers", "0"), "--controllers 0"),
    ],
)
def test_what_does_not_fit_is_one_sentence(fencepost_says: Says, arguments: tuple[str, ...], part: str) -> None:
    """An option that does not fit ends with 2 before anything runs, with a sentence that says what would fit."""
    said = fencepost_says("simulate", *arguments)
    assert said.code == 2
    assert part in said.sentence


def test_nothing_is_written_over(fencepost_says: Says, tmp_path: Path) -> None:
    """`--out` names a new or an empty folder; one that holds something, or a file, is refused and left as it is."""
    (tmp_path / "precious").write_text("mine")
    for place in (tmp_path, tmp_path / "precious"):
        said = fencepost_says("simulate", "--out", place)
        assert said.code == 2
        assert "something is there already" in said.sentence
    assert files_below(tmp_path) == {"precious": b"mine"}
    (tmp_path / "empty").mkdir()
    assert fencepost_says("simulate", "--time", "20s", "--out", tmp_path / "empty").code == 0


# -- what other commands make of it ------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of a seed with small segments and many snapshots."""
    out = tmp_path_factory.mktemp("drawn") / "out"
    done = in_a_process("simulate", "--seed", "1", "--time", "1m", *SMALL, "--out", str(out), "--json")
    assert done.returncode == 0, done.stderr
    return Path(json.loads(done.stdout)["log"])


def test_every_controllers_log_of_the_story_conforms(fencepost_says: Says, told: tuple[Path, str]) -> None:
    """`conform` accepts the directory of each of the three controllers, not only the active one's."""
    document = fencepost_says("conform", told[0], "--json").document
    assert [(Path(log["path"]).parent.name, log["verdict"]) for log in document["logs"]] == [
        (f"controller-{node}", "conforms") for node in (3000, 3001, 3002)
    ]


@pytest.mark.nightly("tests/conformance/test_simulated.py::test_every_controllers_log_conforms")
def test_logs_with_segments_and_snapshots_conform(fencepost_says: Says, drawn: Path) -> None:
    """A log has many segments and snapshots; it conforms, and so do those of the other controllers."""
    assert len(list(drawn.glob("*.log"))) > 2
    assert len(list(drawn.glob("*.checkpoint"))) > 2
    document = fencepost_says("conform", drawn.parent.parent, "--json").document
    assert [found["verdict"] for found in document["logs"]] == ["conforms"] * 3


@pytest.mark.nightly("tests/conformance/test_simulated.py::test_every_controllers_log_conforms")
@pytest.mark.spark
def test_a_log_conforms_on_spark(fencepost_says: Says, drawn: Path) -> None:
    """On Spark the verdict is the same, and so are the rows."""
    alone = fencepost_says("conform", drawn, "--json").document
    spark = fencepost_says("conform", drawn, "--spark", "--json").document
    assert spark["verdict"] == "conforms"
    assert spark["logs"][0]["rows"] == alone["logs"][0]["rows"]


def test_the_trace_is_judged_beside_the_log(fencepost_says: Says, told: tuple[Path, str]) -> None:
    """`conform LOG --events` reads the trace that simulate writes, and finds no difference in any request."""
    directory = told[0]
    log = directory / "controller-3001" / "__cluster_metadata-0"
    document = fencepost_says("conform", log, "--events", directory / "events.ndjson.gz", "--json").document
    assert (document["verdict"], document["exit_code"]) == ("conforms", 0)
    assert document["events"]["differences"] == []
    assert document["events"]["judged"]["BrokerHeartbeat"] > 100


def test_the_state_at_an_offset_is_shown(fencepost_says: Says, told: tuple[Path, str]) -> None:
    """`show LOG --at` gives the state in the middle of the story: broker 2 is fenced, and out of the ISRs."""
    directory, text = told
    found = re.search(r"broker 2 is silent[^@]*@(\d+)-(\d+)", text)
    assert found is not None
    log = directory / "controller-3001" / "__cluster_metadata-0"
    page = fencepost_says("show", log, "--at", found[2], "--json")
    assert page.code == 0
    assert json.dumps(page.document).count("fenced") > 0


@pytest.mark.nightly(
    "tests/reference/kraft/test_inkless.py::test_what_inkless_loses_by_a_reassignment_is_not_lost_with_the_repair"
)
def test_the_reference_of_a_fork(fencepost_says: Says, tmp_path: Path) -> None:
    """A lost record is a broken promise (1), though its log conforms; another seed loses none (0)."""
    lost = fencepost_says("simulate", "--fork", "inkless", "--seed", "7", "--time", "5m", "--faults", "none", "--json")
    document = json.loads(lost.out)
    assert (lost.code, document["verdict"]) == (1, "violated")
    assert {one["rule"] for one in document["violations"]} == {"data loss"}
    assert document["repeat"] == "fencepost simulate --seed 7 --time 300s --faults none --fork inkless"
    kept = fencepost_says(
        *("simulate", "--fork", "inkless", "--seed", "8", "--time", "3m", "--faults", "none"),
        *("--out", str(tmp_path / "out")),
    )
    assert kept.code == 0
    assert re.match(r"conforms: no promise broken, [1-9]\d* requests to switch a topic", kept.out)
    assert "conforms (tables of inkless)" in kept.out


def test_seeds_of_a_fork_with_repairs(fencepost_says: Says) -> None:
    """Two seeds of a fork's reference without a defect of Kafka: each log conforms, and the counts are of both."""
    command = "simulate --fork inkless --seed 8 --seeds 2 --time 60s --repaired D23 --json"
    both = fencepost_says(*command.split())
    document = json.loads(both.out)
    assert (both.code, document["seeds"], document["failed"]) == (0, 2, [])
    assert document["requests"]["switch_to_diskless"] >= 1


def test_voters_change(fencepost_says: Says, tmp_path: Path) -> None:
    """An administrator changes the voters: each step of the quorum is a row, and the logs conform, voters too."""
    changed = fencepost_says(
        *("simulate", "--voter-requests", "--seed", "5", "--time", "60s", "--json", "--out", str(tmp_path / "out"))
    )
    document = json.loads(changed.out)
    assert (changed.code, document["repeat"]) == (0, "fencepost simulate --seed 5 --time 60s --voter-requests")
    rows = document["voters"]["rows"]
    assert document["voters"]["steps_judged"] == sum(rows.values()) > 20
    assert {"VK4", "VA8", "VQ2", "VQ3"} <= set(rows)
    [quorum] = fencepost_says("conform", str(tmp_path / "out"), "--json").document["quorums"]
    assert (quorum["verdict"], quorum["violations"]) == ("conforms", [])
    assert min(quorum["asked"][rule] for rule in ("voters-change", "voters-level", "elected-by-voters")) > 0
