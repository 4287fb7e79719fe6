"""`fencepost show lease`: what a session, heartbeats and clocks that drift give, with the proof and the worst run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid

from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict

from .outcome import Outcome
from .reports import write_file
from .terminal import Unfolded

if TYPE_CHECKING:
    from fencepost.checkers.leases import Answer, Region, Settings, Start, Theorem

WORD = "lease"
"""The name after `show` that asks this; its tables are shown with one of the options for tables."""

SESSION_HELP = "With lease: the controller's timer, Kafka's broker.session.timeout.ms (9s if left out)."
HEARTBEAT_HELP = "With lease: the period of heartbeats, Kafka's broker.heartbeat.interval.ms (2s if left out)."
BROKER_HELP = "With lease: the broker's own timer (as long as the session if left out)."
DRIFT_HELP = (
    "With lease: how far a clock's rate may be off real time, as in 1% or 200ppm; of both clocks (0 if left out)."
)
CONTROLLER_DRIFT_HELP = "With lease: the drift of the controller's clock, if it is another one."
DELAY_HELP = "With lease: the longest that a message is under way; if left out, nothing is known of it."
TICK_HELP = (
    "With lease: how late either side may notice that its timer is over; if left out the broker notices at once, "
    "the controller within an eighth of the session, as Kafka's does."
)
FROM_HELP = (
    "With lease: where the broker's timer starts in the run that is drawn, at the send of a heartbeat or the answer."
)


@dataclass(frozen=True, slots=True)
class LeaseQuestion:
    """The options of `show` that are an operator's settings, as they were typed; None where left out."""

    session: str | None
    heartbeat: str | None
    broker_timeout: str | None
    drift: str | None
    controller_drift: str | None
    delay: str | None
    tick: str | None
    start: str | None

    @property
    def given(self) -> list[str]:
        """The options that were given, by their names."""
        options = {
            "--session": self.session,
            "--heartbeat": self.heartbeat,
            "--broker-timeout": self.broker_timeout,
            "--drift": self.drift,
            "--controller-drift": self.controller_drift,
            "--delay": self.delay,
            "--tick": self.tick,
            "--from": self.start,
        }
        return [name for name, value in options.items() if value is not None]

    def refuse_for(self, what: str) -> None:
        """Raise `Refusal` where a setting was given, and something else is to be shown."""
        if self.given:
            raise Refusal(
                f"{what}: {self.given[0]} is a setting of leases; use fencepost show {WORD} {self.given[0]} ..."
            )

    def settings(self) -> Settings:
        """Return the settings; raises `Refusal` for one that makes no sense."""
        from fencepost.checkers.leases import Settings, duration, share
        from fencepost.checkers.leases.settings import HEARTBEAT, SESSION

        def time(text: str | None, option: str) -> Fraction | None:
            return None if text is None else duration(text, option)

        session, heartbeat = time(self.session, "--session"), time(self.heartbeat, "--heartbeat")
        return Settings(
            SESSION if session is None else session,
            HEARTBEAT if heartbeat is None else heartbeat,
            time(self.broker_timeout, "--broker-timeout"),
            Fraction(0) if self.drift is None else share(self.drift, "--drift"),
            None if self.controller_drift is None else share(self.controller_drift, "--controller-drift"),
            time(self.delay, "--delay"),
            time(self.tick, "--tick"),
        )

    def started(self) -> Start:
        """Return where the broker's timer starts in the run that is drawn; raises `Refusal` for another word."""
        from fencepost.checkers.leases import Start

        known = {one.value: one for one in Start}
        if self.start is not None and self.start not in known:
            raise Refusal(f"--from {self.start}: a broker's timer starts at one of {', '.join(known)}")
        return Start.SEND if self.start is None else known[self.start]

    def answer(self, svg: Path | None) -> Outcome:
        """Return what is to be said of the settings, with the worst run drawn into `svg` if that is given."""
        from fencepost.checkers.leases import answer, as_svg, theorems, worst_run

        settings, start = self.settings(), self.started()
        found, proofs = answer(settings), theorems()
        if svg is not None:
            title = f"The worst run with the broker's timer from the {start.value}: {_in_short(settings)}"
            write_file("--svg", svg, as_svg(worst_run(settings, start), title))
        unproved = [one for one in proofs if not one.proof.holds]
        verdict, code = "shown", ExitCode.AS_DECLARED
        if unproved:
            verdict, code = Verdict.INCONCLUSIVE.value, ExitCode.INCONCLUSIVE
        return Outcome("show", verdict, code, _document(found, start, proofs), _page(found, start, proofs))


def _in_short(settings: Settings) -> str:
    from fencepost.checkers.leases import written

    return (
        f"session {written(settings.session)}, broker's timer {written(settings.lease)}, "
        f"heartbeat every {written(settings.heartbeat)}"
    )


def _page(found: Answer, start: Start, proofs: Sequence[Theorem]) -> list[RenderableType]:
    from fencepost.checkers.leases import as_text, worst_run

    settings = found.settings
    return [
        f"LEASES IN REAL TIME: {_in_short(settings)}",
        *_known(settings),
        "",
        "NEVER TWO BELIEVERS: the broker stops before the controller may make another one leader",
        _forms(found),
        *_about_forms(found),
        "",
        "WHY",
        *_why(found.forms[start].region),
        "",
        "WHAT ELSE IT MEANS",
        *_meaning(found),
        "",
        f"THE WORST RUN, the broker's timer from the {start.value}",
        Unfolded("\n".join(as_text(worst_run(settings, start)))),
        "",
        *_proved(proofs),
    ]


def _known(settings: Settings) -> list[str]:
    from fencepost.checkers.leases import written

    own, late = settings.ticks
    other = settings.drift if settings.controller_drift is None else settings.controller_drift
    delay = "any time" if settings.delay is None else f"at most {written(settings.delay)} (D)"
    return [
        f"  Tc = {written(settings.session)}, Tb = {written(settings.lease)}, each by its owner's clock",
        f"  in a real second a broker's clock goes on by 1 ± {_share(settings.drift)} (ρb), the controller's by "
        f"1 ± {_share(other)} (ρc)",
        f"  a message takes {delay}; the broker notices {_within(own)} (gb) that its timer is over, "
        f"the controller {_within(late)} (gc)",
    ]


_BEYOND = {
    "moved": "a leader that lives is moved",
    "late_record": "an old record is read late",
    "late_answer": "a late answer revives a lapsed lease",
    "shorter_promise": "a shorter lease is chosen, and a longer one forgotten",
    "no_broker_timer": "the broker has no timer of its own, as in Kafka",
    "one_heartbeat": "one heartbeat makes active again who has not learnt of it",
}
"""Variants of the lease tables in which two believe although both timers are what they should be."""


def _within(value: Fraction) -> str:
    from fencepost.checkers.leases import written

    return f"within {written(value)}" if value else "at once"


def _share(value: Fraction) -> str:
    return f"{float(value * 100):g} %"


def _forms(found: Answer) -> Grid:
    from fencepost.checkers.leases import written

    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), expand=False, pad_edge=False)
    for title in ("timer from the", "safe", "two believe for up to", "longest safe Tb", "margin"):
        grid.add_column(title)
    for start, one in found.forms.items():
        overlap = "any time" if one.overlap is None else written(one.overlap) if one.overlap else "never"
        longest = "none" if one.longest_lease is None else written(one.longest_lease)
        margin = "–" if one.margin is None else written(one.margin)
        grid.add_row(start.value, "yes" if one.safe else "no", overlap, longest, margin)
    return grid


def _about_forms(found: Answer) -> list[str]:
    from fencepost.checkers.leases import written

    lines = []
    for start, one in found.forms.items():
        if one.overlap is None:
            lines.append(
                f"  {start.value}: an answer that comes late revives a lapsed lease, whenever it comes, for up to "
                f"{written(one.belief)}; --delay says how late it may come"
            )
        elif one.longest_lease is None:
            lines.append(f"  {start.value}: no broker's timer is short enough; make the session longer")
    return lines


def _why(region: Region) -> list[str]:
    begin = region.derivation.begin
    lines = [
        f"  {region.says}",
        "  a run in which it fails (seconds of real time; what the clocks show is eliminated already):",
        f"    {'; '.join(str(one) for one in begin)}",
        "  eliminated one after the other, what is new each time:",
    ]
    for before, step in zip(
        (begin, *(one.left for one in region.derivation.steps)), region.derivation.steps, strict=False
    ):
        new = [str(one) for one in step.left if one not in before]
        lines += [f"    without {step.unknown}: {'; '.join(new)}"] if new else []
    if region.holds is None:
        lines.append("  so there are no settings under which it never happens")
    else:
        lines.append(f"  so it never happens exactly if  {region.holds}")
    return [*lines, *(f"  {one.claim}: {one.verdict.value}" for one in region.proofs)]


def _meaning(found: Answer) -> list[str]:
    from fencepost.checkers.leases import region, written

    settings, kept = found.settings, region("kip343")
    early = (
        "kept: no broker stops that is still counted as active; instead two believe, and only epochs keep them apart"
        if found.kip343_kept
        else f"not kept: a broker may give itself up {written(found.kip343_early)} before it is declared inactive"
    )
    outage = (
        "nothing bounds it, since nothing bounds how long its last heartbeat is under way; without that "
        + written(_instant_outage(settings))
        if found.outage is None
        else written(found.outage)
    )
    return [
        f"  KIP-343's demand ({kept.holds}, the opposite): {early}",
        f"  after a broker's death its partitions wait for up to: {outage}",
        f"  a broker that is cut off serves for up to: {written(found.served)}, if it has a timer; Kafka's have none",
        f"  heartbeats lost in a row that the controller forgives: {_losses(found.lost_at_controller)}",
        f"  heartbeats lost in a row that the broker's own timer forgives: {_losses(found.lost_at_broker)}",
        *(["    (as if messages took no time; --delay says how long)"] if settings.delay is None else []),
        "  what no time lease gives, by its shortest trace:",
        *(f"    {said}: fencepost explore {WORD}+{name} --bound tiny" for name, said in _BEYOND.items()),
    ]


def _losses(lost: int) -> str:
    return "not even a delay, without any loss it may give up" if lost < 0 else str(lost)


def _instant_outage(settings: Settings) -> Fraction:
    from dataclasses import replace

    from fencepost.checkers.leases import answer

    found = answer(replace(settings, delay=Fraction(0))).outage
    assert found is not None
    return found


def _proved(proofs: Sequence[Theorem]) -> list[str]:
    between = [one for one in proofs if one.id.startswith("between")]
    unproved = [one for one in proofs if not one.proof.holds]
    seconds = sum(one.proof.seconds for one in proofs)
    return [
        f"{len(proofs) - len(unproved)} of {len(proofs)} claims proved with Z3, for all settings, in {seconds:.1f} s; "
        "among them",
        *(f"  {one.proof.claim}: {one.proof.verdict.value}" for one in between),
        *(f"  not proved: {one.id}: {one.proof.claim}" for one in unproved),
    ]


def _document(found: Answer, start: Start, proofs: Sequence[Theorem]) -> dict[str, Any]:
    from fencepost.checkers.leases import region, worst_run
    from fencepost.checkers.leases.settings import as_number

    settings = found.settings
    own, late = settings.ticks
    run = worst_run(settings, start)
    return {
        "unit": "ms",
        "settings": {
            "session": as_number(settings.session),
            "heartbeat": as_number(settings.heartbeat),
            "broker_timeout": as_number(settings.lease),
            "drift": float(settings.drift),
            "controller_drift": float(
                settings.drift if settings.controller_drift is None else settings.controller_drift
            ),
            "delay": as_number(settings.delay),
            "tick": as_number(own),
            "controller_tick": as_number(late),
        },
        "forms": {
            one.value: {
                "safe": form.safe,
                "condition": None if form.region.holds is None else str(form.region.holds),
                "overlap": as_number(form.overlap),
                "longest_lease": as_number(form.longest_lease),
                "margin": as_number(form.margin),
                "proofs": {proof.claim: proof.verdict.value for proof in form.region.proofs},
                "derivation": [
                    {"without": step.unknown, "left": [str(each) for each in step.left]}
                    for step in form.region.derivation.steps
                ],
            }
            for one, form in found.forms.items()
        },
        "kip343": {
            "kept": found.kip343_kept,
            "condition": str(region("kip343").holds),
            "early": as_number(found.kip343_early),
        },
        "outage": as_number(found.outage),
        "served": as_number(found.served),
        "lost_at_controller": found.lost_at_controller,
        "lost_at_broker": found.lost_at_broker,
        "run": {
            "from": start.value,
            "received": as_number(run.received),
            "answered": as_number(run.answered),
            "acts": as_number(run.acts),
            "stops": as_number(run.stops),
        },
        "theorems": [{"id": one.id, "claim": one.proof.claim, "verdict": one.proof.verdict.value} for one in proofs],
    }
