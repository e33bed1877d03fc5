"""Angel Eye II-EX compatible shoes (see ``spec.md``)."""
