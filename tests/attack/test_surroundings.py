"""What surrounds a command: documents, caches, checkpoints, disks, outputs, homes, reports and memory."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from fencepost import files
from fencepost.checkers import keeping
from fencepost.checkers.cli import streams
from fencepost.checkers.cli.doctor import _java_and_what_needs_it
from fencepost.checkers.cli.main import main, run
from fencepost.checkers.cli.story_following import _Shown
from fencepost.checkers.keeping import Kept
from tests.cases import each

FOUND = {"id": "P", "trace": {"steps": []}, "loop": None, "verdict": "violated"}
DOCUMENT = {"command": "explore", "bound": "tiny", "table_hash": "x", "properties": [FOUND]}


@each("name", ["sent/tables.py:X", "/tmp/tables.py:X", "this:X", "package.module"])
def test_a_document_runs_no_code(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that names a file or a module of its own is refused with the option that would run it; none is imported."""
    monkeypatch.setattr("fencepost.checkers.named._file", _never)
    monkeypatch.setattr("fencepost.checkers.named._module", _never)
    file = tmp_path / "run.json"
    file.write_text(json.dumps({**DOCUMENT, "protocol": name}))
    for words in (
        ("to-test", str(file), "--to", str(tmp_path / "t.py")),
        ("to-tla", str(file), "--to", str(tmp_path / "t")),
    ):
        assert main(["trace", *words]) == 2
        assert f"names tables of its own ({name}); --protocol {name}" in capsys.readouterr().err


def _never(*_: object) -> object:
    raise AssertionError("code of a document was loaded")


# -- caches ------------------------------------------------------------------------------------------------------------
@each(
    "alter",
    [
        lambda told: told | {"stage": {"verdict": "proved"}},
        lambda told: told | {"seal": ""},
        lambda told: {name: one for name, one in told.items() if name != "seal"},
        lambda told: [told],
    ],
)
def test_an_altered_answer_is_not_believed(alter: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An answer of another content, without its seal, or of another shape is not read, which is said once a folder."""
    keeping._SAID.clear()
    kept = Kept(tmp_path / "kept")
    kept.write("k", {"stage": {"verdict": "violated"}})
    assert kept.read("k") == {"format": keeping.FORMAT, "key": "k", "stage": {"verdict": "violated"}}
    (file,) = (tmp_path / "kept").iterdir()
    file.write_text(json.dumps(alter(json.loads(file.read_text()))))  # type: ignore[operator]
    assert (kept.read("k"), kept.read("k")) == (None, None)
    assert capsys.readouterr().err.count("not believed, and made anew") == 1


@each("text", ["[" * 100_000, "", "\x00", "9" * 5000])
def test_what_is_no_answer_is_not_believed(text: str, tmp_path: Path) -> None:
    """An entry that is nested deep, empty, no JSON, or too large a number is as one that is not there."""
    kept = Kept(tmp_path / "kept")
    kept.write("k", {})
    (tmp_path / "kept" / "k.json").write_text(text)
    assert kept.read("k") is None


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are those of Linux and macOS")
def test_what_others_may_write_is_not_believed(tmp_path: Path) -> None:
    """An entry, or a folder, that others may write is not believed; a folder of ours is made for this user alone."""
    kept = Kept(tmp_path / "kept")
    kept.write("k", {"stage": 1})
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "kept" / "k.json").stat().st_mode & 0o077 == 0
    (tmp_path / "kept").chmod(0o777)
    assert Kept(tmp_path / "kept").read("k") is None
    (tmp_path / "kept").chmod(0o700)
    (tmp_path / "kept" / "k.json").chmod(0o666)
    assert Kept(tmp_path / "kept").read("k") is None


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_pipe_in_the_place_of_an_entry_is_replaced(tmp_path: Path) -> None:
    """A pipe where an entry should be is neither read nor written to, which would never end."""
    kept, file = Kept(tmp_path), tmp_path / "k.json"
    os.mkfifo(file)
    assert kept.read("k") is None
    kept.write("k", {"stage": 1})
    assert kept.read("k") == {"format": keeping.FORMAT, "key": "k", "stage": 1}
    sealed = tmp_path / "k.o"
    os.mkfifo(sealed)
    assert keeping.sealed(sealed, "k") is None
    keeping.seal(sealed, "k", b"code")
    assert keeping.sealed(sealed, "k") == b"code"


def test_the_code_is_part_of_a_question() -> None:
    """The digest of the code is one of files: that of another folder is another."""
    assert keeping.code(("model/language",)) not in {keeping.code(("checkers/exploration",)), keeping.code(())}


@each("home", ["", "/proc/home", __file__])
def test_without_a_home_there_is_no_cache(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no folder can be made there is no cache, and nothing is raised."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    if home == "":
        monkeypatch.setattr(Path, "home", _homeless)
    assert keeping.cache_folder("kernels") is None


def _homeless() -> Path:
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a folder that is in use is not removed")
def test_a_folder_that_is_gone_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command that runs in a folder which was removed says so with 2; one that needs no folder runs."""
    gone, log = tmp_path / "gone", tmp_path / "log"
    gone.mkdir()
    log.write_bytes(b"")
    monkeypatch.chdir(gone)
    gone.rmdir()
    for words, code in ((["conform", str(log), "--html", "page.html"], 2), (["storage", "random-uuid"], 0)):
        assert main(words) == code
        assert ("the folder in which this runs is gone" in capsys.readouterr().err) is bool(code)


def test_a_java_that_cannot_begin_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Java is there and says no version, TLC and Spark are missing with it."""
    monkeypatch.setattr("fencepost.checkers.cli.doctor._said", lambda _: "unknown")
    monkeypatch.setattr("fencepost.checkers.cli.doctor.java", lambda: ("/bin/java", "PATH"))
    assert not any(part.there for part in _java_and_what_needs_it())


def test_a_relative_cache_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_CACHE_HOME is a whole path, or it is ignored, as its specification says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert keeping.cache_folder("kernels") == tmp_path / "home" / ".cache" / "fencepost" / "kernels"
    assert not (tmp_path / "here").exists()


# -- checkpoints -------------------------------------------------------------------------------------------------------
def test_an_altered_checkpoint_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A checkpoint in which a number, a state or a member is another is refused, and one written anew goes on."""
    file, other = tmp_path / "search.npz", tmp_path / "other.npz"
    explore = ("explore", "kip46", "--bound", "tiny")
    main([*explore, "--max-states", "100", "--checkpoint", str(file)])
    with np.load(file) as archive:
        whole = {name: archive[name] for name in archive.files}
    told = json.loads(whole["told"].tobytes())
    stop = {**told, "start": told["stop"], "low": told["stop"]}
    altered = (
        whole | {"told": np.frombuffer(json.dumps(stop).encode(), np.uint8)},
        whole | {"roots": whole["roots"][::-1]},
        {name: one for name, one in whole.items() if name != "ends"},
    )
    for arrays in altered:
        np.savez(other, **arrays)
        capsys.readouterr()
        assert main([*explore, "--resume", str(other)]) == 2
        assert "no checkpoint of an exploration, or a damaged one" in capsys.readouterr().err
    np.savez(other, **whole)
    assert main([*explore, "--resume", str(other)]) == 0
    assert zipfile.is_zipfile(other)


# -- files and outputs -------------------------------------------------------------------------------------------------
def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """Where writing fails the older file is there as it was, and nothing beside it."""
    file = tmp_path / "report"
    files.write_whole(file, "older")
    with pytest.raises(TypeError), files.whole(file) as stream:
        stream.writelines([b"new", None])  # type: ignore[list-item]
    assert [one.name for one in tmp_path.iterdir()] == ["report"]
    assert file.read_text() == "older"
    with pytest.raises(FileExistsError):
        files.write_whole(file, "new", new=True)
    files.write_whole(file, "new")
    assert file.read_text() == "new"


def test_a_full_disk_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A disk that is full ends a command with 2 and a sentence, whatever was being written."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "/somewhere/file")

    monkeypatch.setattr("fencepost.checkers.cli.doctor._cache", full)
    assert main(["doctor"]) == 2
    assert capsys.readouterr().err == (
        "fencepost: /somewhere/file: No space left on device; make room there, or set TMPDIR to another folder\n"
    )


@each(
    ("error", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, "fencepost: doctor was stopped before its end: nothing is decided"),
        (BrokenPipeError(32, "Broken pipe"), 70, "Something went wrong inside fencepost (BrokenPipeError"),
        (FileNotFoundError(2, "No usable temporary directory found in ['/tmp']"), 2, "set TMPDIR to one"),
        (PermissionError(13, "Permission denied", "/a/file"), 2, "/a/file: Permission denied; name another file"),
        (OSError(28, "No space left on device"), 2, "No space left on device; make room there"),
    ],
)
def test_what_ends_a_command_is_a_sentence(
    error: BaseException, code: int, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C says that nothing is decided; a pipe to a worker that breaks, and a full disk, are no verdict."""

    def raised(*_: object) -> None:
        raise error

    monkeypatch.setattr("fencepost.checkers.cli.doctor._cache", raised)
    monkeypatch.setattr("tempfile.gettempdir", _never)
    assert main(["doctor"]) == code
    assert sentence in capsys.readouterr().err


def test_short_memory_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where memory does not suffice a command is inconclusive, with what to do and how much was asked for."""

    def short(*_: object) -> None:
        raise MemoryError("Unable to allocate 3.20 GiB for an array")

    monkeypatch.setattr("fencepost.checkers.cli.doctor._cache", short)
    assert main(["doctor"]) == 3
    assert "the memory that there is does not suffice (3.20 GiB were asked for at once)" in capsys.readouterr().err


@each(
    ("error", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, "was stopped before its end"),
        (MemoryError(), 3, "the memory that there is does not suffice"),
        (ImportError("x.so: failed to map segment from shared object"), 3, "the memory that there is does not suffice"),
        (OSError(12, "Cannot allocate memory"), 3, "the memory that there is does not suffice"),
        (EOFError("marshal data too short"), 70, "cannot be loaded (EOFError: marshal data too short)"),
    ],
)
def test_a_command_that_ends_while_modules_load_has_no_traceback(
    error: BaseException, code: int, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C, a lack of memory, and a cut file before the command line is read end with their codes and a sentence."""

    def raised() -> None:
        raise error

    monkeypatch.setattr("fencepost.checkers.cli.application.run", raised)
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == code
    assert sentence in capsys.readouterr().err


def test_without_room_for_libraries_nothing_is_imported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the address space has no room for a library that would end the process with 1, the code is 3."""
    monkeypatch.setattr("fencepost.checkers.cli.main.ROOM", 1 << 60)
    monkeypatch.setattr("fencepost.checkers.cli.application.run", _never)
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 3
    assert "the memory that there is does not suffice" in capsys.readouterr().err


def test_a_library_that_has_no_room_is_not_loaded() -> None:
    """Where there is no room for a library it is not loaded, which would end the process: memory is short."""
    program = "import fencepost.checkers.memory as m\nm.guard_imports()\nm.ROOMS['numpy'] = 1 << 60\nimport numpy"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "MemoryError"


@pytest.mark.skipif(not hasattr(os, "statvfs"), reason="this system does not say how full a disk is")
@each(("blocks", "kept"), [(0, True), (1 << 30, False)])
def test_a_full_disk_leaves_no_compiled_file_cut_short(
    blocks: int, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python writes no compiled files where the disk of the package has no room for them."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=blocks, f_frsize=4096))
    monkeypatch.setattr("fencepost.checkers.cli.application.run", lambda: None)
    run()
    assert sys.dont_write_bytecode is kept


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is full")
@each(
    ("command", "code"),
    [("doctor >/dev/full", 2), ("--help >/dev/full", 2), ("doctor >&-", 0), ("explore nothere 2>/dev/full", 2)],
)
def test_an_output_that_cannot_be_written_is_no_verdict(command: str, code: int) -> None:
    """A full output ends with 2 and a sentence, a closed one as one that is not read; never with 1."""
    line = f"{sys.executable} -m fencepost.checkers.cli.main {command}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert (
        ("standard output cannot be written" in done.stderr) is command.endswith(">/dev/full") and " 2>" not in command
    ) or " 2>" in command


def test_what_follows_a_log_ends_where_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that has no end of its own ends once the reader of its output has left, though it writes nothing."""
    ours, theirs = os.pipe()
    out = streams.Output(io.BufferedWriter(io.FileIO(theirs, "wb")), "utf-8")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr("fencepost.checkers.cli.story_following.EVERY", 0.0)
    shown = _Shown(json=True)
    going = [shown([])]
    os.close(ours)
    going.append(shown([]))
    monkeypatch.undo()
    assert going == [True, False]


def test_a_run_that_cannot_be_written_leaves_no_folder_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that a full disk cuts is said to be not whole; a temporary folder that is made for it is removed."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("fencepost.reference.kraft.simulation.output.write_run", full)
    for more, said in (([], "set TMPDIR to another"), (["--out", str(tmp_path / "out")], "is not whole; make room")):
        assert main(["simulate", "--time", "1s", *more]) == 2
        assert said in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_a_report_replaces_reports_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A report replaces an earlier one, an empty file, and with --force anything; another file is refused first."""
    log = tmp_path / "log"
    log.write_bytes(b"")
    check = ["check", str(log), "--only", "conform"]
    files = {option: tmp_path / f"report.{option}" for option in ("html", "junit", "sarif", "markdown")}
    for option, report in files.items():
        report.write_text("the evidence")
        assert main([*check, f"--{option}", str(report)]) == 2
        assert "is no report of fencepost; name another file, or say --force" in capsys.readouterr().err
        assert report.read_text() == "the evidence"
    every = [word for option, report in files.items() for word in (f"--{option}", str(report))]
    main([*check, *every, "--force"])
    files["html"].write_text("")
    main([*check, *every])
    assert "--force" not in capsys.readouterr().err
    assert min(report.stat().st_size for report in files.values()) > 100


def test_files_are_written_by_one_writer() -> None:
    """What a command writes goes through `fencepost.files`, but for logs and temporary folders, which are new."""
    root = Path(files.__file__).resolve().parents[2]
    found = {
        path.relative_to(root).as_posix()
        for folder in ("checkers", "model", "reference", "traces")
        for path in (root / folder).rglob("*.py")
        if re.search(r"\.write_(text|bytes)\(|open\([^)]*[\"']wb?[\"']", path.read_text("utf-8"))
    }
    assert found == {
        "checkers/bench/conform.py", "checkers/bench/conform_logs.py", "checkers/conformance/spark/line_tasks.py",
        "checkers/tlc/replaying.py", "checkers/tlc/run.py", "checkers/watch/releases.py",
        "reference/kraft/storage/segment_writer.py",
    }  # fmt: skip


def test_files_of_others_are_read_by_what_refuses_pipes_and_bounds() -> None:
    """Only files of the package, and temporary ones, are read at once by a path: all others may be pipes or endless."""
    root = Path(files.__file__).resolve().parents[2]
    found = {
        path.relative_to(root).as_posix()
        for folder in ("checkers", "model", "reference", "traces")
        for path in (root / folder).rglob("*.py")
        if re.search(r"(?<!resources)\.read_(text|bytes)\(", path.read_text("utf-8"))
    }
    assert {one for one in found if not one.startswith("checkers/bench/")} == {
        "checkers/check/cache.py", "checkers/citations/index.py", "checkers/citations/recording.py",
        "checkers/conformance/spark/versions.py",
        "checkers/exploration/budgets.py", "checkers/exploration/compiled.py", "checkers/exploration/manifest.py",
        "checkers/exploration/native.py", "checkers/findings_pages.py", "checkers/generate.py", "checkers/keeping.py",
        "checkers/mutation/declarations.py", "checkers/proof/cores.py", "checkers/proof/second.py",
        "checkers/proof/violations.py", "checkers/reports/html.py", "checkers/requirements.py",
        "checkers/site.py", "checkers/skeletons/skeletons.py",
    }  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_settings_that_are_a_pipe_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe in the place of a node's settings, or of a page that is compared, does not hang a command."""
    pipe = tmp_path / "server.properties"
    os.mkfifo(pipe)
    for words in (("storage", "info", "--config", str(pipe)), ("check", "--baseline", str(pipe))):
        assert main(list(words)) == 2
        assert "it is no file but a pipe or a device" in capsys.readouterr().err
    with (tmp_path / "large").open("wb") as stream:
        stream.truncate(files.SMALL + 1)
    with pytest.raises(OSError, match="no such file has"):
        files.read_small(tmp_path / "large")
