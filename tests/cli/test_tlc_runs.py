"""`fencepost tlc --replay` and `--write`, and `fencepost trace to-tla`: runs and modules that are written for TLC."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from fencepost.checkers.cli import schemas
from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import find_jar, find_java
from fencepost.checkers.tlc.run import outputs
from fencepost.model.registry import find
from tests.cli.conftest import Said

NAME = "kip343+broker_timeout_not_longer"


@pytest.fixture
def found(fencepost_says: Callable[..., Said], tmp_path: Path) -> Path:
    """What `explore --json` says of a variant: a run of three rows breaks a property of steps."""
    path = tmp_path / "found.json"
    path.write_text(fencepost_says("explore", NAME, "--bound", "tiny", "--stop-at-first", "--json").out)
    return path


@pytest.mark.tlc
def test_a_run_is_confirmed_from_the_command_line(fencepost_says: Callable[..., Said], found: Path) -> None:
    """TLC confirms a run of the museum that exploration found, and refuses it with one cell altered, with 1."""
    asked = ("tlc", NAME, "--bound", "tiny", "--replay", found, "--property", "HI3")
    document = fencepost_says(*asked, "--json").document
    assert (document["verdict"], document["exit_code"]) == ("confirmed", 0)
    assert (document["replayed"]["steps"], document["replayed"]["property"]) == (3, "HI3")
    assert list(Draft202012Validator(schemas.schema("tlc").document).iter_errors(document)) == []
    altered = json.loads(found.read_text())
    [run] = [one["trace"] for one in altered["properties"] if one["id"] == "HI3"]
    run["steps"][1]["state"]["controller"] = "false"
    found.write_text(json.dumps(altered))
    said = fencepost_says(*asked)
    assert said.code == 1
    assert "step 2 (" in said.sentence
    assert "controller is true after it by TLC, and the run says false" in said.sentence


@pytest.mark.tlc
@pytest.mark.nightly("test_a_run_is_confirmed_from_the_command_line")
def test_what_is_exported_is_taken_by_tlc_as_it_is(
    fencepost_says: Callable[..., Said], found: Path, tmp_path: Path
) -> None:
    """`trace to-tla` writes modules and a configuration with which TLC, started by hand, ends where the run does."""
    folder = tmp_path / "modules"
    made = fencepost_says("trace", "to-tla", found, "--property", "HI3", "--to", folder, "--json").document["paths"]
    assert sorted(map(str, folder.iterdir())) == sorted(made)
    command = [find_java(), "-cp", str(find_jar()), "tlc2.TLC", "-config", Path(made[2]).name, Path(made[1]).name]
    said = outputs(command, str(folder), Path(find_java()).parent, 600.0)
    assert said is not None
    assert "Action property NotAtTheEnd is violated" in said
    assert "State 4: <Take" in said


def test_nothing_is_written_over(fencepost_says: Callable[..., Said], found: Path, tmp_path: Path) -> None:
    """Files that are there stay as they are: the same ones are written again, others are refused."""
    asked = ("trace", "to-tla", found, "--property", "HI3", "--to", tmp_path / "modules")
    made = fencepost_says(*asked, "--json").document["paths"]
    assert fencepost_says(*asked).code == 0
    Path(made[1]).write_text("mine")
    said = fencepost_says(*asked)
    assert (said.code, Path(made[1]).read_text()) == (2, "mine")
    assert "is there already and is something else" in said.sentence
    said = fencepost_says("trace", "to-tla", found, "--property", "HI3", "--to", found)
    assert (said.code, "cannot be written to (File exists)" in said.sentence) == (2, True)


def test_an_option_that_means_nothing_is_refused(fencepost_says: Callable[..., Said]) -> None:
    """`--property` of a claim that is about no run without end needs a run to replay."""
    said = fencepost_says("tlc", "kip343", "--bound", "tiny", "--property", "HI3")
    told = "HI3: is no claim of what comes to pass; to have a run of it taken, add --replay FILE"
    assert (said.code, said.sentence) == (2, f"fencepost: --property {told}")
    said = fencepost_says("tlc", "kip343", "--bound", "tiny", "--property", "HI9", "--symmetry")
    told = "HI9 is about runs without end, which are not asked of orbits; leave it out"
    assert (said.code, said.sentence) == (2, f"fencepost: --symmetry: {told}")


@pytest.mark.tlc
def test_one_claim_of_what_comes_to_pass_is_asked_of_both(fencepost_says: Callable[..., Said]) -> None:
    """`--property` asks TLC and exploration for a claim under its fairness, and says of what both find."""
    said = fencepost_says("tlc", "kip631-v2+log_end", "--bound", "busy", "--property", "K11")
    assert said.code == 1
    assert "TLC finds K11 violated too" in said.out
    assert "asked of both: K11, under weak fairness of Heartbeat" in said.out


@pytest.mark.tlc
def test_what_is_written_of_a_bound_is_what_tlc_counts(fencepost_says: Callable[..., Said], tmp_path: Path) -> None:
    """TLC, started by hand in the folder of `--write`, counts the states that are recorded of exploration."""
    name = "kip46+compares-brokers"
    document = fencepost_says("tlc", name, "--bound", "tiny", "--write", tmp_path, "--json").document
    assert (document["verdict"], document["exit_code"], document["bound"]) == ("written", 0, "tiny")
    module, config = (Path(one) for one in document["paths"])
    assert sorted(tmp_path.iterdir()) == sorted((module, config))
    assert list(Draft202012Validator(schemas.schema("tlc").document).iter_errors(document)) == []
    command = [find_java(), "-cp", str(find_jar()), "tlc2.TLC", module.stem]
    said = outputs(command, str(tmp_path), Path(find_java()).parent, 600.0)
    assert said is not None
    distinct = explore(find(name).bounds["tiny"], "tiny", engine="numpy").distinct
    assert f"{distinct:,} distinct states found, 0 states left" in said.replace(f"{distinct} ", f"{distinct:,} ")


def test_modules_are_written_without_java(
    fencepost_says: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a bound all tables and every bound are written; a property and the symmetry are those of one bound."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    said = fencepost_says("tlc", "lease", "--write", tmp_path / "all")
    assert (said.code, sorted(one.name for one in (tmp_path / "all").iterdir())) == (
        0,
        ["lease.tla", "lease_drift.cfg", "lease_drift.tla", "lease_tiny.cfg", "lease_tiny.tla"],
    )
    assert "java -cp tla2tools.jar tlc2.TLC lease_tiny" in said.out
    asked = ("tlc", "lease", "--bound", "tiny", "--symmetry", "--property", "LE1", "--write", tmp_path / "one")
    assert fencepost_says(*asked).code == 0
    config = (tmp_path / "one" / "lease_tiny.cfg").read_text()
    assert "INVARIANT LE1\nSYMMETRY Symmetry\n" in config
    (tmp_path / "one" / "lease_tiny.cfg").write_text("mine")
    assert "lease_tiny.cfg: is there already and is something else" in fencepost_says(*asked).sentence


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--property", "LE1"), "--property: is for one bound; add --bound tiny"),
        (("--symmetry",), "--symmetry: is for one bound; add --bound tiny"),
        (("--bound", "huge"), "has no bound 'huge'; use one of tiny, drift"),
        (("--bound", "tiny", "--property", "XX"), "has no property XX"),
        (("--bound", "tiny", "--replay", "x.json"), "use fencepost trace to-tla x.json --to "),
    ],
)
def test_what_cannot_be_written_is_refused(
    fencepost_says: Callable[..., Said], tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    """An option that means nothing with `--write`, an unknown bound and an unknown property are refused by name."""
    said = fencepost_says("tlc", "lease", "--write", tmp_path / "none", *options)
    assert said.code == 2
    assert told in said.sentence
    assert not (tmp_path / "none").exists()
