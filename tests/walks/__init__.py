"""Random walks of the interpreter over every protocol."""
