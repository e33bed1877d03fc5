"""The server's virtual shoe: no reader, but a shuffle fixed by a published commitment (see ``spec.md``)."""
