"""Compares the engines on the protocols of many seeds, makes each disagreement smaller, and prints it as a file.

`python -m tests.differential 1000:1200 --engines numpy,proof --to FOLDER` asks two hundred seeds.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .comparing import ENGINES, QUICK, Ask, Compared, Difference, compared
from .drawing import drawn
from .pieces import Text, made, shrunk


@dataclass(frozen=True)
class Disagreement:
    """A protocol of which engines differ: its seed, what differs, and the smallest file that shows it."""

    seed: int
    difference: Difference
    source: str

    def printed(self) -> str:
        """Return the file, headed by what differs."""
        says = str(self.difference).replace('"""', "'''").replace("\\", "/")
        return self.source.replace('"""A random protocol', f'"""{says}\n\nA random protocol', 1)

    def written(self, folder: Path) -> Path:
        """Write the file into a folder and return its path."""
        folder.mkdir(parents=True, exist_ok=True)
        words = "".join(c if c.isalnum() else " " for c in f"{self.difference.engine} {self.difference.kind}").split()
        file = folder / f"{'_'.join(words)}_{self.seed}.py"
        file.write_text(self.printed(), encoding="utf-8")
        return file


@dataclass
class Ran:
    """What a run over many seeds found."""

    protocols: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)


def once(text: Text, engines: dict[str, Ask]) -> Compared | None:
    """Compare the engines on a file that was made smaller; None for one that is no protocol, or has no meaning."""
    try:
        return compared(made(text).protocol, engines)
    except Exception:
        return None


def smallest(text: Text, difference: Difference, engines: dict[str, Ask], most: int = 600) -> tuple[Text, Difference]:
    """Return the smallest file that shows a difference of the same engine and kind."""
    mine = {
        name: ask for name, ask in engines.items() if difference.engine in (name, f"explore {name}", ALIASES.get(name))
    }
    last = [difference]

    def fails(less: Text) -> bool:
        found = once(less, mine)
        same = [
            one
            for one in (found.differences if found else ())
            if (one.engine, one.kind) == (difference.engine, difference.kind)
        ]
        last[:] = same[:1] or last
        return bool(same)

    return shrunk(text, fails, most), last[0]


ALIASES = {"proof": "prove", "symbolic": "explore --symbolic"}
"""How engines are called in differences."""


def ran(
    seeds: Iterable[int],
    engines: dict[str, Ask] | None = None,
    most: int = 600,
    found_one: Callable[[Disagreement], None] | None = None,
) -> Ran:
    """Compare the engines on the protocols of some seeds; each disagreement is made smaller in at most so many
    trials.
    """
    engines = engines or QUICK
    found = Ran()
    for seed in seeds:
        text = drawn(seed)
        one = compared(made(text).protocol, engines)
        found.protocols += 1
        counted(found.counts, one)
        for difference in {(d.engine, d.kind): d for d in one.differences}.values():
            less, last = smallest(text, difference, engines, most) if most else (text, difference)
            found.disagreements.append(Disagreement(seed, last, made(less).source))
            if found_one is not None:
                found_one(found.disagreements[-1])
    return found


def counted(counts: Counter[str], one: Compared) -> None:
    """Count what a protocol shows."""
    for refusal in one.refused:
        counts[f"refused by {refusal.split(':')[0]}"] += 1
    if one.seen is None:
        return
    seen = one.seen
    counts["more than one state"] += seen.states > 1
    counts["more than ten states"] += seen.states > 10
    counts["written twice"] += seen.twice is not None
    counts["deadlock"] += seen.deadlock is not None
    counts["out of range"] += any(seen.outside.values())
    counts["claims broken or witnessed"] += len(seen.first)
    for verdict in seen.lasting.values():
        counts[f"runs without end {verdict}"] += 1


def main() -> int:
    """Run from the command line; returns 5 where engines differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("seeds", help="one seed, or FIRST:LAST, the last left out")
    parser.add_argument("--engines", default=",".join(QUICK), help=f"of {', '.join(ENGINES)}")
    parser.add_argument("--to", type=Path, help="the folder for a file of each disagreement")
    parser.add_argument("--most", type=int, default=600, help="trials in which a disagreement is made smaller")
    given = parser.parse_args()
    first, _, last = given.seeds.partition(":")
    started = time.process_time()

    def report(one: Disagreement) -> None:
        print(f"seed {one.seed}: {one.difference}", flush=True)
        if given.to is None:
            print(one.printed(), flush=True)
        else:
            print(f"  fencepost explore {one.written(given.to)} --bound tiny", flush=True)

    engines = {name: ENGINES[name] for name in given.engines.split(",")}
    found = ran(range(int(first), int(last or int(first) + 1)), engines, given.most, report)
    took = time.process_time() - started
    print(f"{found.protocols} protocols, {len(found.disagreements)} disagreements, {took:.1f} CPU s")
    for what, count in sorted(found.counts.items()):
        print(f"  {count:6} {what}")
    return 5 if found.disagreements else 0
