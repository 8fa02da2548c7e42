"""JSON Schemas of the config and of frontmatter, from the records and the tables, for editors without our server."""
