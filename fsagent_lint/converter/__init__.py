"""Whole files for another harness: convert, sync, export."""
