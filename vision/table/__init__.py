"""A calibrated table: which frames can be used, where its slots are, what lies in them. Arrays in, claims out."""
