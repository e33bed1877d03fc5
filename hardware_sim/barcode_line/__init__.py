"""A simulated barcode reader that sends lines."""
