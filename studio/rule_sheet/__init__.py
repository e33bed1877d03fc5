"""Rule sheets: what players read of a variant, in English and French, made from its data (rules.md E2)."""
