"""Episodes of the reference controller: recorded once, with what differs when the same happens again named.

`recorder` is a controller without a clock and a network of its own, whose results are kept as batches; `happenings` are
the requests of each.
"""
