"""Card readers, one package a model, and the serial transport under them."""
