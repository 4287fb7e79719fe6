"""Strategies for the data of any record: every type and version of the schema, every value of each field."""

from typing import Any

from hypothesis import strategies as st

from fencepost.traces.primitives import uuid_text
from fencepost.traces.schema import Array, Field, Primitive, Shape, Structure, record_schemas

METADATA = sorted(
    (schema.type, version)
    for schema in record_schemas().values()
    if not schema.is_control
    for version in schema.versions
)
CONTROL = sorted(
    (schema.type, version) for schema in record_schemas().values() if schema.is_control for version in schema.versions
)

PRIMITIVES: dict[str, st.SearchStrategy[Any]] = {
    "INT8": st.integers(-(2**7), 2**7 - 1),
    "INT16": st.integers(-(2**15), 2**15 - 1),
    "UINT16": st.integers(0, 2**16 - 1),
    "INT32": st.integers(-(2**31), 2**31 - 1),
    "INT64": st.integers(-(2**63), 2**63 - 1),
    "FLOAT64": st.floats(allow_nan=False),
    "BOOLEAN": st.booleans(),
    "UUID": st.binary(min_size=16, max_size=16).map(uuid_text),
    "COMPACT_STRING": st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
    "COMPACT_NULLABLE_STRING": st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    "COMPACT_BYTES": st.sampled_from(["", "AA==", "FvWro2MJQxI2NtsGAQ4s1Sf80/UpU8p54xYHSNKfkUw="]),
}


def values(shape: Shape) -> st.SearchStrategy[Any]:
    """Any value of a shape."""
    if isinstance(shape, Primitive):
        return PRIMITIVES[shape.name]
    if isinstance(shape, Array):
        lists = st.lists(values(shape.element), max_size=4)
        return st.none() | lists if shape.nullable else lists
    return structures(shape)


def structures(structure: Structure) -> st.SearchStrategy[dict[str, Any]]:
    """Any data of a structure in printed order, a tagged field only where it holds no default, as Kafka has it."""
    required = {field.name: values(field.shape) for field in structure.fields}
    optional = {field.name: _not_default(field) for _, field in structure.tagged}
    return st.fixed_dictionaries(required, optional=optional).map(
        lambda data: {name: data[name] for name in structure.printed if name in data}
    )


def _not_default(field: Field) -> st.SearchStrategy[Any]:
    # Where many fields filter, hypothesis draws too few examples: only what is hardly ever the default is filtered.
    default, shape = field.default, field.shape
    if isinstance(default, bool):
        return st.just(not default)
    if isinstance(default, int):
        return values(shape).map(lambda value: default + 1 if value == default else value)
    if isinstance(shape, Array):
        lists = st.lists(values(shape.element), min_size=int(default == []), max_size=4)
        return st.none() | lists if shape.nullable and default is not None else lists
    return values(shape).filter(lambda value: value != default)
