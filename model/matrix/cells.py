"""Every cell of the matrix, by guarantee and design."""

from __future__ import annotations

from .cell import Cell
from .cells_kip46 import KIP46_CELLS
from .cells_kip343 import KIP343_CELLS
from .cells_kip631 import KIP631_CELLS
from .cells_kraft import KRAFT_CELLS
from .cells_zk import ZK_CELLS

DESIGNS: dict[str, str] = {
    "zk": "ZooKeeper era",
    "kip343": "KIP-343",
    "kip46": "KIP-46",
    "kip631-v1": "KIP-631 v1",
    "kip631-v2": "KIP-631 v2",
    "kraft": "KRaft",
}
"""The designs in the order of the columns, by the names that the command line knows."""

CELLS: tuple[Cell, ...] = (*ZK_CELLS, *KIP343_CELLS, *KIP46_CELLS, *KIP631_CELLS, *KRAFT_CELLS)


def cell(guarantee: str, design: str) -> Cell:
    """Return the cell of a guarantee and a design; raises `KeyError` where there is none."""
    return {(one.guarantee, one.design): one for one in CELLS}[guarantee, design]
