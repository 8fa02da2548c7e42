"""The tables: what each harness calls its tools, and what it does with their names."""
