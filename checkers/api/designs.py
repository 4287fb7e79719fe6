"""Comparisons of two designs: the properties that an edit violates, and the differences between two protocols."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fencepost.checkers.comparing.carried import of_base, slices_of
from fencepost.checkers.comparing.differences import LIMIT, Differences, compare
from fencepost.checkers.comparing.revisions import of_name
from fencepost.checkers.comparing.whatif import WhatIf
from fencepost.checkers.comparing.whatif import whatif as asked
from fencepost.checkers.named import family
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol
from fencepost.model.registry import Family


@dataclass(frozen=True)
class Edit:
    """A variant and what it is compared with; `named` is the variant with its bounds."""

    named: Family
    base: Protocol

    @cached_property
    def slices(self) -> tuple[Protocol, ...]:
        """The slices of the variant that have bounds, or those of the base with its edit."""
        whole = self.named.whole
        return slices_of(self.base, whole, self.named, compare(self.base, whole, ask=False))

    def asked(self, search: float, told: Callable[[str], None] | None = None, **how: Any) -> WhatIf:
        """Return what the edit breaks; `how` are the further arguments of `checkers.comparing.whatif`."""
        return asked(
            self.base, self.named.whole, lambda: self.slices, search, told, of_base=lambda: of_base(self.base), **how
        )


def edit(variant: str, base: str | None = None) -> Edit:
    """Return a variant by name with what it was made from, or with another base; raises `Refusal` for no variant."""
    named = family(variant)
    before = family(base).whole if base is not None else named.whole.base
    if before is None:
        raise Refusal(f"{variant}: is no variant of another protocol; say --base PROTOCOL")
    return Edit(named, before)


def whatif(
    variant: str,
    base: str | None = None,
    *,
    search: float = 4.0,
    in_step: float = 3.0,
    limit: float = 120.0,
    repair: float = 3.0,
    cache: Path | None = None,
) -> WhatIf:
    """Return what a variant breaks of what it was made from, or of `base`: only what the edit touches is asked.

    The seconds of processor time are for runs to what is not inductive (`search`), for behaviour gained and lost
    (`in_step`), for obligations (`limit`) and for conditions that would keep what is not kept (`repair`); answers of
    the solver are kept in the folder `cache`. Raises `Refusal` for what is no variant, `UnknownProtocol` for a name
    that is none.
    """
    return edit(variant, base).asked(search, in_step=in_step, limit=limit, repair=repair, cache=cache)


def diff(old: str | Protocol, new: str | Protocol, *, limit: float = LIMIT) -> Differences:
    """Return which rows and properties differ by meaning; `limit` are the seconds of one question to the solver.

    Protocols are given by name, such as kraft@4.2 or file.py:NAME@REVISION, or as values. Raises `Refusal` and
    `UnknownProtocol` for a name that is none.
    """
    before, after = (of_name(one) if isinstance(one, str) else one for one in (old, new))
    return compare(before, after, limit=limit)


__all__ = ["Edit", "diff", "edit", "whatif"]
