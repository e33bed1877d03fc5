"""A simulated reader that speaks SSI."""
