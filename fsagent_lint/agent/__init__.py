"""The intent of a file, and the file as the rules see it."""
