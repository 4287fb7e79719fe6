"""Fixtures of modules: a Spark session where they make none of their own, and evaluation by class."""

from collections.abc import Iterator
from typing import Any

import pytest

from fencepost.checkers.conformance.reading import units


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """A session of two cores."""
    from pyspark.sql import SparkSession

    found = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def by_class() -> Iterator[None]:
    """Everything is asked by class from the first record on, in short logs of few partitions too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(units, "FEW", 0)
        patch.setattr(units, "SEVERAL", 0)
        yield
