"""Commands in adversity, each from a seed: signals at any moment, a small disk, altered caches, homes, full outputs,
short memory.

`python -m tests.attack.trying 0:300` runs three hundred, and prints the seed and the command of each that fails.
"""

import atexit
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.attack import mutations

ROOT = Path(__file__).resolve().parents[2]
LOG = ROOT / "traces" / "recorded" / "first-boot"
COMMANDS: Mapping[str, int] = {
    f"conform {LOG}": 0,
    f"conform {LOG} --html page.html": 0,
    f"conform {LOG} --json": 0,
    f"story {LOG} --no-rows": 0,
    f"health {LOG} --no-findings": 1,
    f"show {LOG} --at 60": 0,
    "show kip46": 0,
    "diff kip46 kip46": 0,
    "prove kip46 --search 1": 0,
    f"redact {LOG} --to copy": 0,
    "explore kip46 --bound tiny": 0,
    "explore kip46 --bound tiny --graph graph.dot": 0,
    "explore kip46 --bound tiny --checkpoint search.npz": 0,
    "mutate kip46 --sample 1 --by explore": 0,
    "simulate --time 20s --out run": 0,
    "simulate --seeds 4 --time 20s --jobs 2": 0,
    "check kip46 --only explore --cache kept --junit report.xml": 0,
    "doctor": 0,
}
"""Command lines with the exit code of each where nothing is wrong."""
WAIT = 900
"""Seconds after which a command hangs, which takes ten at most on an idle machine."""
DISK = 5 << 20
"""The bytes of a disk of one's own."""


@dataclass
class Attempt:
    """A command that is to be run: in which folder and environment, with which limit, and what may come of it."""

    command: str
    folder: Path
    chance: random.Random
    environment: dict[str, str]
    codes: set[int]
    after: float | None = None
    signal: int = 0
    bytes: int | None = None
    memory: int | None = None
    disk: int | None = None
    output: str | None = None
    said: list[str] = field(default_factory=list)


def _interrupted(it: Attempt) -> None:
    """A signal at some moment."""
    it.signal = it.chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
    it.after = it.chance.random() ** 2 * 3.0
    it.codes |= {130, -it.signal}


def _small_disk(it: Attempt) -> None:
    """A disk of 5 MB that is full but for some bytes; where none can be mounted, no file may be larger than those."""
    if _can_mount():
        it.disk = it.chance.choice((0, 4096, 100_000, 1 << 20, DISK))
    else:
        it.bytes = it.chance.choice((0, 1, 100, 4096, 20_000))
    it.codes |= {2, 3}


def _small_files(it: Attempt) -> None:
    """No file may be larger than some bytes."""
    it.bytes = it.chance.choice((0, 1, 100, 4096, 20_000))
    it.codes |= {2, 3}


def _short_memory(it: Attempt) -> None:
    """An address space that has no room for all that the command loads."""
    it.memory = it.chance.choice((100, 150, 200, 250, 300, 400)) << 20
    it.codes |= {3}


def _full_output(it: Attempt) -> None:
    """Standard output is full, closed, or a file that may not grow."""
    it.output = it.chance.choice(("/dev/full", "closed"))
    it.codes |= {2} if it.output == "/dev/full" else set()


def altered_cache(it: Attempt) -> None:
    """Each entry of the user's cache, and of the folder of a check, is altered, cut, another's, a pipe, or open."""
    for place in (Path(it.environment["XDG_CACHE_HOME"]), it.folder / "kept"):
        for entry in sorted(one for one in place.rglob("*") if one.is_file()):
            content = entry.read_bytes()
            match it.chance.randrange(5):
                case 0:
                    entry.write_bytes(mutations.octets(content, it.chance))
                case 1:
                    entry.write_bytes(content[: it.chance.randrange(len(content) + 1)])
                case 2:
                    entry.unlink()
                    os.mkfifo(entry)
                case 3:
                    entry.chmod(0o666)
                case _:
                    entry.unlink()
                    entry.mkdir()


def _home(it: Attempt) -> None:
    """No home, one that is a file or not there, or a relative cache."""
    it.environment.pop("XDG_CACHE_HOME")
    it.environment["HOME"] = it.chance.choice((__file__, f"{__file__}/home", "", "/proc"))
    if it.chance.random() < 0.3:
        it.environment["XDG_CACHE_HOME"] = "here"


def _modes(it: Attempt) -> None:
    """Folders that may not be written, or that anybody may write."""
    for name in ("cache", "tmp", "."):
        folder = it.folder / name
        folder.mkdir(exist_ok=True)
        folder.chmod(it.chance.choice((0o500, 0o700, 0o777)))
    it.codes |= {2}


TROUBLES: tuple[Callable[[Attempt], None], ...] = (
    _interrupted, _small_disk, _full_output, altered_cache, _home, _interrupted, _small_files, _short_memory,
    altered_cache, _modes,
)  # fmt: skip

ON_DISK = """
disk=$1 after=$2 free=$3; shift 3
mount -t tmpfs -o size=5m tmpfs "$disk" && cd "$disk" && mkdir cache tmp || exit 99
head -c "$free" /dev/zero >room; cat /dev/zero >fill 2>/dev/null; rm room
"$@"; code=$?
rm fill; cp -R . "$after"
exit $code
"""
"""Runs a command on a disk of its own, full but for some bytes, and leaves a copy of what it wrote."""


@cache
def _can_mount() -> bool:
    """Whether this user may mount a disk, in a namespace of its own."""
    if shutil.which("unshare") is None:
        return False
    mount = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(mount, capture_output=True, check=False).returncode == 0


@cache
def _kept(command: str) -> Path:
    """A folder with the caches of a command that has run."""
    made = tempfile.TemporaryDirectory(prefix="fencepost-attack-")
    folder = Path(made.name)
    atexit.register(made.cleanup)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "FENCEPOST_TRACEBACK": ""}
    subprocess.run(_line(command), cwd=folder, env=environment, capture_output=True, check=False, timeout=WAIT)
    return folder


def _line(command: str) -> list[str]:
    return [sys.executable, "-m", "fencepost.checkers.cli.main", *command.split()]


def attempt(seed: int, commands: Collection[str] = tuple(COMMANDS)) -> str | None:
    """Run one seed with one of some commands; return what is wrong, None for nothing."""
    chance = random.Random(seed)
    command = chance.choice(sorted(commands))
    trouble = TROUBLES[seed % len(TROUBLES)]
    if trouble is altered_cache:
        users = [one for one in commands if one.split()[0] in ("explore", "mutate", "check")]
        command = chance.choice(sorted(users))
    with tempfile.TemporaryDirectory(prefix="fencepost-attack-") as name:
        folder = Path(name)
        for part in ("tmp", "disk", "after"):
            (folder / part).mkdir()
        if trouble is altered_cache:
            for part in ("cache", "kept"):
                if (_kept(command) / part).exists():
                    shutil.copytree(_kept(command) / part, folder / part)
        environment = {
            **os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "TMPDIR": str(folder / "tmp"), "ATTACK": name,
            "FENCEPOST_TRACEBACK": "", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        it = Attempt(command, folder, chance, environment, {COMMANDS[command]})
        trouble(it)
        _run(it)
        return f"seed {seed}, {trouble.__name__[1:]}: {command}: {'; '.join(it.said)}" if it.said else None


def _run(it: Attempt) -> None:
    def limited() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if it.bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (it.bytes, it.bytes))
        if it.memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (it.memory, it.memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if it.output == "closed":
            os.close(1)

    line = _line(it.command)
    if it.disk is not None:
        disk, after = it.folder / "disk", it.folder / "after"
        line = ["unshare", "-rm", "sh", "-c", ON_DISK, "sh", str(disk), str(after), str(it.disk), *line]
        it.environment |= {"XDG_CACHE_HOME": str(disk / "cache"), "TMPDIR": str(disk / "tmp")}
    with open(it.output if it.output not in (None, "closed") else os.devnull, "wb") as out:
        process = subprocess.Popen(
            line, cwd=it.folder, env=it.environment, stdin=subprocess.DEVNULL, stdout=out,
            stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True, preexec_fn=limited,
        )  # fmt: skip
        err = ""
        try:
            if it.after is not None:
                time.sleep(it.after)
                process.send_signal(it.signal)
            err = process.communicate(timeout=WAIT)[1]
        except subprocess.TimeoutExpired:
            it.said.append(f"hangs: {WAIT} s later it has not ended")
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
    _judged(it, process.returncode, err)


def _judged(it: Attempt, code: int, err: str) -> None:
    """Note what is wrong with the end of a command."""
    if it.signal == signal.SIGINT and err.rstrip().endswith("KeyboardInterrupt") and "cli/main.py" not in err:
        return  # while Python itself begins, Ctrl-C ends it as any program
    if code not in it.codes:
        it.said.append(f"ended with {code}: {err[-300:]}")
    if "Traceback" in err:
        it.said.append(f"a traceback: {err[-500:]}")
    for one in _processes(it.environment["ATTACK"]):
        it.said.append(f"process left: {one}")
        os.kill(one, signal.SIGKILL)
    if it.signal != signal.SIGKILL:
        left = [one for one in it.folder.rglob("*") if one.suffix == ".part" or one.parent.name == "tmp"]
        if left:
            it.said.append(f"files left: {', '.join(str(one.relative_to(it.folder)) for one in left)}")
    for name, end in (("page.html", "</html>"), ("graph.dot", "}"), ("report.xml", "</testsuites>")):
        for file in it.folder.rglob(name):
            if not file.read_text("utf-8").rstrip().endswith(end):
                it.said.append(f"{name} is not whole")


def _processes(mark: str) -> list[int]:
    """The processes with the mark of an attempt that go on for ten seconds; none where /proc is missing."""
    for _ in range(100):
        found = [number for number in _numbers() if f"ATTACK={mark}".encode() in _of(number, "environ").split(b"\0")]
        found = [one for one in found if _of(one, "stat").rpartition(b")")[2].split()[:1] != [b"Z"]]
        if not found:
            return []
        time.sleep(0.1)
    return found


def _numbers() -> Iterator[int]:
    proc = Path("/proc")
    return (int(one.name) for one in proc.iterdir() if one.name.isdecimal()) if proc.is_dir() else iter(())


def _of(number: int, what: str) -> bytes:
    try:
        return Path("/proc", str(number), what).read_bytes()
    except OSError:
        return b""


def failing(seeds: Iterable[int], commands: Collection[str] = tuple(COMMANDS)) -> Iterator[str]:
    """Yield what is wrong, seed by seed."""
    for seed in seeds:
        if (said := attempt(seed, commands)) is not None:
            yield said


if __name__ == "__main__":
    low, high = map(int, (sys.argv[1] if len(sys.argv) > 1 else "0:300").split(":"))
    count = 0
    for one in failing(range(low, high)):
        count += 1
        print(one, flush=True)
    print(f"{high - low} runs, {count} wrong")
    sys.exit(1 if count else 0)
