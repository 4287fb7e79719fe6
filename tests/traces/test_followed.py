"""A log that grows while it is read: every batch once, in order, over segments that roll and batches half written."""

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fencepost.traces import Batch, Item, TraceError, find_log, followed, iterate_log

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "reassignment"
LOG = "00000000000000000000.log"


@pytest.fixture
def whole() -> list[Batch]:
    """The batches of a recorded log of one segment."""
    return [one for one in iterate_log(RECORDED) if isinstance(one, Batch)]


@pytest.fixture
def written() -> bytes:
    """The bytes of its segment."""
    return (RECORDED / LOG).read_bytes()


def read(folder: Path, steps: list[Callable[[], object]]) -> list[Item]:
    """Follow a log: each step is what happens while it waits; there is none behind the last."""
    left = list(steps)

    def wait() -> bool:
        if not left:
            return False
        left.pop(0)()
        return True

    return list(followed(find_log(folder), wait))


def test_what_is_appended_is_read_once_and_in_order(tmp_path: Path, whole: list[Batch], written: bytes) -> None:
    """Wherever the file ended meanwhile, within a header, a batch, or before unused space, its batches are those of
    the whole."""
    log = tmp_path / LOG
    cuts = [whole[3].position, whole[3].position + 20, whole[5].position + 80, whole[9].position, len(written)]
    log.write_bytes(written[: cuts[0]])
    steps: list[Callable[[], object]] = [lambda cut=cut: log.write_bytes(written[:cut]) for cut in cuts[1:]]  # type: ignore[misc]
    steps.insert(3, lambda: log.write_bytes(written[: cuts[3]] + bytes(4096)))
    found = read(tmp_path, steps)
    assert all(isinstance(one, Batch) for one in found)
    assert [one.offsets for one in found if isinstance(one, Batch)] == [one.offsets for one in whole]


def test_a_segment_that_rolls_is_read_on(tmp_path: Path, whole: list[Batch], written: bytes) -> None:
    """A later segment is read when it is there, what was appended to the one before it first; and the first may go."""
    cut, rolls = whole[2].position, whole[6]
    later = tmp_path / f"{rolls.base_offset:020}.log"
    log = tmp_path / LOG
    log.write_bytes(written[:cut])

    def roll() -> None:
        log.write_bytes(written[: rolls.position])
        later.write_bytes(b"")

    def delete() -> None:
        log.unlink()
        later.write_bytes(written[rolls.position :])

    found = [one for one in read(tmp_path, [roll, delete]) if isinstance(one, Batch)]
    assert [one.offsets for one in found] == [one.offsets for one in whole]


def test_what_was_left_half_written_is_damage_once_a_later_segment_is_there(
    tmp_path: Path, whole: list[Batch], written: bytes
) -> None:
    """A batch that is cut at the end of the last segment is waited for; in front of a later one it is reported."""
    rolls = whole[6]
    (tmp_path / LOG).write_bytes(written[: rolls.position - 5])
    later = tmp_path / f"{rolls.base_offset:020}.log"
    found = read(tmp_path, [lambda: later.write_bytes(written[rolls.position :])])
    torn = [one for one in found if not isinstance(one, Batch)]
    assert [(one.start, one.end) for one in torn] == [(whole[5].position, rolls.position - 5)]
    assert len(found) == len(whole)


def test_a_log_that_is_cut_back_is_said(tmp_path: Path, whole: list[Batch], written: bytes) -> None:
    """Where records that were read are gone again, following ends with a sentence and no silent reading on."""
    log = tmp_path / LOG
    log.write_bytes(written)
    with pytest.raises(TraceError, match=f"cut back from byte {len(written)} to {whole[4].position}"):
        read(tmp_path, [lambda: log.write_bytes(written[: whole[4].position])])


def test_what_does_not_grow_is_refused(tmp_path: Path) -> None:
    """A dump's text and a packed segment are no log that a controller appends to."""
    shutil.copy(RECORDED / LOG, tmp_path / LOG)
    packed = tmp_path / "packed"
    packed.mkdir()
    (packed / f"{LOG}.gz").write_bytes(gzip.compress((tmp_path / LOG).read_bytes()))
    with pytest.raises(TraceError, match="nothing is appended to a dump, a gzipped file"):
        read(packed, [])
