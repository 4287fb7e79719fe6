"""A second formulation of the invariants, in SQL, as an oracle for `conform`.

It imports nothing of `model` or `checkers`, and of `traces` only what decodes records. `columns` decodes a log into
one table, a row a record; `state.sql` makes intervals of state of it by windows; `invariants.sql` says when invariants
are false, each by the id of the property that it states again; `judge` runs them in DuckDB.

Scopes: *record* is after every record; *result* is at the end of a unit, the batches that hold whole results; *log* is
over neighbouring batches.

The oracle does not say:

- **properties of rows** (K2, K4, K11, P10p, P14, P16, P21, P25, P26, P28, P31, P35, P36, P38, P39, P40 to P43, B1, B2,
  B4, B6, B8 to B10, B12, B13, B15 to B17, C*, L11, L17, L18, L24 to L26, L29, G4 to G7, G10 to G14, G16 to G29, D*):
  they are claimed of results that one row alone explains, and which row that is, is what the tables tell. K1, K3, K5
  and L10 are of that kind too, but can be said of records alone: here they are claimed of every record, and where one
  is broken `conform` must not take the record for explained;
- **what a log does not hold** (K12, P29, B3, B11, B14, L22): heartbeats, offsets that brokers reported, requests in
  flight, and the registration's offset that the controller remembers are in no record;
- **indexes of the controller** (P18, P18d): what is in an index depends on faults of its own that are made again step
  by step, from entry to entry: a recursion, not a window;
- **what depends on configurations and on features together** (P6, P32, P34, P37, K7, K7c, C10, C19, L19 to L21): they
  can be said with the same means, and are not said yet;
- **access control, credentials, tokens and quotas** (G1 to G3, G8, G9, G15): the same.
"""
