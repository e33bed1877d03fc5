"""The API: commands, feeds, views, sign-in; serves the consoles."""
