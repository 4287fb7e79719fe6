"""A Spark session for the tests of a module that make none of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """A session of two cores."""
    from pyspark.sql import SparkSession

    found = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    found.sparkContext.setLogLevel("OFF")
    yield found
    found.stop()
