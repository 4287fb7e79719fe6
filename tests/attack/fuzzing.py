"""Readers and commands on inputs that were changed: what ends with a defect, or takes more than the input allows.

`python -m tests.attack.fuzzing 0:1000` runs a thousand seeds, and prints the seed and the reader of each that fails.
"""

import contextlib
import gzip
import io
import json
import os
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from fencepost.checkers.cli.main import main
from fencepost.checkers.operations.takeovers import takeovers_of
from fencepost.traces import Batch, TraceError, encode_batch, read_log
from fencepost.traces.brokers.ledger import read_ledger
from fencepost.traces.event_files import read_events
from fencepost.traces.forks import SHIPPED, ForkState, fork_of, own_records, shipped
from fencepost.traces.loop_lines import read_loop_lines
from fencepost.traces.node_files import read_node_files
from fencepost.traces.segments import scan
from fencepost.traces.zk import read_recording
from tests.attack import mutations

FORKS = Path(__file__).resolve().parents[1] / "conformance" / "fixtures" / "forks"
RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
SEGMENT, CHECKPOINT = "00000000000000000000.log", "00000000000000000000-0000000000.checkpoint"
CPU = 5.0
"""Seconds of processor time that one case may take: none has more than a hundred lines or forty batches."""
CODES = {0, 1, 2, 3, 4, 6, 7}
"""What a command may end with: never a defect (70), nor disagreeing engines (5)."""

Case = Callable[[Path, random.Random], None]
Read = Callable[[str], object]
Commands = tuple[tuple[str, ...], ...]


def _lines(path: str, most: int) -> list[str]:
    with gzip.open(RECORDED / path, "rt", encoding="utf-8", errors="surrogateescape", newline="\n") as stream:
        return [line.rstrip("\n") for _, line in zip(range(most), stream, strict=False)]


@cache
def batches() -> tuple[Batch, ...]:
    """The first batches of a recording."""
    whole = (RECORDED / "rolling-restart" / SEGMENT).read_bytes()
    found = (one for one in scan(io.BytesIO(whole), SEGMENT) if isinstance(one, Batch))
    return tuple(batch for _, batch in zip(range(40), found, strict=False))


def _segment(folder: Path, chance: random.Random) -> None:
    change = chance.choice((mutations.fields, mutations.fields, mutations.sealed_octets))
    (folder / SEGMENT).write_bytes(change(batches(), chance))


def _damaged(folder: Path, chance: random.Random) -> None:
    whole = b"".join(map(encode_batch, batches()))
    (folder / SEGMENT).write_bytes(mutations.octets(whole, chance))


def _snapshot(folder: Path, chance: random.Random) -> None:
    here = RECORDED / "first-boot"
    (folder / SEGMENT).write_bytes((here / SEGMENT).read_bytes()[:4000])
    (folder / CHECKPOINT).write_bytes(mutations.octets((here / CHECKPOINT).read_bytes(), chance))


def _text(name: str, given: Sequence[str]) -> Case:
    def write(folder: Path, chance: random.Random) -> None:
        text = "\n".join(mutations.lines(given, chance)) + "\n"
        data = text.encode("utf-8", "surrogatepass")
        if chance.random() < 0.1:
            data = mutations.octets(data, chance)
        (folder / name).write_bytes(data)

    return write


def _beside(name: str, given: Sequence[str]) -> Case:
    def write(folder: Path, chance: random.Random) -> None:
        (folder / SEGMENT).write_bytes(b"".join(map(encode_batch, batches())))
        _text(name, given)(folder, chance)

    return write


QUORUM_STATE = (
    '{"leaderId": 3000, "leaderEpoch": 4, "votedId": -1, "appliedOffset": 0,',
    '"currentVoters": [{"voterId": 3000}],',
    '"data_version": 0}',
)
_ID = "AAAAAAAAAAAAAAAAAAAAAA"
META_PROPERTIES = ("#", "version=1", f"cluster.id={_ID}", "node.id=3000", f"directory.id={_ID}")
META_JSON = ("{", '"scenario": "x",', '"props": {"broker.session.timeout.ms": 9000}', "}")
EPOCHS = ("0", "2", "1 0", "4 17")
_ACKNOWLEDGED = {"topic": "t", "partition": 0, "sent_ms": 1, "acknowledged_ms": 2}
LEDGER = tuple(json.dumps({"id": f"m-{n}", "offset": n, **_ACKNOWLEDGED}) for n in range(9))
LOG_COMMANDS = (
    ("conform",), ("story",), ("story", "--no-rows"), ("health",), ("health", "--no-findings"), ("show",),
    ("why", "broker", "1"), ("why", "partition", "orders-0"), ("redact", "--to"), ("conform", "--json"),
    ("story", "--json"),
)  # fmt: skip
_ZK = {
    name: next(iter(sorted((RECORDED / "zk" / "kill-nine").glob(f"{name}*"))))
    for name in ("state-change", "controller", "znode-history")
}


def _of_zk() -> Case:
    some = {path.name.removesuffix(".gz"): _lines(str(path.relative_to(RECORDED)), 80) for path in _ZK.values()}
    some["meta.json"] = json.dumps({"brokers": [1, 2, 3], "settings": {}}, indent=0).split("\n")

    def write(folder: Path, chance: random.Random) -> None:
        changed = chance.choice(sorted(some))
        for name, given in some.items():
            _text(name, given if name != changed else mutations.lines(given, chance))(folder, _Still())

    return write


class _Still(random.Random):
    """Chance that changes nothing."""

    def randint(self, a: int, b: int) -> int:
        """No change."""
        return 0

    def random(self) -> float:
        """Never."""
        return 1.0


@cache
def readers() -> dict[str, tuple[Case, Read | None, Commands]]:
    """The readers by name: what writes a changed input to a folder, what reads it, and the commands that do."""
    dump = _text("dump.txt", _lines("rolling-restart/dump.txt.gz", 60))
    answers = _text("answers.ndjson", _lines("oracle/broker-heartbeat-sample.ndjson.gz", 30))
    controller = _text("controller.log", _lines("fake-chaos-elr/controller.log.gz", 80))
    return {
        "records of a segment": (_segment, _log, LOG_COMMANDS),
        "bytes of a segment": (_damaged, _log, LOG_COMMANDS),
        "bytes of a snapshot": (_snapshot, _log, LOG_COMMANDS),
        "text of a dump": (dump, _log, LOG_COMMANDS),
        "events": (_text("events.ndjson", _lines(_EVENTS, 30)), _events, ()),
        "recorded answers": (answers, None, (("answers", "answers.ndjson"),)),
        "ZooKeeper": (_of_zk(), read_recording, (("conform",),)),
        "controller.log": (controller, lambda folder: read_loop_lines(f"{folder}/controller.log"), ()),
        "quorum-state": (_beside("quorum-state", QUORUM_STATE), read_node_files, (("conform",), ("health",))),
        "meta.properties": (_beside("meta.properties", META_PROPERTIES), read_node_files, (("conform",), ("show",))),
        "leader-epoch-checkpoint": (_beside("leader-epoch-checkpoint", EPOCHS), read_node_files, (("conform",),)),
        "meta.json": (_beside("meta.json", META_JSON), None, (("conform",),)),
        "fork": (
            _fork,
            _declared,
            (("show", "fork"), ("conform", "--fork"), ("story", "--fork"), ("health", "--fork")),
        ),
        "records of a fork": (_own, _own_records, LOG_COMMANDS),
        "ledger": (_text("ledger.ndjson", LEDGER), lambda folder: read_ledger(f"{folder}/ledger.ndjson"), ()),
    }


@cache
def _of_fork() -> tuple[Batch, ...]:
    whole = (FORKS / "automq" / SEGMENT).read_bytes()
    return tuple(one for one in scan(io.BytesIO(whole), SEGMENT) if isinstance(one, Batch))


def _fork(folder: Path, chance: random.Random) -> None:
    (folder / SEGMENT).write_bytes((FORKS / "automq" / SEGMENT).read_bytes())
    given = shipped(chance.choice(SHIPPED)).text.splitlines()
    start = chance.randrange(len(given))
    _text("fork.toml", [*given[:12], *given[start : start + 60]])(folder, chance)


def _own(folder: Path, chance: random.Random) -> None:
    change = chance.choice((mutations.fields, mutations.sealed_octets))
    (folder / SEGMENT).write_bytes(change(_of_fork(), chance))


def _declared(folder: str) -> object:
    return fork_of(f"{folder}/fork.toml")


def _own_records(folder: str) -> object:
    fork = shipped("automq")
    state, takeovers = ForkState(fork), takeovers_of(fork)
    for record in own_records(read_log(folder).batches, fork):
        state.apply(record)
        fork.words(record), fork.blanked(record)
        assert takeovers is not None
        takeovers.note(record)
    return state


def _log(folder: str) -> object:
    return read_log(_given(folder))


def _events(folder: str) -> object:
    return list(read_events(f"{folder}/events.ndjson"))


def _given(folder: str) -> str:
    dump = Path(folder, "dump.txt")
    return str(dump) if dump.exists() else folder


_EVENTS = next(str(path.relative_to(RECORDED)) for path in sorted(RECORDED.glob("*/events.ndjson.gz")))


def case(seed: int, folder: Path, commands: bool) -> str | None:
    """Run one seed in an empty folder, a reader or one of its `commands`; return what is wrong, None for nothing."""
    chance = random.Random(seed)
    names = sorted(readers())
    name = names[seed % len(names)]
    write, read, run = readers()[name]
    write(folder, chance)
    said, began = "", time.process_time()
    try:
        if commands and run:
            words = run[seed % len(run)]  # the readers are 15, which no number of commands divides
            said = _of_command(words, folder)
        elif read is not None:
            with contextlib.suppress(TraceError):
                read(str(folder))
    except Exception:
        said = traceback.format_exc(limit=-4)
    took = time.process_time() - began
    if took > CPU:
        said = f"{said} took {took:.1f} CPU s"
    return f"seed {seed}, {name}: {said}" if said else None


def _of_command(words: Sequence[str], folder: Path) -> str:
    first, *rest = words
    given = _given(str(folder))
    if first == "redact":
        arguments = [first, given, "--to", str(folder / "copy")]
    elif "fork" in rest:
        arguments = [first, *rest, str(folder / "fork.toml")]
    elif "--fork" in rest:
        arguments = [first, given, *rest, str(folder / "fork.toml")]
    elif first == "answers":
        arguments = [first, str(folder / rest[0])]
    else:
        arguments = [first, given, *rest]
    out, err = io.StringIO(), io.StringIO()
    before = os.environ.pop("FENCEPOST_TRACEBACK", None)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    if before is not None:
        os.environ["FENCEPOST_TRACEBACK"] = before
    said = out.getvalue() if "--json" in words else err.getvalue()
    return "" if code in CODES else f"{' '.join(arguments)}: {code}: {said[-400:]}"


def failing(seeds: range, commands: bool) -> Iterator[str]:
    """Yield what is wrong, seed by seed."""
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            if (said := case(seed, Path(folder), commands)) is not None:
                yield said


if __name__ == "__main__":
    low, high = map(int, sys.argv[1].split(":"))
    count = 0
    for one in failing(range(low, high), "--commands" in sys.argv):
        count += 1
        print(one, flush=True)
    print(f"{high - low} cases, {count} wrong, {time.process_time():.0f} CPU s")
