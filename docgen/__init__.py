"""Generates documentation from rules and tables: pages, tables of the README, and the hooks file.

For work on the project itself; it is not part of the wheel.
"""
