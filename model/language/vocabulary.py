"""The words that tables are written in, for `from fencepost.model.language.vocabulary import *` in the files of tables alone."""

from __future__ import annotations

from .answering import answering
from .bounds import Bound, NotFor, declaring, not_for
from .build import (
    absent,
    all_of,
    any_of,
    ascending,
    at_least,
    definition,
    drop,
    each,
    else_,
    empty,
    exists,
    first,
    forall,
    head,
    individual,
    just,
    keep,
    lesser,
    let,
    literal,
    max_of,
    members,
    min_of,
    next_,
    nobody,
    none_of,
    nothing,
    only,
    present,
    repeats,
    size_of,
    some,
    then,
    those,
    when,
)
from .effects import (
    Applied,
    Assign,
    Effect,
    Effects,
    Every,
    Only,
    Procedure,
    Together,
    Update,
    Write,
    every,
    only_if,
    procedure,
    together,
)
from .kinds import BOOL, Entity, Kind, Threshold, beside, counter, list_of, maybe, one_of, set_of, sort, threshold
from .properties import (
    AFTER_EVERY_RECORD,
    AT_RESULT_BOUNDARIES,
    COMMITTED,
    Always,
    Assumption,
    LeadsTo,
    Property,
    Sometimes,
    Step,
    always,
    assume,
    leads_to,
    lemma,
    result_step,
    sometimes,
    step,
)
from .protocol import Protocol, protocol
from .rankings import distance, helps, number_of, phases, ranking
from .records import Record, optional, parallel, record, required, said
from .state import ANY, NONE, cell, constant, part_of, per, per2, per3, per_all, records_of
from .tables import Row, Table, event, table
from .terms import FALSE, TRUE, Lit, Term, Var

__all__ = [
    "AFTER_EVERY_RECORD", "ANY", "AT_RESULT_BOUNDARIES", "BOOL", "COMMITTED", "FALSE", "NONE", "TRUE", "Always",
    "Applied", "Assign", "Assumption", "Bound", "Effect", "Effects", "Entity", "Every", "Kind", "LeadsTo", "Lit",
    "NotFor", "Only", "Procedure", "Property", "Protocol", "Record", "Row", "Sometimes", "Step", "Table", "Term",
    "Threshold", "Together", "Update", "Var", "Write", "absent", "all_of", "always", "answering", "any_of", "ascending", "assume",
    "at_least", "beside", "cell", "constant", "counter", "declaring", "definition", "distance", "drop", "each",
    "else_", "empty", "event", "every", "exists", "first", "forall", "head", "helps", "individual", "just", "keep",
    "leads_to", "lemma", "lesser", "let", "list_of", "literal", "max_of", "maybe", "members", "min_of", "next_",
    "nobody", "none_of", "not_for", "nothing", "number_of", "one_of", "only", "only_if", "optional", "parallel",
    "part_of", "per", "per2", "per3", "per_all", "phases", "present", "procedure", "protocol", "ranking", "record",
    "records_of", "repeats", "required", "result_step", "said", "set_of", "size_of", "some", "sometimes", "sort",
    "step", "table", "then", "those", "threshold", "together", "when",
]  # fmt: skip
