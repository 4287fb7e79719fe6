"""Errors for users: one sentence, the right exit code, and a JSON document where one was asked for."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.traces import build_batch, encode_batch


def both(fencepost_says: Callable[..., Any], code: int, *arguments: object) -> str:
    """Check that a command line ends with a code and one sentence, the same in JSON; return the sentence."""
    said = fencepost_says(*arguments)
    assert said.code == code, said
    sentence = said.sentence.removeprefix("fencepost: ")
    document = fencepost_says(*arguments, "--json").document
    assert (document["exit_code"], document["message"], document["verdict"]) == (code, sentence, "inconclusive")
    assert str(document["command"]) == arguments[0]
    return str(sentence)


@pytest.mark.parametrize("command", ["conform", "show", "answers"])
def test_a_missing_file(fencepost_says: Callable[..., Any], tmp_path: Path, command: str) -> None:
    """A file that is not there is named."""
    path = tmp_path / "nowhere.log"
    assert both(fencepost_says, 2, command, path).startswith(f"{path}: there is no such file")


def test_an_empty_directory(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """A directory without a log is named."""
    assert both(fencepost_says, 2, "conform", tmp_path).startswith(f"{tmp_path}: no metadata log lies in or below")


def test_a_log_of_another_topic(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """A segment whose records are no metadata records is no metadata log."""
    batch = encode_batch(build_batch([("NO_OP_RECORD", 0, {})], base_offset=0, epoch=1, timestamp=0))
    path = tmp_path / "00000000000000000000.log"
    path.write_bytes(_with_other_values(batch))
    assert "00000000000000000000.log: the batch at offset 0 holds records of another topic" in both(
        fencepost_says, 2, "conform", path
    )


def _with_other_values(batch: bytes) -> bytes:
    """The batch with another value in its one record, and the checksum of that."""
    from fencepost.traces.crc32c import crc32c

    body = bytearray(batch[21:])
    at = bytes(body).rindex(bytes([0x01, 0x14, 0x00]))
    body[at : at + 3] = b"abc"
    return batch[:17] + crc32c(bytes(body)).to_bytes(4, "big") + bytes(body)


def test_text_that_is_no_dump(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """A text file that no kafka-dump-log printed is refused."""
    path = tmp_path / "notes.txt"
    path.write_text("milk, bread\n" * 20, encoding="utf-8")
    assert "notes.txt: the text is no dump of a metadata log" in both(fencepost_says, 2, "conform", path)


def test_a_misspelt_name(fencepost_says: Callable[..., Any], lamp: Callable[..., str], tmp_path: Path) -> None:
    """A name in a table that is not defined is reported with file, line and the nearest name."""
    name = lamp(**{'press("L2", lit,': 'press("L2", litt,'})
    line = 1 + (tmp_path / "lamp.py").read_text(encoding="utf-8").splitlines().index(
        'LAMP = table("lamp", press("L1", ~lit, lit.becomes(TRUE)), press("L2", litt, lit.becomes(FALSE)))'
    )
    for command in (("show", name), ("prove", name), ("explore", name, "--bound", "one")):
        said = both(fencepost_says, 2, *command)
        assert said == f"{tmp_path / 'lamp.py'}:{line}: the name litt is not defined; did you mean lit?"


def test_a_misspelt_import(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A name that the language does not have is reported with the nearest one."""
    assert both(fencepost_says, 2, "show", lamp(**{" sometimes, table": " sometime, table"})).endswith(
        "fencepost.model.language has no name sometime; did you mean sometimes?"
    )


def test_a_misspelt_method(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A method that a term does not have is reported with the nearest one."""
    said = both(fencepost_says, 2, "show", lamp(**{"lit.becomes(TRUE)": "lit.become(TRUE)"}))
    assert said.endswith("did you mean becomes?")
    assert "lamp.py:8:" in said


@pytest.mark.parametrize("wrong", ['press("L2", True,', 'press("L2", lit.is_(True),'])
def test_a_python_bool_where_a_term_belongs(
    fencepost_says: Callable[..., Any], lamp: Callable[..., str], wrong: str
) -> None:
    """A Python bool in a guard is refused with file and line."""
    said = both(fencepost_says, 2, "show", lamp(**{'press("L2", lit,': wrong}))
    assert "lamp.py:8" in said
    assert "a Python bool" in said


def test_a_file_that_is_not_python(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A syntax error is reported with its line."""
    assert "lamp.py:8: this is not Python" in both(
        fencepost_says, 2, "show", lamp(**{"LAMP = table(": "LAMP = = table("})
    )


def test_a_protocol_that_the_file_does_not_define(fencepost_says: Callable[..., Any], lamp: Callable[..., str]) -> None:
    """A protocol's name that a file does not define is answered with those that it does."""
    assert both(fencepost_says, 2, "show", lamp()[:-1] + "Q").endswith("no protocol is called Q; use one of P")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("krat", "did you mean kraft?"),
        ("kip434", "did you mean kip343?"),
        ("kraft@2.8", "there are no tables of this release; use one of kraft@4.4, kraft@4.3"),
    ],
)
def test_an_unknown_protocol(fencepost_says: Callable[..., Any], name: str, hint: str) -> None:
    """An unknown protocol is answered with what to write instead."""
    assert hint in both(fencepost_says, 2, "prove", name)


def test_no_bound(fencepost_says: Callable[..., Any]) -> None:
    """Without a bound the protocol's bounds are listed."""
    for command in ("explore", "tlc"):
        sentence = both(fencepost_says, 2, command, "kip46")
        assert sentence.startswith("kip46: say at which bound, as in --bound tiny; there are tiny, small,")


def test_an_unknown_bound(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """An unknown bound is answered with the bounds that there are."""
    assert both(fencepost_says, 2, "explore", two_phase, "--bound", "huge").endswith("use one of three, seven, eight")


@pytest.mark.parametrize("setting", ["ResourceManager", "ResourceManager=many", "=3", "Nobody=3"])
def test_a_bad_size(fencepost_says: Callable[..., Any], two_phase: str, setting: str) -> None:
    """A size without a kind, without a number, or of a kind that there is not, is refused."""
    assert "size" in both(fencepost_says, 2, "explore", two_phase, "--bound", "three", "--set", setting)


@pytest.mark.parametrize(
    "arguments", [("explore",), ("prove", "kraft", "--seeds", "no"), ("nonsense",), ("show", "kraft", "--nonsense")]
)
def test_usage(fencepost_says: Callable[..., Any], arguments: tuple[str, ...]) -> None:
    """A missing argument, a bad value, an unknown command or option ends with 2 and points to the help."""
    assert both(fencepost_says, 2, *arguments).endswith("See fencepost --help.")


def test_an_unknown_row_or_table(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """A row or a table that there is not is answered with a near one, or with all."""
    assert both(fencepost_says, 2, "show", two_phase, "--row", "Q9").endswith("use one of T1, T2, T3, R1, R2, R3, R4")
    assert both(fencepost_says, 2, "show", "kraft", "--row", "HB22").endswith("did you mean HB2?")
    assert "use one of two-phase commit" in both(fencepost_says, 2, "show", two_phase, "--table", "three-phase")


def test_a_release_without_tables(fencepost_says: Callable[..., Any], recorded: Path) -> None:
    """A release without tables is refused."""
    assert "use one of auto, 4.4" in both(fencepost_says, 2, "conform", recorded / "first-boot", "--release", "2.8")


def test_an_empty_file_of_answers(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """A file without a line compares nothing, which is inconclusive, and says so."""
    path = tmp_path / "broker-heartbeat.ndjson"
    path.write_text("", encoding="utf-8")
    assert "nothing was compared" in both(fencepost_says, 3, "answers", path)


def test_answers_of_another_kind(fencepost_says: Callable[..., Any], recorded: Path, tmp_path: Path) -> None:
    """Lines of another kind, a kind without an adapter, and lines that are no answers are refused."""
    builder = recorded / "oracle" / "partition-change-builder-sample.ndjson.gz"
    assert "check --kind" in both(fencepost_says, 2, "answers", builder, "--kind", "broker-heartbeat")
    other = tmp_path / "weather.ndjson"
    other.write_text('{"out": 1}\n', encoding="utf-8")
    assert "no adapter is called weather" in both(fencepost_says, 2, "answers", other)
    other.write_text("sunny\n", encoding="utf-8")
    assert "weather.ndjson:1: this line is no JSON object" in both(
        fencepost_says, 2, "answers", other, "--kind", "broker-heartbeat"
    )


def test_no_java(
    fencepost_says: Callable[..., Any], two_phase: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without Java `tlc` is inconclusive and says how to get one, and `doctor` says what is missing."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert "needs Java" in both(fencepost_says, 3, "tlc", two_phase, "--bound", "three")
    parts = {part["name"]: part for part in fencepost_says("doctor", "--json").document["parts"]}
    assert [parts[name]["there"] for name in ("Java", "TLC", "Spark can start")] == [False, False, False]
    assert "install a Java" in parts["Java"]["get"]


def test_the_unexpected(fencepost_says: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, two_phase: str) -> None:
    """An unexpected exception ends with 70 and says how to get the traceback, which then is printed."""

    def broken(settings: list[str]) -> dict[str, int]:
        raise RuntimeError("the moon is full")

    monkeypatch.setattr("fencepost.checkers.cli.explore.sizes", broken)
    arguments = ("explore", two_phase, "--bound", "three")
    said = both(fencepost_says, 70, *arguments)
    assert said == (
        "Something went wrong inside fencepost (RuntimeError: the moon is full); "
        "set FENCEPOST_TRACEBACK=1 to see where."
    )
    monkeypatch.setenv("FENCEPOST_TRACEBACK", "1")
    assert "Traceback (most recent call last)" in fencepost_says(*arguments).err


@pytest.mark.representative("show kraft")
@pytest.mark.parametrize("command", ["show kraft", "simulate --time 30s", "simulate --protocol kip46 --time 1m"])
def test_a_closed_pipe_is_no_error(command: str, tmp_path: Path) -> None:
    """A reader that has seen enough is no complaint and no verdict: the code is what it is without the pipe."""
    out = f" --out {tmp_path / 'run'}" if command.startswith("simulate") else ""
    line = f"{{ {sys.executable} -m fencepost.checkers.cli.main {command}{out}; echo $? >&2; }} | head -n 1"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False, env=dict(os.environ))
    assert (done.stderr.split(), done.stdout.count("\n")) == (["0"], 1)
