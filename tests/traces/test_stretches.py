"""A log whose bytes stay in its files: the batches of stretches are those that one reading finds."""

import gzip
import pickle
import shutil
from pathlib import Path

import pytest

from fencepost.traces import TraceError, find_log, read_log
from fencepost.traces.stretches import Batches, Stretch

LOG = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "first-boot"


def stretches_of(path: Path, each: int) -> list[Stretch]:
    """The stretches of so many batches of the one segment of a log."""
    batches = read_log(path).batches
    file = find_log(path).segments[0]
    found = []
    for at in range(0, len(batches), each):
        some = batches[at : at + each]
        end = some[-1].position + some[-1].size
        found.append(Stretch(file, some[0].position, end, len(some), some[0].base_offset))
    return found


@pytest.mark.parametrize("each", [1, 3, 1000])
def test_batches_of_stretches_are_those_of_the_log(each: int) -> None:
    """In order, by index, and as slices of slices; and what is pickled is where they lie, not what they are."""
    log, found = read_log(LOG).batches, Batches(stretches_of(LOG, each))
    assert list(found) == list(log)
    assert [found[at] for at in (0, -1, 5)] == [log[at] for at in (0, -1, 5)]
    assert list(found[2:9][1:4]) == list(log[3:6])
    assert found[2:9].index_of((log[4].segment, log[4].position)) == 2
    assert list(pickle.loads(pickle.dumps(found[2:9]))) == list(log[2:9])
    assert len(pickle.dumps(found)) < 200 * len(stretches_of(LOG, each)) + 400


def test_a_packed_file_is_read_on_where_reading_ended(tmp_path: Path) -> None:
    """Stretches of a gzipped segment are bytes of what is packed in it."""
    shutil.copytree(LOG, tmp_path / "log")
    (file,) = (tmp_path / "log").rglob("*.log")
    file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes()))
    file.unlink()
    assert list(Batches(stretches_of(tmp_path / "log", 3))) == list(read_log(LOG).batches)


def test_a_file_that_changed_is_not_read_on(tmp_path: Path) -> None:
    """Where other batches lie in a stretch than those that were counted, a sentence says so."""
    shutil.copytree(LOG, tmp_path / "log")
    some = stretches_of(tmp_path / "log", 4)
    file = Path(some[0].path)
    file.write_bytes(file.read_bytes()[: some[-1].end - 1])
    with pytest.raises(TraceError, match="another one than when it was first read"):
        list(Batches(some))
