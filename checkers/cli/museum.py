"""`fencepost museum`: the historical defects, and each explained by its shortest run."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal

from .diff import lines as differing
from .outcome import Json, Outcome
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.catalogue import Defect
    from fencepost.checkers.museum import Told
    from fencepost.model.museum import Entry

EDIT = 6
"""Lines of an edit that the page shows; `fencepost diff` has all."""


def museum(
    name: Annotated[
        str, typer.Argument(metavar="[ID]", help="A defect (J3, Z8, S-a), a variant of it (kraft+J3), or none for all.")
    ] = "",
    json: Json = False,
) -> Outcome:
    """List the historical defects of the controllers, or tell one in sentences from its shortest run.

    The run is searched anew, replayed by the interpreter, and must be as long as the museum says. A defect that no
    variant holds says what is missing for it; of an id that has several variants each is printed.
    """
    from fencepost.checkers.catalogue import catalogue

    if not name:
        return _listed()
    known = {one.id: one for one in catalogue()}
    if name.startswith("K") and name.replace("K", "J", 1) in known:
        name = name.replace("K", "J", 1)  # J entries were K until properties took that letter
    if name in known:
        return _told(known[name])
    variants = {variant: one for one in known.values() for variant in one.variants}
    if name in variants:
        return _told(variants[name], (name,))
    if "+" in name:
        return _variant(name)
    close = difflib.get_close_matches(name, list(known), 1)
    hint = f"did you mean {close[0]}?" if close else "fencepost museum lists them"
    raise Refusal(f"{name}: the museum has no such defect; {hint}")


def _listed() -> Outcome:
    from fencepost.checkers.catalogue import catalogue, entry_of
    from fencepost.model.museum import MUSEUM

    found = catalogue()
    held = [one for one in found if one.variants]
    shown = {(entry_of(variant).base, entry_of(variant).name) for one in held for variant in one.variants}
    others: dict[str, list[str]] = {}
    for entry in MUSEUM:
        if (entry.base, entry.name) not in shown:
            others.setdefault(entry.base, []).append(entry.name)
    page = [f"{len(held)} of {len(found)} known defects are variants of the tables: fencepost museum ID prints one", ""]
    for one in found:
        if one.variants:
            page.append(f"{one.id:<4} {one.known_as}: {entry_of(one.variants[0]).why}")
            page += [f"       {variant}{_breaks(entry_of(variant))}" for variant in one.variants]
        else:
            page.append(f"{one.id:<4} {one.known_as}: {one.about}")
            page.append(f"       no variant; missing: {one.missing}")
    page += ["", "further variants, which no defect is known by:"]
    page += [f"  {base}+: {', '.join(names)}" for base, names in others.items()]
    document = {
        "defects": [
            {
                "id": one.id,
                "known_as": one.known_as,
                "variants": list(one.variants),
                "about": entry_of(one.variants[0]).why if one.variants else one.about,
                "missing": one.missing or None,
            }
            for one in found
        ],
        "further_variants": [f"{base}+{name}" for base, names in others.items() for name in names],
    }
    return Outcome("museum", "listed", ExitCode.AS_DECLARED, document, page)


def _breaks(entry: Entry) -> str:
    """Return what an entry breaks, and after how many rows, empty where nothing is expected to fall."""
    fallen = [f"{one.property} after {counted(one.length, 'row')}" for one in entry.expected]
    return f" breaks {' and '.join(fallen)}{', which the edit repairs' if entry.repairs else ''}" if fallen else ""


def _variant(name: str) -> Outcome:
    from fencepost.checkers.catalogue import Defect, entry_of

    try:
        entry = entry_of(name)
    except KeyError:
        raise Refusal(f"{name}: the museum has no such variant; fencepost museum lists them") from None
    return _told(Defect(name, entry.known_as or "no defect of Kafka", (name,)))


def _told(defect: Defect, variants: tuple[str, ...] = ()) -> Outcome:
    from fencepost.checkers.museum import tell

    if not defect.variants:
        page = [f"{defect.id}, {defect.known_as}: {defect.about}", f"no variant; missing: {defect.missing}"]
        document: dict[str, Any] = {**_named(defect), "missing": defect.missing, "told": []}
        return Outcome("museum", "no variant", ExitCode.AS_DECLARED, document, page)
    page, told = [f"{defect.id}, {defect.known_as}"], []
    good = True
    for variant in variants or defect.variants:
        with watching(f"searching the run of {variant}"):
            one = tell(variant)
        good = good and one.found
        page += ["", *_lines(variant, one)]
        told.append(_json(variant, one))
    verdict, code = ("told", ExitCode.AS_DECLARED) if good else ("differs", ExitCode.DIFFERS_FROM_BASELINE)
    document = {**_named(defect), "missing": None, "told": told}
    return Outcome("museum", verdict, code, document, page)


def _named(defect: Defect) -> dict[str, Any]:
    return {"id": defect.id, "known_as": defect.known_as}


def _lines(variant: str, told: Told) -> Iterator[str]:
    entry = told.entry
    yield f"{variant}{' takes it away' if entry.repairs else ''}: {entry.why}"
    if told.expected is None:
        yield "  nothing is claimed to fall: the variant is what a text leaves open, and is explored as it is"
        return
    claim: Any = told.tables.property(told.expected.property)
    yield f"  It breaks {claim.id}: {claim.about}"
    if told.trace is None:
        yield f"  no run of {counted(told.expected.length, 'row')} was found, as it should have been"
        return
    more = "" if told.found else f", and not {told.expected.length}, as it should be"
    yield f"  The shortest run has {counted(len(told.trace.steps), 'row')}{more}, each replayed by the interpreter:"
    yield from (f"  {line}" for line in told.sentences)
    if told.ever_after:
        yield f"  {told.ever_after}"
    if told.trace.failure is not None:
        yield from (f"  {line}" for line in told.trace.failure.lines())
    edit = [*differing(told.edit)][:EDIT]
    if edit:
        yield "  The edit of the tables:" if not entry.repairs else "  What the tables have, against the variant:"
        yield from (f"    {line}" for line in edit)
    whose = entry.base if entry.repairs else variant
    yield f"  every cell of it: fencepost explore {whose} --bound {told.expected.bound} --details"


def _json(variant: str, told: Told) -> dict[str, Any]:
    return {
        "variant": variant,
        "why": told.entry.why,
        "property": told.expected.property if told.expected is not None else None,
        "length": told.expected.length if told.expected is not None else None,
        "sentences": [*told.sentences],
        "trace": told.trace.as_json() if told.trace is not None else None,
        "edit": told.edit.as_json(),
    }
