"""Recordings: the files of a cluster are found by their names, what is missing is said, and epochs are gathered."""

import shutil
from pathlib import Path

import pytest

from fencepost.traces import TraceError, find_logs
from fencepost.traces.zk import TopicPartition, read_recording
from fencepost.traces.zk.controller_lines import ReplicasMarkedOffline
from fencepost.traces.zk_recordings import is_zk_recording

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "zk"
RUNS = sorted(path for path in RECORDED.iterdir() if path.is_dir())
EPOCHS = {
    "first-boot": {1: 1},
    "kill-nine": {1: 4, 2: 3, 3: 2, 4: 3},
    "leaders-write": {1: 2, 2: 1},
    "log-dir-failure": {1: 4, 2: 2},
    "reassignment": {1: 4, 2: 3, 3: 1, 4: 2},
    "rolling-restart": {1: 3, 2: 4, 3: 2, 4: 3, 5: 4, 6: 1},
    "topic-deletion": {1: 4, 2: 1},
}
LINE = "[2026-11-21 07:00:49,218] INFO {} (state.change.logger)\n"
SENT = "Sending StopReplica request for {} replicas to broker 1"
run = pytest.mark.parametrize("folder", RUNS, ids=lambda path: path.name)


@run
def test_a_recorded_run_is_found_whole(folder: Path) -> None:
    """Four brokers' logs of both kinds, the history, the znodes and the settings are found, and nothing is missing."""
    found = read_recording(folder)
    assert is_zk_recording(folder)
    assert [log.broker for log in found.state_change] == [log.broker for log in found.controller] == [1, 2, 3, 4]
    assert (found.name, found.missing, found.meta["scenario"]) == (folder.name, (), folder.name)
    assert found.history == str(folder / "znode-history.ndjson.gz")
    assert found.final_znodes()


@run
def test_epochs_are_gathered_in_order(folder: Path) -> None:
    """Each epoch is one controller's, in one file, its lines in the file's order; epochs rise; no record is lost."""
    recording = read_recording(folder)
    found = recording.gathered()
    assert {one.epoch: one.controllers for one in found.epochs} == {
        epoch: (broker,) for epoch, broker in EPOCHS[folder.name].items()
    }
    for one in found.epochs:
        assert len(one.files) == 1
        lines = [entry.line for entry in one.entries]
        assert lines == sorted(lines)
        # What a broker lost is said without an epoch: it is between the lines of one.
        named = [entry for entry in one.entries if not isinstance(entry.message, ReplicasMarkedOffline)]
        assert {entry.sender.epoch for entry in named} == {one.epoch}
    gathered = sum(len(one.entries) for one in found.epochs) + sum(map(len, found.brokers.values()))
    assert gathered == found.records == sum(found.kinds.values()) == sum(1 for _ in recording.records())
    assert (found.unparsed, found.before_any) == ((), ())


@run
def test_within_an_epoch_each_change_begins_where_the_last_one_ended(folder: Path) -> None:
    """Between two transitions of one partition or replica in one epoch no state is skipped; refusals keep the state."""
    for one in read_recording(folder).gathered().epochs:
        states: dict[tuple[TopicPartition, int | None], str] = {}
        assert one.transitions
        for entry in sorted((*one.transitions, *one.attempts), key=lambda each: each.line):
            message = entry.message
            entity = (message.partition, getattr(message, "replica", None))  # type: ignore[attr-defined]
            source, target = message.source, message.target  # type: ignore[attr-defined]
            assert states.setdefault(entity, source) == source, entry.place
            if entry in one.transitions:
                states[entity] = target


def logs(folder: Path, **texts: str) -> Path:
    """Write files into a folder, an underscore for each hyphen and a double one for each dot of their names."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("__", ".").replace("_", "-")).write_text(text, encoding="utf-8")
    return folder


def said(controller: str, number: int) -> str:
    """Return a line of a controller, with a number in it."""
    return LINE.format(f"[{controller}] {SENT.format(number)}")


def numbers(folder: Path) -> dict[int, list[int]]:
    """Return the numbers in the lines of each epoch."""
    return {
        one.epoch: [entry.message.replicas for entry in one.entries]  # type: ignore[attr-defined]
        for one in read_recording(folder).gathered().epochs
    }


def test_rolled_files_are_read_from_the_oldest(tmp_path: Path) -> None:
    """Files with a date come before the one in use, and numbered ones from the largest number, as log4j names them."""
    texts = [said("Controller id=1 epoch=1", number) for number in range(6)]
    dated = logs(
        tmp_path / "dated",
        state_change__log=texts[2],
        state_change__log__2026_11_21_07=texts[0],
        state_change__log__2026_11_21_08=texts[1],
    )
    assert numbers(dated) == {1: [0, 1, 2]}
    numbered = logs(
        tmp_path / "numbered", state_change__log=texts[5], state_change__log__2=texts[3], state_change__log__10=texts[1]
    )
    assert numbers(numbered) == {1: [1, 3, 5]}


def test_a_line_without_an_epoch_belongs_to_the_one_before(tmp_path: Path) -> None:
    """A controller's line whose head lacks the epoch is gathered with its line before, and apart where none is."""
    text = said("Controller id=1", 1) + said("Controller id=1 epoch=4", 2) + said("Controller id=1", 3)
    folder = logs(tmp_path / "a", state_change__log=text)
    assert numbers(folder) == {4: [2, 3]}
    assert len(read_recording(folder).gathered().before_any) == 1


def test_an_epoch_in_two_files_is_seen(tmp_path: Path) -> None:
    """Lines of one epoch by two controllers are gathered, with both controllers and both files."""
    folder = logs(
        tmp_path / "a",
        state_change__broker_1__log=said("Controller id=1 epoch=2", 1),
        state_change__broker_2__log=said("Controller id=2 epoch=2", 2) + said("Controller id=2 epoch=10", 3),
    )
    first, second = read_recording(folder).gathered().epochs
    assert (first.epoch, second.epoch) == (2, 10)
    assert first.controllers == (1, 2)
    assert len(first.files) == 2


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    """A recording with less than all is read, and says what is not there and what follows."""
    folder = tmp_path / "kill-nine"
    shutil.copytree(RECORDED / "kill-nine", folder)
    (folder / "state-change.broker-3.log.gz").unlink()
    assert [one.partition(": ")[2] for one in read_recording(folder).missing] == [
        "no state-change.log of broker 3, so epochs that it was controller in are missing"
    ]
    (folder / "znode-history.ndjson.gz").unlink()
    for file in folder.glob("controller*"):
        file.unlink()
    found = read_recording(folder)
    assert [one.partition(": ")[2].partition(",")[0] for one in found.missing] == [
        "no znode-history.ndjson", "no controller.log", "no state-change.log of broker 3",
    ]  # fmt: skip
    assert (found.history, list(found.transactions()), found.controller_logs()) == (None, [], ())


def test_one_file_is_a_recording(tmp_path: Path) -> None:
    """A state-change.log alone can be given, also with no other file beside it; a history alone, too."""
    alone = RECORDED / "kill-nine" / "state-change.broker-3.log.gz"
    found = read_recording(alone)
    assert is_zk_recording(alone)
    assert [one.epoch for one in found.gathered().epochs] == [2, 4]
    assert (found.history, found.meta) == (None, {})
    history = read_recording(RECORDED / "kill-nine" / "znode-history.ndjson.gz")
    assert history.state_change == ()
    assert sum(1 for _ in history.transactions()) == 500
    assert "no state-change.log" in history.missing[0]


def test_what_is_no_recording_is_one_sentence(tmp_path: Path) -> None:
    """A missing or another directory, two histories in one, and settings that are no JSON are reported by name."""
    assert not is_zk_recording(tmp_path)
    assert not is_zk_recording(tmp_path / "none")
    assert not is_zk_recording(RECORDED)
    with pytest.raises(TraceError, match="there is no such directory"):
        read_recording(tmp_path / "none")
    with pytest.raises(TraceError, match="holds neither state-change"):
        read_recording(tmp_path)
    logs(tmp_path, znode_history__ndjson="", znode_history__broker_1__ndjson="")
    with pytest.raises(TraceError, match="holds 2 znode histories"):
        read_recording(tmp_path)
    (tmp_path / "znode-history.ndjson").unlink()
    for content, words in (("{", "is no JSON "), ("[]", "is no JSON object")):
        logs(tmp_path, meta__json=content)
        with pytest.raises(TraceError, match=words):
            read_recording(tmp_path)


def test_no_log_of_a_kraft_controller_is_seen_in_them() -> None:
    """The folders of these runs hold no metadata log, and those of metadata logs are no recordings of this kind."""
    assert [source for source in find_logs([RECORDED.parent]) if "/zk/" in source.path] == []
    assert not is_zk_recording(RECORDED.parent / "first-boot")
