"""A policy rendered for a harness, written into a file's text and proven."""
