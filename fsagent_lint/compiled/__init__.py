"""The tables of `harnesses`, compiled; see `compile_tables`."""
