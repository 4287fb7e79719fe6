"""The options of `fencepost conform` that are about Spark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.verdicts import Refusal

if TYPE_CHECKING:
    from fencepost.checkers.conformance.spark.cluster import Cluster

Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="With --spark: the master, as spark://HOST:7077. Left out, that of spark-submit, spark-defaults.conf or "
        "SPARK_MASTER, or else this machine.",
    ),
]
Conf = Annotated[list[str] | None, typer.Option(metavar="K=V", help="With --spark: a setting of Spark's; repeatable.")]
To = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="With --spark: also write the tables as Parquet there; a URI that Spark knows."),
]
Split = Annotated[
    int | None,
    typer.Option(
        "--split-bytes",
        metavar="BYTES",
        min=0,
        help="With --spark: a log of more bytes is checked by several tasks, some so many bytes each; 0 for none. "
        "Left out: 32 MiB where four tasks or more run at the same time.",
    ),
]
Run = Annotated[
    str | None, typer.Option(metavar="NAME", help="With --to: the name of the run, which must be new; made up without.")
]
Resume = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="With --to: go on with a run that was stopped; what it checked is not checked again, unless it changed.",
    ),
]


def cluster_of(
    spark: bool,
    master: str | None,
    conf: Sequence[str] | None,
    to: str | None,
    run: str | None,
    split: int | None = None,
    resume: str | None = None,
) -> Cluster | bool:
    """Return which Spark to use, False for none; raises `Refusal` for options that do not fit together."""
    given = {"--master": master, "--conf": conf, "--to": to, "--run": run, "--resume": resume}
    if not spark:
        for option, value in {**given, "--split-bytes": split is not None}.items():
            if value:
                raise Refusal(f"{option} is of Spark; add --spark, or leave it out")
        return False
    if run is not None and to is None:
        raise Refusal("--run names what --to writes; add --to DIR, or leave it out")
    if resume is not None and to is None:
        raise Refusal("--resume names a run that --to has; add --to DIR, or leave it out")
    if resume is not None and run is not None:
        raise Refusal("--resume and --run both name the run; leave out one of them")
    from fencepost.checkers.conformance.spark.cluster import Cluster, settings

    return Cluster(
        master=master, conf=settings(conf or ()), to=to, run=resume or run, split_bytes=split, resume=resume is not None
    )


@contextmanager
def reading(cluster: Cluster | bool, paths: Sequence[str]) -> Iterator[Cluster | bool]:
    """Read what lies behind URIs through Spark's filesystems until the end of the block, where Spark is to be used.

    Yields the cluster, with the session that is needed for it, and a name for the run.
    """
    if isinstance(cluster, bool):
        yield cluster
        return
    from fencepost.checkers.conformance.spark.cluster import opened
    from fencepost.checkers.conformance.spark.hadoop import is_elsewhere, through_spark
    from fencepost.checkers.conformance.spark.written import new_run

    if cluster.to is not None and cluster.run is None:
        cluster = replace(cluster, run=new_run())
    if not any(map(is_elsewhere, paths)):
        yield cluster
        return
    with opened(cluster) as session, through_spark(session):
        yield replace(cluster, session=session, master=None, conf={})


def tables_among(paths: Sequence[str]) -> list[str]:
    """Return the paths if they are tables of records; raises `Refusal` where some are and some are not."""
    from fencepost.checkers.conformance.spark.records import tables_among as among

    return among(paths)


def refuse_beside(table: str, given: Mapping[str, object]) -> None:
    """Raise `Refusal` for options that ask for a log's files, where a table of records is checked."""
    for option, value in given.items():
        if value:
            raise Refusal(f"{option} reads the files of a log, and {table} is a table of records; leave it out")
