"""A simulated reader that types."""
