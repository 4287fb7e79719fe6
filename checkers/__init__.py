"""The engines that judge the tables and the recorded logs: one package an engine, and the command line over them."""
