BUGS: dict = {}
