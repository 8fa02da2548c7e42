"""One rule per module; a file here is a rule."""
