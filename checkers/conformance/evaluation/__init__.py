"""Terms evaluated where some cells are hidden: by an interpreter, as closures, and as Python source."""
