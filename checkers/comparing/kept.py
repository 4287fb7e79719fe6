"""Answers of the solver kept in a folder, each by the whole of what was asked; a timeout or an unknown is never kept.

Kept is that an obligation is proved, and the counterexample to one that is not, which the interpreter confirms again.
An edit of another row, of a comment, a reason or a place leaves an obligation what it was, and it is not asked anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from fencepost.checkers.keeping import Kept, code, key, surroundings
from fencepost.checkers.proof.models import Found
from fencepost.checkers.proof.obligations import claim_of
from fencepost.checkers.proof.prover import Asked
from fencepost.checkers.proof.results import INITIAL
from fencepost.model.language import Always, Protocol, Step
from fencepost.model.language.fingerprint import Digest

from .touched import row_of

CODE = ("checkers/proof", "model/language")
"""The folders whose files say what an obligation is, and answer it."""


class KeptAnswers:
    """Answers to the obligations of a protocol, found and kept by what is asked.

    `protocol` has every row of which something is asked, `assumed` are the hypotheses. Without a folder nothing is
    found and nothing kept. Raises `Refusal` for a folder that cannot be made or written.
    """

    def __init__(self, folder: Path | None, protocol: Protocol, assumed: Sequence[Always]) -> None:
        self.kept = Kept(folder) if folder is not None else None
        self.protocol, self.assumed = protocol, tuple(assumed)
        self.found = 0
        self._digest = Digest()

    def get(self, row: str, id: str) -> Asked | None:
        """Return the answer to an obligation that was kept, None where none was, or none that can be read."""
        told = None if self.kept is None else self.kept.read(self._key(row, id))
        if told is None:
            return None
        try:
            answer = _read(self.protocol, row, id, told["answer"])
        except (KeyError, TypeError, ValueError):
            return None
        self.found += answer is not None
        return answer

    def put(self, answer: Asked) -> None:
        """Keep an answer that decides an obligation; any other is not kept."""
        if self.kept is not None and answer.answer in ("proved", "refuted"):
            self.kept.write(self._key(answer.row, answer.property), {"answer": _written(self.protocol, answer)})

    def _key(self, row: str, id: str) -> str:
        """Return the key of the whole query: the row, the property, and all that a proof of it may rely on."""
        claim = claim_of(self.protocol, row, id)
        named = row_of(self.protocol, row)
        parts: list[object] = [claim]
        if named is not None:
            guard = self.protocol.assumed_guard(named)
            parts += [named.id, named.params, guard, named.stages, named.say, named.throws]
        elif row == INITIAL:
            parts.append(self.protocol.start)
        if isinstance(claim, Step):
            # Whether it allows that nothing changes is checked for any parameters of its rows.
            parts += [one.params for one in self.protocol.rows if one.id in claim.rows]
        return key("obligation", code(CODE), surroundings(), row, self._common, *map(self._digest.of, parts))

    @cached_property
    def _common(self) -> str:
        """Return the hypotheses of every obligation of the protocol: its variables, assumptions and properties."""
        mine = self.protocol
        # Variables stand in the order in which rows name them, which is no part of a question.
        parts: list[object] = [*sorted(mine.states, key=lambda one: one.name), *mine.assumptions, *self.assumed]
        # A property that is declared violated is assumed of the rows that are not to blame for it.
        parts += [one for one in mine.properties if isinstance(one, Always) and one.expected == "violated"]
        return key(*map(self._digest.of, parts))


def _written(protocol: Protocol, answer: Asked) -> dict[str, Any]:
    found = answer.found
    told: dict[str, Any] = {"answer": answer.answer, "told": sorted(answer.told), "by_core": answer.by_core}
    if found is not None:
        cells = tuple((protocol.states[position].name, keys, value) for position, keys, value in found.cells)
        values = (cells, found.binding, found.stage, found.since, found.chosen)
        told["found"] = {"sizes": dict(found.sizes), "steps": found.steps, "values": [_packed(one) for one in values]}
    return told


def _read(protocol: Protocol, row: str, id: str, told: Any) -> Asked | None:
    answer, found = told["answer"], None
    if answer not in ("proved", "refuted") or (answer == "refuted") is not ("found" in told):
        return None
    if answer == "refuted":
        mine, places = told["found"], {state.name: place for place, state in enumerate(protocol.states)}
        cells, *others = (_unpacked(one) for one in mine["values"])
        cells = tuple((places[name], keys, value) for name, keys, value in cells)
        found = Found(mine["sizes"], mine["steps"], cells, *others)
    return Asked(row, id, 1, answer, 0.0, found=found, told=frozenset(told["told"]), by_core=told["by_core"])


def _packed(value: Any) -> Any:
    """Return a value of a counterexample as JSON values, sequences and sets distinguished."""
    if isinstance(value, tuple):
        return ["t", *(_packed(one) for one in value)]
    if isinstance(value, frozenset):
        return ["s", *(_packed(one) for one in sorted(value, key=repr))]
    return value


def _unpacked(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    made = (_unpacked(one) for one in value[1:])
    return tuple(made) if value[0] == "t" else frozenset(made)


__all__ = ["KeptAnswers"]
