"""The JSON contract: one document a command, the common fields, the fields of each command, and its exit code."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fencepost
from fencepost.model.language import LeadsTo
from fencepost.model.registry import find

COMMON = ["command", "verdict", "exit_code", "seconds", "version", "table_hash", "findings"]


def common(said: Any, command: str) -> dict[str, Any]:
    """Check the fields that every document has, and return the document."""
    document = said.document
    assert list(document)[: len(COMMON)] == COMMON
    assert document["command"] == command
    assert document["exit_code"] == said.code, document
    assert document["version"] == fencepost.__version__
    assert isinstance(document["findings"], list)
    return dict(document)


def test_explore_counts_and_judges(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """`explore` gives the published 288 states, and a verdict and a trace for every property."""
    document = common(fencepost_says("explore", two_phase, "--bound", "three", "--json"), "explore")
    assert (document["distinct"], document["verdict"], document["exit_code"]) == (288, "closed", 0)
    assert document["generated"] > document["distinct"] > document["depth"] > 1
    assert document["orbits"] is None
    assert [(p["id"], p["verdict"], p["trace"]) for p in document["properties"]] == [("TC", "closed", None)]


def test_explore_stops_after_the_level_of_the_first_violation(fencepost_says: Callable[..., Any]) -> None:
    """`--stop-at-first` looks no further, and says so; what is violated is printed with its shortest trace as ever."""
    command = ("explore", "kraft-data+keeps-the-last", "--bound", "tiny", "--json")
    whole, first = (fencepost_says(*command, *more).document for more in ((), ("--stop-at-first",)))
    assert (whole["verdict"], first["verdict"], first["exit_code"]) == ("violated", "violated", 1)
    assert first["distinct"] < whole["distinct"]
    shown = [one["id"] for one in first["properties"] if one["verdict"] == "violated"]
    assert shown == ["CandidatesHaveAcknowledged"]


def test_prove_says_what_a_lemma_is_for(fencepost_says: Callable[..., Any]) -> None:
    """`--why` names the rows and properties that need a lemma, and refuses to be asked of some only."""
    document = common(fencepost_says("prove", "lease", "--why", "LLs", "--json"), "prove")
    assert (document["verdict"], document["exit_code"]) == ("needed", 0)
    assert (document["lemma"], document["refuted"], document["unknown"]) == ("LLs", [["LX1", "LE2"]], [])
    assert "LE2 at LX1" in fencepost_says("prove", "lease", "--why", "LLs").out
    assert "leave out --property" in fencepost_says("prove", "lease", "--why", "LLs", "--property", "LE2").sentence


def test_prove_says_which_hypotheses_a_proof_rests_on(fencepost_says: Callable[..., Any]) -> None:
    """`--why` with a row names the hypotheses that suffice, and what is left without each; what is not asked is not."""
    document = common(fencepost_says("prove", "lease", "--why", "LE2", "--row", "LX1", "--json"), "prove")
    assert (document["verdict"], document["exit_code"], document["row"], document["property"]) == (
        "proved",
        0,
        "LX1",
        "LE2",
    )
    without = {one["id"]: one["without"] for one in document["used"]}
    assert without["LLs"] == "refuted"
    assert len(without) < document["given"]
    said = fencepost_says("prove", "lease", "--why", "LE2", "--row", "LX1").out
    assert "LLs: the lease is over when the session is" in said
    assert "without it a state of few entities breaks the obligation" in said
    assert "is not asked" in fencepost_says("prove", "kip46", "--why", "SI4", "--row", "SH6").sentence
    assert "name one: " in fencepost_says("prove", "kip343", "--why", "HI43", "--row", "H3a").sentence


def test_explore_takes_other_sizes(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """`--set` replaces a size of the bound: one resource manager has fewer states than three."""
    document = fencepost_says("explore", two_phase, "--bound", "three", "--set", "ResourceManager=1", "--json").document
    assert document["sizes"] == {"ResourceManager": 1}
    assert document["distinct"] < 288


def test_explore_says_under_which_fairness_something_happens_in_the_end(fencepost_says: Callable[..., Any]) -> None:
    """A liveness property that holds is printed with the events that must not be put off for ever."""
    said = fencepost_says("explore", "kip343", "--bound", "tiny", "--property", "HI9")
    (one,) = [one for one in find("kip343").bounds["tiny"].properties if one.id == "HI9"]
    assert isinstance(one, LeadsTo)
    assert one.fair
    assert f"liveness of HI9 under weak fairness of {', '.join(one.fair)}" in " ".join(said.out.split())


def test_a_property_of_another_bound_is_told_with_its_bounds(fencepost_says: Callable[..., Any]) -> None:
    """A property that only other slices are asked for is refused with the names of their bounds."""
    said = fencepost_says("explore", "zk", "--bound", "tiny", "--property", "ZI14")
    assert said.code == 2
    assert "ZI14: zk has no such property at this bound; it is asked at --bound deletion" in said.sentence


def test_a_violation_ends_with_1_and_a_trace(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A property that fails gives exit code 1 and the shortest trace, in JSON and on the page."""
    name = lamp("~lit")
    document = common(fencepost_says("explore", name, "--bound", "one", "--json"), "explore")
    assert (document["verdict"], document["exit_code"]) == ("violated", 1)
    failed = next(p for p in document["properties"] if p["id"] == "A1")
    assert [step["row"] for step in failed["trace"]["steps"]] == ["L1"]
    page = fencepost_says("explore", name, "--bound", "one")
    assert page.code == 1
    assert "A1 is violated, shortest trace of 1 row, the last by L1:" in page.out.splitlines()


def test_a_violation_is_told_with_what_was_claimed(fencepost_says: Callable[..., Any]) -> None:
    """Beside the id of a violated property is its claim in words, by `explore` and by `prove`."""
    said = " ".join(fencepost_says("explore", "lease+late_answer", "--bound", "tiny").out.split())
    claims = {one.id: one.about for one in find("lease").whole.properties}
    assert f"LE1 claims: {claims['LE1']}" in said
    assert f"LLl claims: {claims['LLl']}" not in said
    said = " ".join(fencepost_says("prove", "lease", "--property", "LE4").out.split())
    assert "LE4 is violated as declared" in said
    assert f"LE4 claims: {claims['LE4']}" in said


def test_a_declared_violation_is_a_finding(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A property that is declared violated and fails leaves the run green and is reported as a finding."""
    document = fencepost_says(
        "explore", lamp("~lit", "expected='violated', finding='F9'"), "--bound", "one", "--json"
    ).document
    assert document["exit_code"] == 0
    assert document["findings"] == [{"finding": "F9", "by": "A1", "bound": "one", "length": 1}]


def test_a_declared_violation_that_is_none_ends_with_7(
    fencepost_says: Callable[..., Any], lamp: Callable[..., str]
) -> None:
    """A property that is declared violated and holds everywhere ends the run with 7."""
    assert fencepost_says("explore", lamp("TRUE", "expected='violated'"), "--bound", "one", "--json").code == 7


def test_a_budget_that_is_spent_ends_with_3(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """An exploration that stops at a number of states is inconclusive."""
    document = fencepost_says("explore", two_phase, "--bound", "seven", "--max-states", "100", "--json").document
    assert (document["verdict"], document["exit_code"]) == ("inconclusive", 3)


def test_a_property_without_a_witness_ends_with_4(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A `sometimes` that no state shows is vacuous, and ends the run with 4."""
    witness = 'sometimes("W1", lit & ~lit, source="the lamp")'
    name = lamp("TRUE", **{'always("A1", TRUE, source="the lamp", )': witness})
    document = fencepost_says("explore", name, "--bound", "one", "--json").document
    assert (document["verdict"], document["exit_code"]) == ("vacuous", 4)


def test_prove_counts_obligations(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """`prove` counts obligations by their verdicts, and names row, property and counterexample of each that fails."""
    document = common(fencepost_says("prove", lamp("~lit"), "--json"), "prove")
    assert (document["verdict"], document["exit_code"]) == ("violated", 1)
    assert (document["refuted"], document["unknown"], document["expected"]) == (1, 0, 0)
    assert (document["row_count"], document["property_count"]) == (2, 1)
    assert document["obligations"] + document["frame_obligations"] == document["proved"] + document["refuted"]
    assert [(f["row"], f["property"]) for f in document["failed"]] == [("L1", "A1")]
    assert document["failed"][0]["counterexample"]["steps"][0]["row"] == "L1"


def test_prove_is_restricted_to_a_row(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """With `--row` only that row is asked: one that keeps the property is proved, though others break it."""
    document = fencepost_says("prove", two_phase, "--row", "R1", "--json").document
    assert (document["verdict"], document["row_count"]) == ("proved", 1)


@pytest.mark.tlc
def test_tlc_agrees_with_exploration(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """`tlc` runs TLC and exploration on one instance, and both count the same."""
    document = common(fencepost_says("tlc", two_phase, "--bound", "three", "--json"), "tlc")
    assert (document["exit_code"], document["agrees"], document["differences"]) == (0, True, [])
    for name in ("distinct", "generated", "depth"):
        assert document["tlc"][name] == document["exploration"][name] == document[name]


def test_conform_tells_of_every_log(fencepost_says: Callable[..., Any], recorded: Path) -> None:
    """`conform` gives for each log its verdict, what was judged, and the rows that explain it."""
    document = common(fencepost_says("conform", recorded / "first-boot", "--json"), "conform")
    [log] = document["logs"]
    assert (log["verdict"], document["verdict"], document["exit_code"]) == ("conforms", "conforms", 0)
    assert log["releases"] == ["4.3"]
    # 31 batches up to offset 96, of which the first has the 3 control records of Raft.
    assert (log["records"], log["batches"]) == (94, 31)
    assert log["rows"]["R1"] >= 3
    for name in ("path", "passed_through", "ambiguous", "violations", "findings", "quarantined"):
        assert name in log


def test_answers_replays_recorded_answers(fencepost_says: Callable[..., Any], recorded: Path) -> None:
    """`answers` takes the kind from the file's name, and finds no difference in the recorded heartbeats."""
    document = common(
        fencepost_says("answers", recorded / "oracle" / "broker-heartbeat-sample.ndjson.gz", "--json"), "answers"
    )
    assert (document["kind"], document["lines"], document["differences"]) == ("broker-heartbeat", 170, [])
    assert document["reference"] == 170
    assert (document["verdict"], document["exit_code"]) == ("conforms", 0)


def test_another_answer_is_a_difference(fencepost_says: Callable[..., Any], recorded: Path, tmp_path: Path) -> None:
    """A changed answer is found with its line, field, both values and the row, and ends the command with 6."""
    with gzip.open(recorded / "oracle" / "broker-heartbeat-sample.ndjson.gz", "rt", encoding="utf-8") as lines:
        first, second = json.loads(next(lines)), json.loads(next(lines))
    kafka = second["out"]["next"]
    second["out"]["next"] = "NOWHERE"
    path = tmp_path / "changed.ndjson"
    path.write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n", encoding="utf-8")
    document = fencepost_says("answers", path, "--kind", "broker-heartbeat", "--json").document
    assert (document["verdict"], document["exit_code"]) == ("violates", 6)
    [one] = document["differences"]
    assert (one["line"], one["field"], one["kafka"], one["tables"], one["reference"]) == (
        2,
        "next",
        "NOWHERE",
        kafka,
        kafka,
    )
    assert len(one["rows"]) == 1


def test_show_gives_the_tables(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """`show` gives every row with its guard, effects and sentence."""
    document = common(fencepost_says("show", two_phase, "--json"), "show")
    [table] = document["tables"]
    assert [row["id"] for row in table["rows"]] == ["T1", "T2", "T3", "R1", "R2", "R3", "R4"]
    assert table["rows"][0]["when"] == "undecided and says_prepared[r]"
    assert table["rows"][0]["sentence"].startswith("T1. On TMRcvPrepared(r), when undecided")


def test_show_gives_one_row(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """`show --row` gives one row with what the names in it mean."""
    row = fencepost_says("show", two_phase, "--row", "T1", "--json").document["row"]
    assert row["definitions"] == ["undecided = decision = OPEN"]
    assert row["place"].startswith("examples/two_phase.py:")


def test_show_summarises_a_log(fencepost_says: Callable[..., Any], recorded: Path) -> None:
    """`show` of a log counts batches and records by type."""
    [log] = common(fencepost_says("show", recorded / "first-boot", "--json"), "show")["logs"]
    assert (log["records"], log["batches"]) == (94, 31)
    assert sum(log["records_by_type"].values()) == log["records"]


def test_doctor_lists_what_is_there(fencepost_says: Callable[..., Any]) -> None:
    """`doctor` names every part with its version, or says how to get it."""
    document = common(fencepost_says("doctor", "--json"), "doctor")
    parts = {part["name"]: part for part in document["parts"]}
    assert parts["z3-solver"]["there"]
    assert {"Python", "Java", "TLC", "Spark can start", "cache"} <= set(parts)
    assert [p["name"] for p in parts.values() if not p["there"] and not p["get"]] == []
    assert document["exit_code"] == (3 if any(p["required"] and not p["there"] for p in parts.values()) else 0)


def test_a_row_that_no_state_enables_ends_with_4(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A row that the invariants rule out is vacuous, which a proof says rather than counting it as proved."""
    document = fencepost_says("prove", lamp("~lit"), "--row", "L2", "--json").document
    assert (document["verdict"], document["exit_code"], document["vacuous"]) == ("vacuous", 4, ["L2"])
