"""The generated documentation: pages, tables of the README, and the hooks file, all from rules and tables.

For work on the project itself; it is no part of the wheel.
"""
