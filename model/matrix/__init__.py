"""One matrix: what each design, from the ZooKeeper era to KRaft, gives of nine guarantees, with what shows it.

A cell names a property and an engine, so that it can be run again; the tests run every cell.
"""

from .cell import Cell, Finding, Guarantee
from .cells import CELLS, DESIGNS, cell
from .guarantees import GUARANTEES

__all__ = ["CELLS", "DESIGNS", "GUARANTEES", "Cell", "Finding", "Guarantee", "cell"]
