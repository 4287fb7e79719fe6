"""numpy, loaded when it is first used: a short log is checked without an array, and loading takes a tenth of that.

Files take `np` from here, and numpy's types where types alone are checked.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as that of typing

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        """Has numpy's names once one of them was asked for."""

        def __getattr__(self, name: str) -> object:
            import numpy

            vars(self).update(vars(numpy))
            return getattr(numpy, name)

    np = _Numpy()

__all__ = ["np"]
