"""What the bounds of `zk-data` are not for: claims that nothing puts to the test there, with the reason."""

from __future__ import annotations

from fencepost.model.language import NotFor

NOT_FOR: tuple[NotFor, ...] = ()
