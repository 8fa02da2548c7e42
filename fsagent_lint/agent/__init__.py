"""intent(document), and one file as the rules see it."""
