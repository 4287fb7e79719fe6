SLICES = ()
