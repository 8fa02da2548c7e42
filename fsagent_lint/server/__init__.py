"""The language server: what editors ask about agent files, answered by the functions that the command line calls."""
