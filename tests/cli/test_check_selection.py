"""`check` of a part: which protocols, which steps, how many at a time, and the progress that is printed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.check import STEPS, Stage, stages, tiers
from fencepost.checkers.check import run as running
from fencepost.checkers.exploration.manifest import recorded
from fencepost.checkers.verdicts import ExitCode
from fencepost.model.registry import FAMILIES

Jobs = list[tuple[str, str, tuple[Any, ...]]]


class Run:
    """The stages that a check would have run, and how many at a time; each of them ends with a given result."""

    def __init__(self) -> None:
        self.jobs: Jobs = []
        self.most = 0
        self.codes: dict[str, ExitCode] = {}

    def together(self, jobs: Any, progress: Any, most: int) -> list[tuple[str, Stage]]:
        """Note the stages and return one in place of each."""
        self.most = most
        done = []
        for number, (owner, run, given) in enumerate(jobs, 1):
            self.jobs.append((owner, run.__name__, given))
            code = self.codes.get(run.__name__, ExitCode.AS_DECLARED)
            told = {"bound": "one", "distinct": 1}
            if run.__name__ == "proof":
                told = {"obligations": 1, "frame_obligations": 0, "proved": 1}
            stage = Stage(run.__name__, "said", code, (f"line of {run.__name__}", "more"), told, protocol=owner)
            progress(stage, number, len(jobs))
            done.append((owner, stage))
        return done


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return the run of a check of which no stage is run."""
    found = Run()
    monkeypatch.setattr(running, "_together", found.together)
    return found


@pytest.mark.parametrize(
    ("only", "asked"),
    [
        (["prove"], [("proof", ("lamps.py:P",))]),
        (["explore"], [("exploration", ("lamps.py:P", "one", False)), ("exploration", ("lamps.py:P", "two", False))]),
        (["tlc"], [("exploration", ("lamps.py:P", "one", True))]),
        (["prove, tlc"], [("proof", ("lamps.py:P",)), ("exploration", ("lamps.py:P", "one", True))]),
    ],
    ids=lambda given: given[0] if isinstance(given[0], str) else "",
)
def test_only_the_named_steps_are_done(
    fencepost_says: Callable[..., Any], lamps: str, run: Run, only: list[str], asked: list[Any]
) -> None:
    """--only leaves every other step out; TLC alone explores the one bound that its counts are compared at."""
    fencepost_says("check", "--protocol", "lamps.py:P", "--only", *only)
    assert [(stage, given) for _, stage, given in run.jobs] == asked


def test_steps_may_be_named_by_several_options(fencepost_says: Callable[..., Any], lamps: str, run: Run) -> None:
    """--only and --protocol may be repeated, and a protocol named twice is checked once."""
    fencepost_says(
        "check", "lamps.py:P", "--protocol", "lamps.py:STUCK", "--protocol", "lamps.py:P", "--only", "prove",
        "--only", "tlc",
    )  # fmt: skip
    assert [(owner, stage) for owner, stage, _ in run.jobs] == [
        ("lamps.py:P", "proof"),
        ("lamps.py:P", "exploration"),
        ("lamps.py:STUCK", "proof"),
        ("lamps.py:STUCK", "exploration"),
    ]


def test_logs_of_yours_without_any_proof(fencepost_says: Callable[..., Any], recorded: Path, run: Run) -> None:
    """--only conform checks the named logs with the tables that read them, and does nothing else at all."""
    log = str(recorded / "first-boot")
    fencepost_says("check", "--only", "conform", log)
    assert run.jobs == [("kraft", "logs", ("kraft", [log], False, None))]


def test_a_check_without_options_does_every_step(fencepost_says: Callable[..., Any], run: Run) -> None:
    """Without --only each protocol of ours is proved, but for one of which a note says why not, explored and counted by
    TLC, its logs and answers are read, and metadata logs are checked on Spark, too."""
    said = fencepost_says("check", "--json")
    assert any("kraft-whole is explored and not proved" in note for note in said.document["notes"])
    assert {stage for _, stage, _ in run.jobs} == {"proof", "exploration", "logs", "on_spark", "answers"}
    assert [owner for owner, stage, _ in run.jobs if stage == "on_spark"] == ["kraft"]
    assert set(FAMILIES) - {owner for owner, stage, _ in run.jobs if stage == "proof"} == {"kraft-whole"}
    compared = {owner: given[1] for owner, stage, given in run.jobs if stage == "exploration" and given[2]}
    assert compared == {name: one.counted for name, one in FAMILIES.items() if one.bounds}
    assert (compared["kraft"], compared["kip46"]) == ("together", "tiny")
    assert run.most == 2


@pytest.mark.slow
def test_the_tier_of_a_pull_request(fencepost_says: Callable[..., Any], run: Run) -> None:
    """Of ours it has the short proofs, the first bound of each protocol, the short recordings; it names the rest."""
    said = fencepost_says("check", "--tier", "pull-request", "--json")
    proofs = [given for _, stage, given in run.jobs if stage == "proof"]
    inductive = {name for name, one in FAMILIES.items() if not one.explored_only}
    assert {name for name, _ in proofs} == inductive - set(tiers.LONG_PROOFS)
    assert not any(assumptions for _, assumptions in proofs)
    explored = [given for _, stage, given in run.jobs if stage == "exploration"]
    assert explored == [(name, next(iter(one.bounds)), False) for name, one in FAMILIES.items() if one.bounds]
    [judged] = [given[1] for owner, stage, given in run.jobs if (owner, stage) == ("kraft", "logs")]
    assert {Path(log).name for log in judged} == set(FAMILIES["kraft"].recorded) - tiers.LONG_LOGS
    assert {stage for _, stage, _ in run.jobs} == {"proof", "exploration", "logs"}
    told = said.document
    assert told["tier"] == "pull-request"
    assert told["left_out"][0] == "TLC"
    left = " ".join(told["left_out"])
    for what in ("Spark", "recorded answers", *tiers.LONG_PROOFS, *tiers.LONG_LOGS, "bounds behind the first"):
        assert what in left


def test_a_whole_check_explores_some_larger_bounds_too(fencepost_says: Callable[..., Any], run: Run) -> None:
    """Beside the first bound of each slice kraft is explored at those that show what no first bound does."""
    assert set(tiers.LARGER_BOUNDS) <= set(FAMILIES)
    for name in ("kraft", "zk"):
        larger = tiers.LARGER_BOUNDS.get(name, ())
        run.jobs.clear()
        fencepost_says("check", name, "--json")
        explored = [given[1] for _, stage, given in run.jobs if stage == "exploration"]
        assert set(explored) == {next(iter(one.bounds)) for one in FAMILIES[name].slices} | set(larger)


def test_what_is_left_to_the_night_shows_nothing_that_a_check_does_not() -> None:
    """Every row that fires and every property that is put to the test at a bound of the night is at one of a check."""
    for name, night in {"kraft": ("changes", "combined"), "zk": ("example",)}.items():
        known, larger = recorded(name), tiers.LARGER_BOUNDS.get(name, ())
        asked = {next(iter(one.bounds)) for one in FAMILIES[name].slices} | {*larger, FAMILIES[name].counted}
        assert asked.isdisjoint(night)
        for what in ("rows", "properties"):
            shown = {id for bound in asked for id in getattr(known[bound], what)}
            assert [id for bound in night for id in getattr(known[bound], what) if id not in shown] == []


def test_the_page_of_a_tier_ends_with_what_it_leaves_out(fencepost_says: Callable[..., Any], run: Run) -> None:
    """A reader of the last lines alone sees that not everything was asked."""
    lines = fencepost_says("check", "kraft", "--tier", "pull-request").out.splitlines()
    text = " ".join(line.strip() for line in lines)
    assert "tier pull-request, without TLC; Spark; recorded answers (37 CPU s); the proofs of kraft (" in text
    assert lines[-1].startswith("as declared")
    assert lines[-2].startswith(("tier pull-request", " "))
    whole = fencepost_says("check", "kraft", "--tier", "everything", "--json").document
    assert (whole["tier"], whole["left_out"]) == ("everything", [])


def test_of_yours_a_pull_request_asks_everything_but_tlc(
    fencepost_says: Callable[..., Any], lamps: str, run: Run, recorded: Path
) -> None:
    """A protocol of a file is proved and explored at every bound, and logs that are named are checked, in that tier."""
    log = str(recorded / "fake-chaos-elr")
    said = fencepost_says("check", "lamps.py:P", log, "--tier", "pull-request", "--json")
    assert [(stage, given[:2]) for _, stage, given in run.jobs] == [
        ("proof", ("lamps.py:P",)),
        ("exploration", ("lamps.py:P", "one")),
        ("exploration", ("lamps.py:P", "two")),
        ("logs", ("kraft", [log])),
    ]
    assert said.document["left_out"] == ["TLC"]


def test_what_waits_is_there() -> None:
    """What the tier names as long is a protocol, or a recording, that comes with fencepost."""
    assert set(tiers.LONG_PROOFS) <= set(FAMILIES)
    assert {log for one in FAMILIES.values() for log in one.recorded} >= tiers.LONG_LOGS


def test_spark_is_left_out_where_somebody_says_so(fencepost_says: Callable[..., Any], run: Run) -> None:
    """--no-spark leaves out the stage on Spark and nothing else; with --spark all logs are checked there already."""
    for option, on_spark in (("--no-spark", False), ("--spark", True)):
        run.jobs.clear()
        fencepost_says("check", "kraft", "zk", option)
        found = [(stage, given[2]) for _, stage, given in run.jobs if stage in ("logs", "on_spark")]
        assert found == [("logs", on_spark), ("logs", on_spark)]


def test_so_many_steps_at_a_time(fencepost_says: Callable[..., Any], lamps: str, run: Run) -> None:
    """--jobs says how many stages run side by side."""
    fencepost_says("check", "lamps.py:P", "--jobs", "5")
    assert run.most == 5


def test_nothing_to_do_is_inconclusive(fencepost_says: Callable[..., Any], lamps: str, run: Run) -> None:
    """A selection that leaves nothing of a protocol to do says so and is no success."""
    said = fencepost_says("check", "lamps.py:P", "--only", "answers")
    assert (said.code, run.jobs) == (3, [])
    assert said.out.startswith("nothing that was asked for can be done with lamps.py:P\ninconclusive, exit code 3")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--only", "proof"], "--only: no step is called 'proof'; did you mean prove?"),
        (["--only", "weather"], f"--only: no step is called 'weather'; use some of {', '.join(STEPS)}"),
        (["--only", ","], f"--only: names no step; use some of {', '.join(STEPS)}"),
        (["--only", "tlc", "--no-tlc"], "--no-tlc: leaves out what --only asks for; leave out either"),
        (["--only", "spark", "--no-spark"], "--no-spark: leaves out what --only asks for; leave out either"),
        (["--quiet", "--verbose"], "--quiet: prints one line, --verbose every one; leave out either"),
        (["--protocol", "krat"], "krat: there is no such file, and no protocol has this name; did you mean kraft?"),
        (["--protocol", "."], "--protocol: . is a path, not the name of a protocol; name a log without the option"),
        (["--tier", "morning"], "--tier morning: there is no such tier; use everything or pull-request"),
        (
            ["--tier", "pull-request", "--only", "tlc"],
            "--tier pull-request: leaves out what --only tlc asks for; leave out either",
        ),
        (["--tier", "pull-request", "--spark"], "--tier pull-request: leaves out what --spark asks for"),
        (["--jobs", "0"], "Invalid value for '--jobs'"),
    ],
)
def test_a_selection_that_means_nothing_is_refused(
    fencepost_says: Callable[..., Any], run: Run, given: list[str], said: str
) -> None:
    """A wrong selection is reported in one sentence before anything runs, with code 2."""
    answered = fencepost_says("check", *given)
    assert (answered.code, run.jobs) == (2, [])
    assert said in answered.sentence


def test_a_log_without_conform_is_refused(fencepost_says: Callable[..., Any], recorded: Path, run: Run) -> None:
    """A named log without the step that reads it is refused, since it would not be checked."""
    answered = fencepost_says("check", recorded / "first-boot", "--only", "prove")
    assert (answered.code, run.jobs) == (2, [])
    assert "is checked against the tables by conform, which --only leaves out" in answered.sentence


def test_progress_is_lines_where_there_is_no_terminal(fencepost_says: Callable[..., Any], lamps: str, run: Run) -> None:
    """Each step that is done is a line on standard error, whose it is, what it found and how many there are."""
    said = fencepost_says("check", "lamps.py:P", "--only", "prove,explore")
    assert said.err.splitlines() == [
        "check: 1 of 3, lamps.py:P proof: said, 0 s",
        "check: 2 of 3, lamps.py:P exploration at one: said, 0 s",
        "check: 3 of 3, lamps.py:P exploration at one: said, 0 s",
    ]


def test_quiet_is_the_last_line_alone(fencepost_says: Callable[..., Any], lamps: str, run: Run) -> None:
    """--quiet prints the verdict with its code, also of a run that fails, and nothing on standard error."""
    run.codes["exploration"] = ExitCode.VIOLATED
    said = fencepost_says("check", "lamps.py:P", "--quiet", "--no-tlc")
    assert (said.code, said.err) == (1, "")
    assert said.out.splitlines() == [said.out.strip()]
    assert said.out.startswith("violated, exit code 1, ")


def test_verbose_is_every_line(fencepost_says: Callable[..., Any], lamps: str, run: Run) -> None:
    """--verbose prints what every step has to say, also of a protocol that is as declared."""
    short = fencepost_says("check", "lamps.py:P", "--only", "tlc,explore").out
    long = fencepost_says("check", "lamps.py:P", "--only", "tlc,explore", "--verbose").out
    assert (short.count("line of exploration"), long.count("line of exploration")) == (0, 2)


def test_progress_names_the_bound(fencepost_says: Callable[..., Any], lamps: str) -> None:
    """A run of real stages prints the bound of each exploration."""
    said = fencepost_says("check", "lamps.py:P", "--only", "explore", "--jobs", "1")
    assert said.code == 0
    told = [line.rsplit(",", 1)[0] for line in said.err.splitlines()]
    assert told == [
        "check: 1 of 2, lamps.py:P exploration at one: closed",
        "check: 2 of 2, lamps.py:P exploration at two: closed",
    ]


def test_stages_are_of_their_protocol(lamps: str) -> None:
    """A stage by itself has no protocol; a check names the protocol of each of its stages."""
    assert stages.exploration("lamps.py:P", "one", with_tlc=False).protocol == ""
    found = running.check(protocols=["lamps.py:P"], only=["explore"], jobs=1)
    assert [stage.protocol for stage in found.stages] == ["lamps.py:P"] * 2
