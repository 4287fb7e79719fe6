"""`fencepost show matrix [GUARANTEE]`: what each design gives of nine guarantees, and how to see it again."""

from __future__ import annotations

from typing import Any

from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Outcome

WORD = "matrix"
"""The argument of `show` for the matrix, in a protocol's place."""


def answer(guarantee: str | None) -> Outcome:
    """Return the matrix, with the cells of one guarantee if it is named; raises `Refusal` for one that there is not."""
    from fencepost.checkers.matrix_page import text
    from fencepost.model.matrix import CELLS, DESIGNS, GUARANTEES

    ids = [one.id for one in GUARANTEES]
    if guarantee is not None and guarantee not in ids:
        raise Refusal(f"{guarantee}: the matrix has no guarantee of this id; it has {', '.join(ids)}")
    fields: dict[str, Any] = {
        "designs": dict(DESIGNS),
        "guarantees": [
            {
                "id": one.id,
                "name": one.name,
                "meaning": one.meaning,
                "cells": [
                    {
                        "design": found.design,
                        "finding": found.finding.value,
                        "says": found.says,
                        "scope": found.scope,
                        "command": found.command,
                        "length": found.length or None,
                        "defects": list(found.defects),
                        "repaired": list(found.commands[1:]),
                    }
                    for found in CELLS
                    if found.guarantee == one.id
                ],
            }
            for one in GUARANTEES
            if guarantee in (None, one.id)
        ],
    }
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, list(text(guarantee or "")))
