"""A store on disk, for searches of more states than fit into memory: sorted runs, and duplicates that are found late.

What a level finds is gathered in memory and written as sorted runs. Once a level the runs are merged, and what was seen
before is left out by going through the sorted runs of all earlier levels (Korf, "Delayed duplicate detection", 2003).
Memory holds the nodes of the folded states and a buffer, whatever the number of states.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.verdicts import Refusal
from fencepost.files import open_regular, open_to_append

from .checkpoints import EVERY
from .layout import Layout, Numbers
from .store import FoldedStore, Made, most_of

if TYPE_CHECKING:
    from .compiled import Loops

ROOM = 1 << 23
"""States that are gathered in memory before they are sorted and written."""

RECENT = 1 << 20
"""Roots that are remembered as gathered: most states that are not new are found among them."""

SEARCH = "search"
"""The file of a folder that says how far its search is: a checkpoint."""

LOCK = "fencepost.lock"
"""The file by which a folder is known for one of ours, and taken by one process."""

KINDS: dict[str, np.dtype[Any]] = {
    "roots": np.dtype(np.int64),
    "parents": np.dtype(np.int32),
    "rows": np.dtype(np.int16),
}
"""What is kept of each state, by the name of its file, with the type of its numbers."""

COLUMNS = {**KINDS, "nodes": np.dtype(np.int64)}
"""The files that grow as long as a search runs."""


class Column:
    """An array in a file, which grows at its end; what is asked for is read, and nothing stays in memory."""

    def __init__(self, path: Path, kind: np.dtype[Any], count: int = 0) -> None:
        self.path, self.kind, self.count = path, kind, count
        self._sum = hashlib.sha256()

    def sum(self) -> str:
        """Return a digest of all that was written to it, or read by `verified`."""
        return self._sum.hexdigest()

    def verified(self, sum: str) -> Column:
        """Read what is counted of a file that another process wrote; raises `Refusal` where its digest is another."""
        left = self.count * self.kind.itemsize
        try:
            with open_regular(self.path) as file:
                while left and (block := file.read(min(left, 1 << 20))):
                    self._sum.update(block)
                    left -= len(block)
        except OSError:
            left = 1
        if left or self.sum() != sum:
            raise Refusal(f"{self.path}: is missing, cut short or altered; begin again in an empty folder")
        return self

    def cut(self) -> Column:
        """Have the file hold what is counted and no more; one that is not there is made."""
        with _appending(self.path) as file:
            file.truncate(self.count * self.kind.itemsize)
        return self

    def __len__(self) -> int:
        return self.count

    def mapped(self, start: int = 0, stop: int | None = None) -> NDArray[Any]:
        """Return a part of it as the system maps it into memory."""
        stop = self.count if stop is None else min(stop, self.count)
        if stop <= start:
            return np.zeros(0, self.kind)
        return np.memmap(self.path, self.kind, "r", start * self.kind.itemsize, (stop - start,))

    def __getitem__(self, key: Any) -> Any:
        """Return a number, or a copy of several."""
        if isinstance(key, slice) and key.step is None:
            start, stop, _ = key.indices(self.count)
            return np.array(self.mapped(start, stop))
        return np.array(self.mapped()[key])

    def append(self, more: NDArray[Any]) -> None:
        """Write more numbers at the end; raises `Refusal` where there is no room for them."""
        content = np.ascontiguousarray(more, self.kind).data
        with _appending(self.path) as file:
            file.write(content)
        self._sum.update(content)
        self.count += len(more)

    def sync(self) -> None:
        """Have the system write what it holds back."""
        with _appending(self.path) as file:
            os.fsync(file.fileno())


@contextmanager
def _appending(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to write at its end; what the system refuses is one sentence."""
    try:
        with open_to_append(path) as file:
            yield file
    except OSError as error:
        raise Refusal(
            f"{path}: cannot write the states: {error.strerror or error}; make room there and go on from it"
        ) from error


@dataclass(frozen=True)
class Run:
    """Sorted roots without repetition: a part of a file of the folder."""

    file: str
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class Disk:
    """Where a search keeps its states: a folder of its own, how many are gathered in memory, and how many seconds at
    least pass between two times at which it is written how far the search is.
    """

    folder: Path
    room: int = ROOM
    every: float = EVERY

    @property
    def search(self) -> Path:
        """The file that says how far the search is, there if one is to be gone on with."""
        return self.folder / SEARCH

    def claim(self) -> IO[bytes]:
        """Take the folder for this process, until what is returned is closed.

        Raises `Refusal` for a folder that another process has, that holds other things, or that cannot be made, and
        where the system cannot lock files, as Windows.
        """
        try:
            import fcntl
        except ModuleNotFoundError:
            raise Refusal(f"{self.folder}: this system cannot lock a folder; keep the states in memory") from None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            there = [one.name for one in self.folder.iterdir()]
            if there and LOCK not in there:
                raise Refusal(
                    f"{self.folder}: holds {min(there)} and no states of a search; name a folder that is empty or new"
                )
            lock = open_to_append(self.folder / LOCK)
        except OSError as error:
            raise Refusal(f"{self.folder}: cannot be used as a folder: {error.strerror or error}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.close()
            raise Refusal(f"{self.folder}: another search has it now; name another folder, or wait for it") from error
        return lock


class DiskStore(FoldedStore):
    """A store in the files of a folder.

    `roots`, `parents` and `rows` have a number a state, level after level, each level in the order of its roots.
    `count` are the states that are stored; those that a level has gathered so far are not yet among them.
    """

    roots: Column

    def __init__(self, layout: Layout, loops: Loops, disk: Disk) -> None:
        super().__init__(layout, loops)
        self.folder, self.room = disk.folder, disk.room
        self.seen: list[Run] = []
        self.runs: list[tuple[str, int]] = []
        self._made = 0
        self._outdated: list[str] = []
        self._sums: dict[str, str] = {}
        self._gathered = 0
        self._recent: Numbers = np.zeros(RECENT, np.int64)
        self._rooms(self.room)
        if not disk.search.exists():  # else what is there is to be gone on with
            self._open([Column(self.folder / name, kind) for name, kind in COLUMNS.items()])

    def _open(self, columns: Sequence[Column]) -> None:
        self.roots, self.parents, self.rows, self._nodes = (one.cut() for one in columns)
        self.count = len(self.roots)

    def _rooms(self, size: int) -> None:
        self._fresh: list[NDArray[Any]] = [np.zeros(size, kind) for kind in KINDS.values()]

    @property
    def known(self) -> int:
        """How many states there are at most: those that are stored, and those gathered, before duplicates."""
        return self.count + self._gathered + sum(size for _, size in self.runs)

    @property
    def bytes(self) -> int:
        """The bytes of memory that are used, whatever the number of states."""
        held: list[NDArray[Any]] = [self.nodes, self.node_table, self._recent, *self._fresh]
        return sum(one.nbytes for one in held)

    # -- gathering -------------------------------------------------------------------------------------------------
    def take(self, some: Sequence[Made]) -> list[int]:
        """Gather successors; which of them are new is found when they are settled."""
        for one in some:
            if self._gathered + len(one.roots) > len(self._fresh[0]):
                self._spill()
                if len(one.roots) > len(self._fresh[0]):
                    self._rooms(len(one.roots))
            ends = one.ends.tolist() or [len(one.roots)]
            first = 0 if len(one.ends) else -1
            for row, (begin, end) in enumerate(zip([0, *ends], ends, strict=False), first):
                self._gathered = self.loops.gather(
                    one.roots, one.sources, begin, end, one.low, row, self._recent, *self._fresh, self._gathered
                )
        return [self.count] * len(some)

    def _spill(self) -> None:
        """Write what is gathered as a sorted run; of equal states the first stays."""
        if not self._gathered:
            return
        columns = _first_of_each([one[: self._gathered] for one in self._fresh])
        name = self._new("found")
        for (kind, dtype), column in zip(KINDS.items(), columns, strict=True):
            file = Column(self.folder / f"{name}.{kind}", dtype).cut()
            file.append(column)
            self._sums[file.path.name] = file.sum()
        self.runs.append((name, len(columns[0])))
        self._gathered = 0

    def _new(self, kind: str) -> str:
        self._made += 1
        return f"{kind}-{self._made}"

    # -- settling --------------------------------------------------------------------------------------------------
    def settle(self) -> None:
        """Store those states that were gathered and are new, in the order of their roots."""
        self._spill()
        if not self.runs:
            return
        begin = self.count
        files = [
            [Column(self.folder / f"{name}.{kind}", dtype, size) for kind, dtype in KINDS.items()]
            for name, size in self.runs
        ]
        for parts in ranges([columns[0].mapped() for columns in files], self.room):
            some = [
                np.concatenate(
                    [columns[i].mapped(low, high) for columns, (low, high) in zip(files, parts, strict=True)]
                )
                for i in range(len(KINDS))
            ]
            columns = _first_of_each(some) if len(files) > 1 else some
            new = self._unseen(columns[0])
            most_of(self.count + len(new))
            for column, more in zip((self.roots, self.parents, self.rows), columns, strict=True):
                column.append(more[new])
            self.count = len(self.roots)
        self._outdated += [f"{name}.{kind}" for name, _ in self.runs for kind in KINDS]
        self.runs = []
        if self.count > begin:
            self.seen.append(Run("roots", begin, self.count))
            self._merge()

    def _mapped(self, run: Run) -> NDArray[Any]:
        column = self.roots if run.file == "roots" else Column(self.folder / run.file, KINDS["roots"], run.stop)
        return column.mapped(run.start, run.stop)

    def _unseen(self, roots: Numbers) -> Numbers:
        """Return which of some sorted roots no run has, as positions."""
        new = np.ones(len(roots), np.bool_)
        for run in self.seen:
            seen = self._mapped(run)
            at = np.searchsorted(seen, roots)
            inside = at < len(seen)
            new[inside] &= seen[at[inside]] != roots[inside]
        return np.flatnonzero(new)

    def _merge(self) -> None:
        """Merge the last runs while they are of like size, so that there are few; each state is merged a few times."""
        while len(self.seen) > 1 and len(self.seen[-2]) <= 2 * len(self.seen[-1]):
            two = self.seen[-2:]
            name = self._new("seen")
            merged = Column(self.folder / name, KINDS["roots"]).cut()
            mapped = [self._mapped(run) for run in two]
            for parts in ranges(mapped, self.room):
                some = np.concatenate([one[low:high] for one, (low, high) in zip(mapped, parts, strict=True)])
                merged.append(np.sort(some, kind="stable"))
            self._sums[name] = merged.sum()
            self._outdated += [run.file for run in two if run.file != "roots"]
            self.seen[-2:] = [Run(name, 0, len(merged))]

    # -- checkpoints -----------------------------------------------------------------------------------------------
    def saved(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a checkpoint keeps of it: which files there are, and how long they are."""
        self._spill()
        self._nodes.append(self.nodes[len(self._nodes) : self.node_count])
        columns = (self.roots, self.parents, self.rows, self._nodes)
        for column in columns:
            column.sync()
        return {}, {
            "count": self.count, "nodes": self.node_count, "made": self._made, "runs": self.runs,
            "seen": [asdict(run) for run in self.seen],
            "sums": self._sums | {column.path.name: column.sum() for column in columns},
        }  # fmt: skip

    def written(self) -> None:
        """Remove the files that the checkpoint just written has no need of."""
        for name in self._outdated:
            (self.folder / name).unlink(missing_ok=True)
            self._sums.pop(name, None)
        self._outdated = []

    def restore(self, arrays: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        """Go on with the files that a checkpoint names; raises `Refusal` where one is missing, too short or altered."""
        self.seen = [Run(**run) for run in kept["seen"]]
        self.runs = [(name, size) for name, size in kept["runs"]]
        self._made, self.counter[0] = kept["made"], kept["nodes"]
        needed = {name: (kind, kept["count"]) for name, kind in KINDS.items()}
        needed["nodes"] = (COLUMNS["nodes"], self.node_count)
        needed |= {run.file: (KINDS["roots"], run.stop) for run in self.seen if run.file != "roots"}
        needed |= {f"{name}.{one}": (kind, size) for name, size in self.runs for one, kind in KINDS.items()}
        sums = kept["sums"]
        known = {name: Column(self.folder / name, *one).verified(sums[name]) for name, one in needed.items()}
        self._sums = {name: sums[name] for name in needed if name not in COLUMNS}
        self._open([known[name] for name in COLUMNS])
        self.nodes = np.array(self._nodes.mapped())
        self.node_table = np.zeros(1, np.int32)
        self.reserve_nodes(1)
        for path in self.folder.iterdir():
            if path.name not in needed and path.name.startswith(("found-", "seen-")):
                path.unlink()


def ranges(runs: Sequence[NDArray[Any]], room: int) -> Iterator[list[tuple[int, int]]]:
    """Yield, range of numbers by range, where each sorted run has it; about `room` numbers of all runs at a time."""
    pieces = -(-sum(map(len, runs)) // room)
    longest = max(runs, key=len)
    splits = longest[[len(longest) * i // pieces for i in range(1, pieces)]]
    ends = [[0, *np.searchsorted(run, splits).tolist(), len(run)] for run in runs]
    for i in range(pieces):
        yield [(at[i], at[i + 1]) for at in ends]


def _first_of_each(columns: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """Return columns in the order of the first, with one place for each of its numbers: the first that it is at."""
    order = np.argsort(columns[0], kind="stable")
    roots = columns[0][order]
    order = order[np.concatenate(([True], roots[1:] != roots[:-1]))] if len(order) else order
    return [one[order] for one in columns]
