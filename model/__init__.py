"""The tables: one package a protocol, written in the language of `fencepost.model.language` and in nothing else."""

if __name__ != "fencepost.model":
    raise ImportError("this package is fencepost.model: write `import fencepost.model`, not `import model`")
