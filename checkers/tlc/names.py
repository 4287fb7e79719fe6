"""Names in TLA+: what the language reserves, and identifiers that clash with nothing in scope."""

from __future__ import annotations

import re
from collections.abc import Collection

_KEYWORDS = """
ACTION ASSUME ASSUMPTION AXIOM BOOLEAN BY CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF DEFINE DEFS DOMAIN ELSE ENABLED
EXCEPT EXTENDS FALSE HAVE HIDE IF IN INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED ONLY OTHER PICK PROOF
PROPOSITION PROVE QED RECURSIVE SF_ STATE STRING SUBSET SUFFICES TAKE TEMPORAL THEN THEOREM TRUE UNCHANGED UNION USE
VARIABLE VARIABLES WF_ WITH WITNESS
"""
_LIBRARY = "Nat Int Seq Len Append Head Tail SubSeq SelectSeq Cardinality IsFiniteSet"
_OURS = """
None Bound At Put PutCell Pick Elements KeepIn FirstIn Join OnlyItem Lists InOrder MaxOr Lesser Init Next Spec Rows vars
SomeRowIsEnabled at to
"""
_TLC = "Print PrintT Assert JavaTime TLCGet TLCSet Permutations SortSeq RandomElement Any ToString TLCEval"

RESERVED = frozenset(f"{_KEYWORDS} {_LIBRARY} {_OURS}".split())
"""Words that no generated name may be: keywords, the standard modules' operators, and the module's own helpers."""

TLC_MODULE = frozenset(_TLC.split())
"""The operators of TLC's own module, which a module with a symmetry extends."""


def identifier(name: str) -> str:
    """Return the nearest TLA+ identifier: letters, digits and underscores, a letter first."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name).rstrip("_") or "x"
    plain = plain if plain[0].isalpha() else f"x{plain}"
    return f"x{plain}" if plain.startswith(("WF_", "SF_")) else plain


def fresh(name: str, taken: Collection[str]) -> str:
    """Return an identifier for the name that is neither reserved nor taken."""
    base = identifier(name)
    candidate, number = base, 2
    while candidate in taken or candidate in RESERVED:
        candidate, number = f"{base}_{number}", number + 1
    return candidate


class Globals:
    """The names of a module's top level, each owned by one object."""

    def __init__(self, reserved: Collection[str] = ()) -> None:
        self._names: dict[object, str] = {}
        self._taken: set[str] = set(reserved)

    def __contains__(self, owner: object) -> bool:
        return owner in self._names

    def name(self, owner: object, wanted: str) -> str:
        """Return the owner's name, choosing it at the first call."""
        found = self._names.get(owner)
        if found is None:
            found = self._names[owner] = fresh(wanted, self._taken)
            self._taken.add(found)
        return found

    @property
    def taken(self) -> frozenset[str]:
        """Every name that is in use."""
        return frozenset(self._taken)
