"""Records of entities that the text of a divergence needs: the last ones, however long the log is."""

from pathlib import Path

import pytest

from fencepost.checkers.conformance.by_class import run_units
from fencepost.checkers.conformance.by_class.run_units import RunUnit
from fencepost.checkers.conformance.reading import remembered
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.remembered import REMEMBERED, History
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.model.kraft.protocol import KRAFT
from fencepost.reference.kraft.episodes.happenings import recorded
from fencepost.traces import batches, read_log
from fencepost.traces.scale.logs import LogPlan, LogWriter

pytestmark = pytest.mark.usefixtures("by_class")


class Noted(History):
    """A history that knows every entity of which anything was noted, with one beside it that forgets no unit."""

    def __init__(self) -> None:
        super().__init__()
        self.whole = History()
        self.whole._most = 1 << 60
        self.noted, self.largest, self.forgets = 0, 0, False
        self.entities: set[tuple[str, object]] = set()

    def note(self, offset: int, record: BoundRecord) -> None:
        """Note a record in both, unless it is of a unit that is taken apart."""
        super().note(offset, record)
        if not self.forgets:
            self.whole.note(offset, record)
        self._meet(record)

    def _forget(self) -> None:
        self.forgets = True
        super()._forget()
        self.forgets = False

    def note_unit(self, unit: RunUnit) -> None:
        """Note a unit in both."""
        self.whole.note_unit(unit)
        super().note_unit(unit)
        self.noted += len(unit)
        self.largest = max(self.largest, self._kept)
        for at in range(len(unit)):
            self._meet(unit[at])

    def _meet(self, record: BoundRecord) -> None:
        for field, value in zip(record.record.about, record.entities, strict=True):
            self.entities.add((str(field.kind), value))


@pytest.fixture(scope="module")
def silences(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log in which brokers fall silent again and again."""
    folder = tmp_path_factory.mktemp("silences")
    writer = LogWriter(*recorded(4, 40, 1, ("silence",)))
    writer.write(LogPlan(1, 0, 1_200), lambda name: (folder / name).open("xb"), {})
    return folder


@pytest.mark.representative("6")
@pytest.mark.parametrize("few", [6, 64])
def test_what_nobody_asks_for_is_left(few: int, silences: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a log in which brokers fall silent again and again fewer records are kept than it has, and of every entity the
    last are those of who keeps all."""
    monkeypatch.setattr(remembered, "AT_ONCE", 256)
    monkeypatch.setattr(remembered, "FEW", few)
    monkeypatch.setattr(batches, "_LARGE", 1)
    monkeypatch.setattr(run_units, "SHORTEST", 2)
    made: list[Noted] = []

    def history() -> Noted:
        made.append(Noted())
        return made[-1]

    monkeypatch.setattr("fencepost.checkers.conformance.reading.units.History", history)
    Monitor(KRAFT).judge(read_log(silences))
    found = made[0]
    assert found.noted > 900
    # Where no unit is taken apart the last records of topics that are gone keep theirs.
    assert len(found._units) < len(found.whole._units)
    assert found.largest < found.noted / 2 or few == 6
    lengths = set()
    for sort, entity in found.entities:
        offsets = [offset for offset, _ in found.of(sort, entity)]
        assert offsets == [offset for offset, _ in found.whole.of(sort, entity)]
        lengths.add(len(offsets))
    assert REMEMBERED in lengths
