"""`fencepost bench`: its figures, and that a name or number that does not fit is one sentence."""

import gc
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fencepost.checkers.bench import conform, engines, explore, simulation, taking
from fencepost.checkers.bench.benchmarks import BENCHMARKS
from fencepost.checkers.bench.conform_case import Cost, measured_case
from fencepost.checkers.bench.conform_logs import replicas
from fencepost.checkers.bench.dump_log import POM
from fencepost.checkers.bench.peers import Turn
from fencepost.checkers.bench.published_jars import jars
from fencepost.checkers.bench.simulation import plan_with
from fencepost.checkers.bench.taking import TaskEnd, makespan, tree_seconds
from fencepost.checkers.cli.schemas import schema
from fencepost.checkers.conformance import conform as judge
from fencepost.checkers.exploration import explore as explored
from fencepost.checkers.proof import Proof
from fencepost.checkers.proof import prove as proved
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.language import Protocol
from fencepost.reference.kraft.injected import Bug

Says = Callable[..., Any]


def test_speed(fencepost_says: Says) -> None:
    """Speed is events a second and simulated hours an hour, of what it says that it ran."""
    document = fencepost_says("bench", "speed", "--seeds", "2", "--time", "30s", "--json").document
    assert (document["verdict"], document["exit_code"]) == ("measured", 0)
    (speed,) = document["benchmarks"]
    assert (speed["name"], speed["seeds"], speed["simulated_seconds"]) == ("speed", 2, 60)
    assert speed["events"] > 1000
    assert speed["events_per_second"] == pytest.approx(speed["events"] / speed["wall_seconds"], rel=0.05)
    assert speed["simulated_hours_per_hour"] == pytest.approx(60 / speed["wall_seconds"], rel=0.05)


def test_lock_step_and_seeds(fencepost_says: Says) -> None:
    """With the tables beside it the same events are run, and every seed is clean."""
    document = fencepost_says("bench", "lock-step", "seeds", "--seeds", "1", "--time", "30s", "--json").document
    lock_step, seeds = document["benchmarks"]
    (alone,) = fencepost_says("bench", "speed", "--seeds", "1", "--time", "30s", "--json").document["benchmarks"]
    assert lock_step["events"] == alone["events"]
    assert lock_step["steps"] > 10
    assert (lock_step["unclean"], seeds["clean"], seeds["unclean"]) == ([], 1, [])


def test_memory(fencepost_says: Says, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is sampled along the run; the verdict follows from the samples."""
    monkeypatch.setattr(simulation, "SAMPLES", 8)
    # What the tests before this one have left is not searched for garbage with each sample.
    gc.freeze()
    document = fencepost_says("bench", "memory", "--time", "8s", "--json").document
    (memory,) = document["benchmarks"]
    samples = memory["resident_mib"]
    assert len(samples) == 8
    assert memory["growth"] == pytest.approx(sum(samples[6:]) / sum(samples[2:4]) - 1, abs=0.001)
    assert memory["flat"] == (memory["growth"] <= 0.1)
    assert document["exit_code"] == (0 if memory["flat"] else 7)


def test_bugs(fencepost_says: Says) -> None:
    """A bug that is found is reported with its seed and what found it; one that is not makes the command end with 7."""
    document = fencepost_says("bench", "bugs", "--bug", "J9", "--seeds", "1", "--time", "60s", "--json").document
    (bug,) = document["benchmarks"][0]["bugs"]
    assert (bug["id"], bug["found"], bug["seed"], bug["by"]) == ("J9", True, 1, "a step that is no row")
    assert document["exit_code"] == 0
    missed = fencepost_says("bench", "bugs", "--bug", "J9", "--seeds", "1", "--time", "1s")
    assert missed.code == 7
    assert "J9: not found in 1 seeds" in missed.out


def test_what_a_bug_needs() -> None:
    """What a bug needs in order to show itself becomes the plan of its run."""
    bug = Bug(
        "X",
        "none",
        "nothing",
        lambda controller: None,
        {"faults": "none", "release": "3.9-IV0", "min.insync.replicas": "2"},
    )
    plan = plan_with(bug, 3, 90.0)
    assert (plan.seed, plan.bugs, plan.faults, plan.seconds) == (3, ("X",), "none", 90.0)
    assert (plan.level, plan.settings.min_insync_replicas) == (21, 2)
    assert "--set min.insync.replicas=2" in plan.command()


@pytest.fixture(params=["some rows", "every row"])
def asked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have `bench prove` ask each protocol of three of its rows, or of all."""
    if request.param == "some rows":

        def of_some(tables: Protocol, **given: Any) -> Proof:
            return proved(tables, **given, rows=[row.id for row in tables.rows[:3]])

        monkeypatch.setattr(engines, "proved", of_some)
    return str(request.param)


@pytest.mark.representative("some rows")
@pytest.mark.usefixtures("asked")
def test_prove_tells_what_each_proof_costs(fencepost_says: Says) -> None:
    """Each protocol's obligations are all proved or declared, and its ratios follow from its seconds."""
    said = ("bench", "prove", "--protocol", "kip46", "--protocol", "lease", "--json")
    (proofs,) = fencepost_says(*said).document["benchmarks"]
    found = proofs["protocols"]
    assert list(found) == ["kip46", "lease"]
    for one in found.values():
        assert (one["unknown"], one["obligations"]) == (0, one["proved"] + one["expected"])
        assert one["cores"] == pytest.approx(one["cpu_s"] / one["wall_s"], rel=0.1)
    shares = [one["share_of_cpu"] for one in found.values()]
    assert sum(shares) == pytest.approx(1, abs=0.01)
    assert shares[0] / shares[1] == pytest.approx(found["kip46"]["cpu_s"] / found["lease"]["cpu_s"], rel=0.1)


@pytest.mark.representative("some rows")
@pytest.mark.usefixtures("asked")
def test_prove_says_what_another_solver_counted_otherwise(fencepost_says: Says, tmp_path: Path) -> None:
    """Against its own document every verdict is the same; one count altered is a disagreement that is named."""
    said = fencepost_says("bench", "prove", "--protocol", "lease", "--json")
    file = tmp_path / "before.json"
    file.write_text(said.out)
    again = fencepost_says(*against(file))
    assert again.code == ExitCode.AS_DECLARED
    assert "lease: the same verdicts; " in again.out
    document = said.document
    document["benchmarks"][0]["protocols"]["lease"]["proved"] += 1
    document["benchmarks"][0]["solver"] = "Z3 4.15.0"
    file.write_text(json.dumps(document))
    other = fencepost_says(*against(file))
    assert other.code == ExitCode.DISAGREEMENT
    assert "Z3 4.15.0 before, Z3 " in other.out
    proved = document["benchmarks"][0]["protocols"]["lease"]["proved"]
    assert f"lease: {proved} proved before, {proved - 1} now; " in other.out
    file.write_text("{}")
    assert "is no document of that command" in fencepost_says(*against(file)).sentence
    assert "only the benchmark prove" in fencepost_says("bench", "speed", "--against", file).sentence


def against(file: Path) -> tuple[str | Path, ...]:
    """Return the command line that compares with a file."""
    return "bench", "prove", "--protocol", "lease", "--against", file


def _explored_here(asked: explore.Asked, cache: str, threads: int | None = None) -> Turn:
    """Explore in this process: a turn as that of a whole command is, without what a process takes to begin."""
    found, wall, cpu = engines.timed(partial(explored, asked.tables, asked.bound, engine="numpy"))
    counts = {"distinct": found.distinct, "generated": found.generated, "depth": found.depth}
    return Turn(counts, wall, cpu)


@pytest.mark.representative("here")
@pytest.mark.parametrize("where", ["here", "processes"])
@pytest.mark.tlc
def test_explore_tells_how_tlc_compares(fencepost_says: Says, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """TLC counts the same states at the same bound, and its seconds are printed as multiples of both commands."""
    if where == "here":
        monkeypatch.setattr(explore, "_explored", _explored_here)
    said = ("bench", "explore", "--protocol", "lease", "--bound", "tiny", "--set", "Broker=1", "--beside", "tlc")
    document = fencepost_says(*said, "--json").document
    one = document["benchmarks"][0]["protocols"]["lease"]["tiny"]
    assert document["exit_code"] == 0
    assert one["agrees"] is True
    assert one["distinct"] > 1
    for key in ("cold", "warm"):
        for part in ("wall_s", "cpu_s"):
            assert one["ratios"][key][part] == pytest.approx(one["tlc"][part] / one[key][part], rel=0.01, abs=0.01)


@pytest.mark.nightly("tests/peers/test_peers.py::test_rust_counts_what_exploration_counts")
@pytest.mark.cargo
def test_explore_tells_what_peers_take_and_which_did_not_run(
    fencepost_says: Says, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The search in Rust counts the same states of another size; a missing SPIN is reported, no failure."""
    for program in ("cargo", "rustc", "cc"):
        place = shutil.which(program)
        assert place is not None
        # A link has the same name, by which rustup knows what it is to run.
        Path(tmp_path, program).symlink_to(place)
    monkeypatch.setenv("PATH", str(tmp_path))
    said = ("bench", "explore", "--protocol", "lease", "--set", "Broker=1", "--beside", "spin", "--beside", "rust")
    document = fencepost_says(*said, "--json").document
    one = document["benchmarks"][0]["protocols"]["lease"]["tiny"]
    assert (document["exit_code"], one["agrees"]) == (0, True)
    assert one["missing"]["spin"].startswith("spin is not on the PATH")
    rust = one["peers"]["rust"]
    assert (rust["distinct"], rust["depth"], list(rust["before"])) == (one["distinct"], one["depth"], ["compile"])


def test_explore_says_that_counts_differ() -> None:
    """A checker that counts one state more, or none, does not agree; what it does not count is not compared."""
    ours = {"distinct": 288, "transitions": 1_146, "generated": 1_434, "depth": 11}
    assert explore.agree({"distinct": 288, "transitions": None}, ours)
    assert not explore.agree({"distinct": 289}, ours)
    assert not explore.agree({"distinct": 288, "transitions": 1_147}, ours)
    assert not explore.agree({"distinct": None}, ours)


def test_explore_refuses_a_checker_that_there_is_not(fencepost_says: Says) -> None:
    """A checker of another name, and a checker beside another benchmark, end with a sentence."""
    for said in (("explore", "--beside", "murphi"), ("prove", "--beside", "spin")):
        told = fencepost_says("bench", *said)
        assert (told.code, "--beside" in told.err) == (2, True)


def test_explore_refuses_a_bound_that_there_is_not(fencepost_says: Says) -> None:
    """A bound that no protocol asked for has, and bounds of another benchmark, end with a sentence."""
    for said in (("explore", "--protocol", "lease", "--bound", "vast"), ("prove", "--bound", "tiny")):
        told = fencepost_says("bench", *said)
        assert told.code == 2
        assert said[-1] in told.err


def test_the_logs_of_bench_conform_conform(tmp_path: Path) -> None:
    """The measured log is checked to its end and conforms: single changes in turn, and a fenced broker."""
    single = measured_case(60, "single", 150, str(tmp_path / "single"), 300, 300)
    assert (single.verdict, single.records, single.judged) == ("conforms", 150, 150)
    fence = measured_case(60, "fence", 0, str(tmp_path / "fence"), 300, 300)
    led = sum(0 in replicas(partition) for partition in range(60))
    assert (fence.verdict, fence.records, fence.judged) == ("conforms", led + 1, led + 1)
    for cost in (single, fence):
        assert min(cost.read_cpu_s, cost.restore_cpu_s, cost.judge_cpu_s) > 0
        assert cost.a_record() == pytest.approx(1000 * cost.judge_cpu_s / cost.records)
        assert cost.peak_mib > 20


def _in_this_process(partitions: int, kind: str, records: int, folder: Path, left: float) -> Cost:
    return measured_case(partitions, kind, records, str(folder), conform.LIMIT, left)


def test_bench_conform_tells_ratios_and_what_it_left_out(
    fencepost_says: Says, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each case has its figures, ratios follow from them, and a case for which no time is left is named."""
    monkeypatch.setattr(conform, "CASES", ((40, "single", 20), (80, "single", 20), (40, "fence", 0)))
    monkeypatch.setattr("fencepost.checkers.bench.dump_log.POM", tmp_path / "none.xml")
    with monkeypatch.context() as here:  # a process of its own has the command below
        here.setattr(conform, "_apart", _in_this_process)
        said = fencepost_says("bench", "conform")
    assert said.code == 0
    page = " ".join(said.out.split())
    single, larger, fence = (one for one in page.split(" CPU ms each")[:3])
    costs = [float(one.rsplit(" ", 1)[1]) for one in (single, larger, fence)]
    told = re.search(r"an ISR change by partitions, against 40: 80 ([0-9.]+) ×", page)
    assert told is not None
    assert float(told[1]) == pytest.approx(costs[1] / costs[0], abs=0.06)
    fan_out = re.search(r"against an ISR change, by partitions: 40 ([0-9.]+) ×", page)
    assert fan_out is not None
    assert float(fan_out[1]) == pytest.approx(costs[2] / costs[0], abs=0.02)
    monkeypatch.setattr(conform, "BUDGET", conform.LIMIT)
    less = fencepost_says("bench", "conform")
    assert "single, 80 partitions: left out" in " ".join(less.out.split())


def test_a_case_of_bench_conform_ends_at_its_limit(tmp_path: Path) -> None:
    """Beyond the limit of CPU seconds a case is left, and its figure is that of the records checked until then."""
    cost = measured_case(1_000, "single", 4_000, str(tmp_path / "log"), 0.3, 60)
    assert (cost.verdict, cost.records) == ("", 4_000)
    assert 0 < cost.judged < 4_000
    assert 0.2 < cost.judge_cpu_s < 2
    none = measured_case(1_000, "single", 10, str(tmp_path / "other"), 3, 0.001)
    assert (none.judged, none.a_record()) == (0, None)


def test_bench_conform_of_a_log(fencepost_says: Says, recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A given log is measured as a whole command; where the tool cannot be run that is said, and nothing is made up."""
    monkeypatch.setattr("fencepost.checkers.bench.dump_log.POM", recorded / "none.xml")
    said = fencepost_says("bench", "conform", "--log", recorded / "first-boot", "--json")
    (one,) = said.document["benchmarks"]
    assert (said.code, one["verdict"], one["records"]) == (0, "conforms", 94)
    assert one["conform"]["code"] == 0
    assert one["conform"]["cpu_s"] > 0.1
    assert "dump" not in one
    assert "none.xml: is not there" in one["dump_missing"]
    assert "--log" in fencepost_says("bench", "speed", "--log", recorded).sentence


def test_jars_that_cannot_be_fetched_are_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Maven, or where Maven fails, one sentence says why, and no folder is left that looks like the jars."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(Refusal, match=r"Maven .* is not on the PATH"):
        jars(POM)
    maven = tmp_path / "mvn"
    maven.write_text("#!/bin/sh\necho '[ERROR] no such artifact'\nexit 1\n", encoding="utf-8")
    maven.chmod(0o755)
    with pytest.raises(Refusal, match="no such artifact") as raised:
        jars(POM)
    assert raised.value.code is ExitCode.INCONCLUSIVE
    assert list((tmp_path / "cache" / "fencepost" / "kafka").iterdir()) == []


@pytest.mark.nightly("test_bench_conform_of_a_log")
@pytest.mark.kafka
def test_bench_conform_beside_kafka_dump_log(fencepost_says: Says, recorded: Path) -> None:
    """Beside it Kafka's own tool prints the same segments as text, and the ratios are those of the seconds."""
    if shutil.which("java") is None or shutil.which("mvn") is None:
        pytest.skip("kafka-dump-log needs Java and Maven")
    said = fencepost_says("bench", "conform", "--log", recorded / "first-boot", "--json")
    (one,) = said.document["benchmarks"]
    assert one["dump_missing"] == ""
    assert one["dump"]["code"] == 0
    assert one["ratio"]["cpu_s"] == pytest.approx(one["conform"]["cpu_s"] / one["dump"]["cpu_s"], abs=0.01)
    assert one["ratio"]["wall_s"] == pytest.approx(one["conform"]["wall_s"] / one["dump"]["wall_s"], abs=0.01)


def test_what_does_not_fit(fencepost_says: Says) -> None:
    """A benchmark, a bug, a number or a time that is none is refused with code 2."""
    for arguments, part in (
        (("lamp",), f"there are {', '.join(BENCHMARKS)}"),
        (("bugs", "--bug", "lamp"), "--bug lamp: there is none"),
        (("prove", "--protocol", "lamp"), "--protocol lamp: there is none"),
        (("speed", "--seeds", "0"), "--seeds 0: run at least one"),
        (("speed", "--time", "soon"), "--time soon: write a time"),
    ):
        said = fencepost_says("bench", *arguments)
        assert said.code == 2
        assert part in said.sentence


BURNS = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True)\ninput()"


@pytest.mark.slow
def test_the_cpu_seconds_of_a_process_tree_are_those_of_its_children_too() -> None:
    """What a child burnt is counted while it lives, and when it has ended and was waited for."""
    before = tree_seconds(os.getpid())
    with subprocess.Popen(
        [sys.executable, "-c", BURNS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert tree_seconds(os.getpid()) - before >= 0.3
        child.communicate("\n")
    assert tree_seconds(os.getpid()) - before >= 0.3


@pytest.mark.nightly("tests/oracles/test_same.py::test_sql_and_conform_say_the_same_of_a_sample")
@pytest.mark.slow
def test_what_bench_spark_makes_conforms_also_to_sql(tmp_path: Path) -> None:
    """A log that it makes has as many records as it says, and the SQL that is run beside it finds nothing in it."""
    records = taking.simulated(tmp_path / "logs", 1, 100)
    (result,) = judge([tmp_path / "logs"], None).logs
    assert (result.verdict, result.records + result.control_records) == (Verdict.CONFORMS, records)
    columns = str(tmp_path / "columns.parquet")
    assert taking.oracle("decode", str(tmp_path / "logs"), columns) == {}
    said = taking.oracle("judge", columns)
    assert said["violations"] == 0
    assert said["cpu_s"] > 0


def test_tasks_of_a_stage_wait_for_those_of_the_stage_before() -> None:
    """What several executors take is the sum over stages; within one the longest task begins first."""
    ended = [TaskEnd(0, 4.0, 0), TaskEnd(1, 1.0, 0), TaskEnd(1, 3.0, 0), TaskEnd(1, 2.0, 0), TaskEnd(1, 2.0, 0)]
    assert [makespan(ended, n) for n in (1, 2, 3, 8)] == [12.0, 8.0, 7.0, 7.0]


@pytest.mark.nightly("test_bench_conform_of_a_log")
@pytest.mark.slow
@pytest.mark.spark
def test_a_log_that_is_named_is_measured_in_parts(fencepost_says: Says, tmp_path: Path) -> None:
    """`bench spark --log` judges one log by the single process and by tasks on one core and all, which agree."""
    taking.simulated(tmp_path / "logs", 1, 2_000, 12)
    said = fencepost_says("bench", "spark", "--log", tmp_path / "logs", "--json")
    Draft202012Validator(schema("bench").document).validate(said.document)
    (found,) = said.document["benchmarks"]
    lane = found["lane_c"]
    assert said.code == 0
    assert {lane["verdict"], *(one["verdict"] for one in lane["on"])} == {"conforms"}
    assert lane["on"][0]["parts"] > 1
    assert lane["by_executors"]["1"] >= lane["by_executors"]["8"] > 0
    taking.simulated(tmp_path / "logs" / "more", 1, 100)
    said = fencepost_says("bench", "spark", "--log", tmp_path / "logs")
    assert (said.code, "2 are here; name one" in said.sentence) == (2, True)


def test_only_spark_is_told_how_many_logs_to_make(fencepost_says: Says) -> None:
    """--logs beside another benchmark is a usage error."""
    said = fencepost_says("bench", "conform", "--logs", "3")
    assert said.code == 2
    assert "write fencepost bench spark" in said.sentence
