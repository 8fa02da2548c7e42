"""Write whole files for another harness: convert, sync and export."""
