"""The learnt map as TOML that stands in a settings file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

_HEADER: Final = "[tables.reader.settings.map]"


def map_text(entries: Mapping[str, str], reader: str) -> str:
    """Return the section with ``entries``; codes are printable ASCII, so that JSON's quotes are TOML's."""
    lines = [
        f"# {len(entries)} codes, learnt from {reader}.",
        "# Put this right behind [tables.reader.settings] of the table whose reader it is.",
        _HEADER,
        *(f"{json.dumps(code)} = {json.dumps(value)}" for code, value in entries.items()),
    ]
    return "\n".join(lines) + "\n"
