"""`explore --certificate` and `--check-certificate`: page, document, exit codes, and what is refused."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import ExitCode


def test_a_certificate_is_written_and_checked(
    fencepost_says: Callable[..., Any], lamp: Callable[..., str], tmp_path: Path
) -> None:
    """The page names the file; its check ends with 0 and counts, and with 5 where a state is missing."""
    name, path = lamp("lit | ~lit"), tmp_path / "lamp.states"
    asked = ("explore", name, "--bound", "one")
    said = fencepost_says(*asked, "--certificate", path)
    assert said.code == ExitCode.AS_DECLARED
    assert f"certificate: {path}" in said.out.replace("\n    ", " ")
    said = fencepost_says(*asked, "--check-certificate", path, "--json")
    assert (said.code, said.document["verdict"]) == (ExitCode.AS_DECLARED, "closed")
    assert (said.document["states"], said.document["steps"], said.document["depth"]) == (2, 2, 2)
    assert said.document["claims"] == {"A1": "closed", "deadlock": "closed"}
    again = fencepost_says(*asked, "--certificate", path)
    assert (again.code, "is there already" in again.sentence) == (ExitCode.USAGE, True)
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(lines[:-1])))
    said = fencepost_says(*asked, "--check-certificate", path, "--json")
    assert (said.code, said.document["verdict"]) == (ExitCode.DISAGREEMENT, "engines disagree")
    assert said.document["message"] == "a state of level 2 is missing in it: 1, lit=True"
    assert "engines disagree" in fencepost_says(*asked, "--check-certificate", path).out


def test_a_foreign_certificate_is_refused(
    fencepost_says: Callable[..., Any], lamp: Callable[..., str], lamps: str, tmp_path: Path
) -> None:
    """One of another protocol, bound, size or table, or a file cut off, ends with 2 and one sentence that says so."""
    path = tmp_path / "lease.states"
    assert fencepost_says("explore", "lease", "--bound", "tiny", "--certificate", path).code == ExitCode.AS_DECLARED
    for asked, said in (
        ((lamps, "--bound", "two"), "is of protocol lease, and lamp is asked"),
        (("lease", "--bound", "drift"), "is of bound tiny, and drift is asked"),
        (("lease", "--bound", "tiny", "--property", "LE1"), "is of table hash "),
        (("lease", "--bound", "tiny", "--set", "Broker=1"), "is of sizes "),
        (("lease", "--bound", "tiny", "--walks", "3"), "--walks: is for an exploration"),
    ):
        found = fencepost_says("explore", *asked, "--check-certificate", path)
        assert (found.code, said in found.sentence) == (ExitCode.USAGE, True), found.err
    path.write_bytes(path.read_bytes()[:-20])
    found = fencepost_says("explore", "lease", "--bound", "tiny", "--check-certificate", path)
    assert (found.code, "is cut off or altered" in found.sentence) == (ExitCode.USAGE, True)


def test_what_writes_no_certificate_says_so(
    fencepost_says: Callable[..., Any], lamp: Callable[..., str], tmp_path: Path
) -> None:
    """`--symmetry` and others are refused with it; a search that a budget ended writes none and says why."""
    name, path = lamp("lit | ~lit"), tmp_path / "lamp.states"
    asked = ("explore", name, "--bound", "one", "--certificate", path)
    for option in ("--symmetry", "--partial-order", "--step"):
        found = fencepost_says(*asked, option)
        assert (found.code, "--certificate" in found.sentence) == (ExitCode.USAGE, True), option
    said = fencepost_says(*asked, "--max-depth", "1")
    assert "no certificate in" in said.out
    assert not path.exists()
