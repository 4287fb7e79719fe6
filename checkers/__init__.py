"""The engines that check the tables and the recorded logs: one package an engine, and the command line over them."""

if __name__ != "fencepost.checkers":
    raise ImportError("this package is fencepost.checkers: write `import fencepost.checkers`, not `import checkers`")
