"""Requirements: the normative sentences of a source, each with the rows, properties and tests that carry it."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import fencepost
from fencepost.checkers.toml_tables import TableReader
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol, Row
from fencepost.model.registry import FAMILIES

FOLDER = Path(fencepost.__file__).resolve().parent / "spec" / "requirements"
"""The folder with a TOML file for each source; an installation has it too."""

RECORDED = Path(fencepost.__file__).resolve().parent / "traces" / "recorded"
"""The folder with the recordings that come with fencepost, each with a `meta.json`."""

OTHERWISE = "Where real Kafka does otherwise"
"""The default heading of a source's contradictions: some are about what was never built."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the source under one heading: its title, and its first and last line."""

    title: str
    lines: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A place where real Kafka does otherwise than the source: its number among all sources', and what it is about.

    `variants` are the names of the protocols that differ from the base in just this, each with the properties that fall
    there; no variant means that no table can tell the two apart. Where a source has two protocols, a variant's name is
    whole: `kip631-v1+one_heartbeat`.
    """

    number: int
    title: str
    variants: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """An edit of a row that breaks a demand, and the property that falls then.

    `without` is a condition or an effect of the row that goes, as `show --row` prints it; `change` a term of the row,
    and `to` what it becomes: any term that the tables print somewhere. `dropped` is the whole row. `variant` names the
    variant that is edited, where the tables themselves do not have the row, or break the property; without any edit it
    is the mutant itself, as the museum has it. `bound` says where an exploration shows it, if no single row can.
    """

    row: str
    falls: str
    without: str = ""
    change: str = ""
    to: str = ""
    dropped: bool = False
    variant: str = ""
    bound: str = ""

    @property
    def of_museum(self) -> bool:
        """Whether the mutant is a variant as it is."""
        return bool(self.variant) and not (self.without or self.change or self.dropped)

    def __str__(self) -> str:
        if self.of_museum:
            return f"{self.row} as in {self.variant}"
        edit = f"without {self.without}" if self.without else f"{self.change} → {self.to}" if self.change else "dropped"
        return f"{self.variant + ': ' if self.variant else ''}{self.row} {edit}"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A normative sentence, or a clause of one: what it demands in our words, and what carries it.

    `lines` are its first and last line in the source, `rows` and `properties` ids of the source's protocol, `tests`
    names as pytest takes them, `contradictions` numbers. `mutants` are edits of the rows that break it, each with the
    property that falls. `recordings` are logs of real clusters in which a row that carries it applies. `unclaimed` is
    the reason why no property speaks of it, `untabled` why no row does, so that it holds by test only, `missing` what
    is there of it that nothing carries yet, and `out_of_scope` why nothing carries it; each is empty where something
    does. `versions` are those of the source's versions that demand it, and `version_from` how that is known; both are
    empty where a source has but one.
    """

    id: str
    lines: tuple[int, int]
    says: str
    rows: tuple[str, ...]
    properties: tuple[str, ...]
    tests: tuple[str, ...]
    contradictions: tuple[int, ...]
    note: str
    unclaimed: str
    out_of_scope: str
    versions: tuple[str, ...] = ()
    version_from: str = ""
    mutants: tuple[Mutant, ...] = ()
    recordings: tuple[str, ...] = ()
    untabled: str = ""
    missing: str = ""

    @property
    def place(self) -> str:
        """The lines as people write them: `21`, or `21-22`."""
        first, last = self.lines
        return str(first) if first == last else f"{first}-{last}"


@dataclass(frozen=True, slots=True)
class Source:
    """A source's requirements: `other_lines` are the lines that demand nothing, by what they are.

    `protocols` are the names of the tables that carry it, by the version of the source that they are of: one, under the
    empty name, where there is but one version. `beside` are further tables that carry it, those of its other subjects.
    `page` is the text for readers below `spec`, empty where there is none; `otherwise` is the heading of the
    contradictions.
    """

    name: str
    title: str
    protocols: Mapping[str, str]
    page: str
    last_line: int
    other_lines: Mapping[str, tuple[int, ...]]
    sections: tuple[Section, ...]
    contradictions: tuple[Contradiction, ...]
    requirements: tuple[Requirement, ...]
    otherwise: str = OTHERWISE
    beside: tuple[str, ...] = ()

    def tables_of(self, version: str) -> tuple[str, ...]:
        """Return the names of the tables that carry what a version demands."""
        return self.protocols[version], *self.beside

    def variant(self, name: str) -> str:
        """Return the whole name of a contradiction's variant: `zk+page_merge_order`."""
        return name if "+" in name else f"{next(iter(self.protocols.values()))}+{name}"

    def versions_of(self, one: Requirement) -> tuple[str, ...]:
        """Return the versions that demand something, as `protocols` names them."""
        return one.versions if set(self.protocols) != {""} else ("",)

    def of_section(self, section: Section) -> tuple[Requirement, ...]:
        """Return the requirements whose first line lies in a section, in order."""
        first, last = section.lines
        return tuple(one for one in self.requirements if first <= one.lines[0] <= last)

    def requirement(self, id: str) -> Requirement:
        """Return the requirement with an id; raises `KeyError` if there is none."""
        for one in self.requirements:
            if one.id == id:
                return one
        raise KeyError(id)

    def carried_by(self, row: str) -> tuple[Requirement, ...]:
        """Return the requirements that a row or a property carries."""
        return tuple(one for one in self.requirements if row in one.rows or row in one.properties)


@dataclass(frozen=True)
class Carriers:
    """Names that requirements may use: rows, ids of properties, and for each variant the properties that it breaks.

    `rows` are those of the protocols and of their variants, by id; a variant's own has the id to itself. Variants have
    their whole names: `zk+page_merge_order`.
    """

    rows: Mapping[str, Row]
    properties: frozenset[str]
    variants: Mapping[str, frozenset[str]]


def sources(folder: Path = FOLDER) -> dict[str, Path]:
    """Return the file of every source that has one, by the source's name in capitals."""
    return {path.stem.upper(): path for path in sorted(folder.glob("*.toml"))}


def read(path: Path) -> Source:
    """Read the requirements of one source; raises `Refusal` for a file that is missing, no TOML or misshapen."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Refusal(f"{path}: there is no such file; name one of a source's requirements") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path}: is no TOML ({error}); correct the file") from None
    top = TableReader(str(path), found)
    source = Source(
        name=top.text("source"),
        title=top.text("title"),
        protocols=_protocols(top),
        page=top.text("page", ""),
        otherwise=top.text("otherwise", OTHERWISE),
        beside=top.texts("beside", ()),
        last_line=top.number("last_line"),
        other_lines={kind: top.inside("other_lines").numbers(kind) for kind in top.inside("other_lines").values},
        sections=tuple(Section(one.text("title"), one.range("lines")) for one in top.each("section")),
        contradictions=tuple(
            Contradiction(
                one.number("number"),
                one.text("title"),
                {name: one.inside("variants").texts(name) for name in one.inside("variants").values},
            )
            for one in top.each("contradiction")
        ),
        requirements=tuple(
            Requirement(
                id=one.text("id"),
                lines=one.range("lines"),
                says=one.text("says"),
                rows=one.texts("rows", ()),
                properties=one.texts("properties", ()),
                tests=one.texts("tests", ()),
                contradictions=one.numbers("contradictions", ()),
                note=one.text("note", ""),
                unclaimed=one.text("unclaimed", ""),
                out_of_scope=one.text("out_of_scope", ""),
                versions=one.texts("versions", ()),
                version_from=one.text("version_from", ""),
                mutants=tuple(_mutant(each) for each in one.each("mutants")),
                recordings=one.texts("recordings", ()),
                untabled=one.text("untabled", ""),
                missing=one.text("missing", ""),
            )
            for one in top.each("requirement")
        ),
    )
    top.finish()
    return source


def _mutant(one: TableReader) -> Mutant:
    """Read a mutant; raises `Refusal` if it is not edited in exactly one way."""
    made = Mutant(
        row=one.text("row"),
        falls=one.text("falls"),
        without=one.text("without", ""),
        change=one.text("change", ""),
        to=one.text("to", ""),
        dropped=one.truth("dropped"),
        variant=one.text("variant", ""),
        bound=one.text("bound", ""),
    )
    edits = [bool(made.without), bool(made.change), made.dropped].count(True)
    if (edits != 1 and not made.of_museum) or bool(made.change) != bool(made.to):
        raise Refusal(f"{one.where}: an edit is `without`, or `change` and `to`, or `dropped = true`; give one of them")
    return made


def _protocols(top: TableReader) -> dict[str, str]:
    """A source's protocols by version: those of `[protocols]`, or the one that `protocol` names."""
    if "protocols" not in top.values:
        return {"": top.text("protocol")}
    inside = top.inside("protocols")
    return {version: inside.text(version) for version in inside.values}


def carriers_of(source: Source) -> dict[str, Carriers]:
    """Return what the requirements of a source may name, by version; raises `Refusal` for a protocol that is none."""
    return {version: carriers(*source.tables_of(version)) for version in source.protocols}


def carriers(*protocols: str) -> Carriers:
    """Return what the requirements of a source may name, the rows of the protocols' variants included.

    Raises `Refusal` if there is no protocol of such a name. Of two rows with one id the first protocol's counts.
    """
    from fencepost.model.matrix.families import FAILOVERS
    from fencepost.model.museum import MUSEUM

    rows: dict[str, Row] = {}
    properties: set[str] = set()
    variants: dict[str, frozenset[str]] = {}
    for protocol in reversed(protocols):
        if protocol not in FAMILIES:
            raise Refusal(f"{protocol}: no protocol has this name; use one of {', '.join(FAMILIES)}")
        entries = [entry for entry in MUSEUM if entry.base == protocol]
        whole = FAMILIES[protocol].whole
        every: list[Protocol] = [*(entry.edited(whole) for entry in entries), whole]
        if protocol in FAILOVERS:
            every.insert(0, FAILOVERS[protocol].whole)
        rows |= {row.id: row for one in every for row in one.rows}
        properties |= {each.id for one in every for each in one.properties}
        variants |= {
            f"{protocol}+{entry.name}": frozenset()
            if entry.repairs
            else frozenset(each.property for each in entry.expected)
            for entry in entries
        }
    return Carriers(rows, frozenset(properties), variants)


def recordings(folder: Path = RECORDED) -> frozenset[str]:
    """Return the names of the recordings that there are: `first-boot`, `zk/first-boot`."""
    return frozenset(path.parent.relative_to(folder).as_posix() for path in folder.rglob("meta.json"))


def faults(source: Source, known: Mapping[str, Carriers], tests: Collection[str]) -> list[str]:
    """Return what is wrong with a source's requirements, a sentence each: nothing, if they are complete and exact.

    `known` is what they may name, by version, as `carriers_of` has it; `tests` are the names of all tests, as pytest
    takes them.
    """
    if wrong := list(_unversioned(source)):
        return wrong
    return [
        *_misplaced(source),
        *_uncarried(source),
        *_half_carried(source, known),
        *_unknown(source, known, tests),
        *_unused(source, known),
    ]


def _unversioned(source: Source) -> Iterator[str]:
    """Where a source has versions every requirement says of which it is, and how that is known; nowhere else any."""
    several = set(source.protocols) != {""}
    for one in source.requirements:
        if not several and (one.versions or one.version_from):
            yield f"{one.id}: names a version, and {source.name} has but one"
        if several and not (one.versions and one.version_from):
            yield f"{one.id}: does not say of which version it is, or not how that is known"
        yield from (
            f"{one.id}: {source.name} has no version {version}"
            for version in one.versions
            if several and version not in source.protocols
        )


def _half_carried(source: Source, known: Mapping[str, Carriers]) -> Iterator[str]:
    """Yield demands of two versions that lack a row of each, or a property of each if they have any."""
    for one in source.requirements:
        for version in source.versions_of(one):
            rows = [row for row in one.rows if row in known[version].rows]
            ids = [id for id in one.properties if id in known[version].properties]
            missing = [
                what
                for what, all_, own in (("row", one.rows, rows), ("property", one.properties, ids))
                if all_ and not own
            ]
            if version and missing:
                yield f"{one.id}: names no {' and no '.join(missing)} of {version}"


def _misplaced(source: Source) -> Iterator[str]:
    """Ids and lines: each id once and of the source, in order, every line in a requirement or declared without one."""
    counted = Counter(one.id for one in source.requirements)
    yield from (f"{id}: {count} requirements have this id" for id, count in counted.items() if count > 1)
    form = re.compile(rf"{re.escape(source.name)}-(\d\d\d?)[a-z]?")
    for one in source.requirements:
        if not form.fullmatch(one.id):
            yield f"{one.id}: an id of {source.name} is {source.name}-NN, with a letter for a clause"
        if sum(one in source.of_section(section) for section in source.sections) != 1:
            yield f"{one.id}: its first line lies in no section, or in several"
    orders = [(one.lines[0], one.id) for one in source.requirements]
    yield from (f"{b[1]}: comes after {a[1]} and should not" for a, b in pairwise(orders) if b < a)
    told = Counter(line for lines in source.other_lines.values() for line in lines)
    demanded = {line for one in source.requirements for line in range(one.lines[0], one.lines[1] + 1)}
    yield from (f"line {line}: declared without demand more than once" for line, count in told.items() if count > 1)
    yield from (
        f"line {line}: has a requirement and is declared without demand" for line in sorted(demanded & set(told))
    )
    every = set(range(1, source.last_line + 1))
    yield from (f"line {line}: no requirement speaks of it" for line in sorted(every - demanded - set(told)))
    yield from (f"line {line}: the source has no such line" for line in sorted((demanded | set(told)) - every))


def _uncarried(source: Source) -> Iterator[str]:
    """Every requirement has a row, a test, and a property or a reason why not; or a reason for all, and not both."""
    for one in source.requirements:
        reasons = [reason for reason in (one.out_of_scope, one.missing) if reason]
        rows = one.rows or one.untabled
        named = {"row": rows, "property": one.properties or one.unclaimed or one.untabled, "test": one.tests}
        missing = [what for what, names in named.items() if not names]
        if not reasons and missing:
            yield f"{one.id}: names no {' and no '.join(missing)}, and no reason why"
        if one.properties and one.unclaimed:
            yield f"{one.id}: has properties, and a reason why no property speaks of it"
        if one.untabled and (one.rows or one.properties or one.unclaimed):
            yield f"{one.id}: has a reason why no row speaks of it, and something else beside its tests"
        if reasons and (len(missing) < len(named) or len(reasons) > 1):
            yield f"{one.id}: is carried by something, and has a reason why nothing carries it"


def _unknown(source: Source, known: Mapping[str, Carriers], tests: Collection[str]) -> Iterator[str]:
    """Every name is that of something."""
    numbers = {one.number for one in source.contradictions}
    for one in source.requirements:
        among = [known[version] for version in source.versions_of(one)]
        rows = {row for each in among for row in each.rows}
        ids = {id for each in among for id in each.properties}
        yield from (f"{one.id}: there is no row {row}" for row in one.rows if row not in rows)
        yield from (f"{one.id}: there is no property {id}" for id in one.properties if id not in ids)
        yield from (f"{one.id}: there is no test {test}" for test in one.tests if test not in tests)
        yield from (f"{one.id}: there is no contradiction {n}" for n in one.contradictions if n not in numbers)
        yield from (f"{one.id}: there is no recording {name}" for name in one.recordings if name not in recordings())


def _unused(source: Source, known: Mapping[str, Carriers]) -> Iterator[str]:
    """Every contradiction is one of some requirement, and its variants break exactly what they are said to break."""
    counted = Counter(one.number for one in source.contradictions)
    used = {number for one in source.requirements for number in one.contradictions}
    variants = {name: broken for one in known.values() for name, broken in one.variants.items()}
    for one in source.contradictions:
        if counted[one.number] > 1:
            yield f"contradiction {one.number}: is there {counted[one.number]} times"
        if one.number not in used:
            yield f"contradiction {one.number}: no requirement names it"
        for name, breaks in one.variants.items():
            broken = variants.get(source.variant(name))
            if broken is None:
                yield f"contradiction {one.number}: there is no variant {source.variant(name)}"
            elif broken != set(breaks):
                said, really = (", ".join(sorted(ids)) or "nothing" for ids in (breaks, broken))
                yield f"contradiction {one.number}: {name} breaks {really}, not {said}"
