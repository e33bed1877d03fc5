"""Stored fields as people may see them: what is sealed stays so until it is no secret, long columns are cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from studio.ports.evidence import SEALED, Fact

_LONGEST: Final = 20
"""Rows of a column that are shown; an event of a shared hand may have a hundred thousand."""


def is_sealed(value: object) -> bool:
    """Tell whether a stored field is sealed."""
    return isinstance(value, dict) and value.keys() == {SEALED}


def shown_fields(fact: Fact, *, opened: bool = False) -> dict[str, Any]:
    """Return an event's fields for the eyes; with ``opened`` its secret too."""
    return {
        name: _shown(fact.clear[name]) if opened and is_sealed(value) else _shown(value)
        for name, value in fact.fields.items()
    }


def said(fields: Mapping[str, Any]) -> str:
    """Return fields in one line, without monotonic times: they mean nothing outside of their run."""
    parts = [
        f"{name.replace('_', ' ')}: {_words(value)}" for name, value in fields.items() if _is_told(name, value)
    ]
    return ", ".join(parts)


def _shown(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if is_sealed(value):
        return SEALED
    if isinstance(value, dict):
        return {name: _shown(item) for name, item in value.items()}
    if isinstance(value, list) and len(value) > _LONGEST:
        return [*value[:_LONGEST], f"and {len(value) - _LONGEST} more"]
    return value


def _is_told(name: str, value: object) -> bool:
    return value is not None and value != "" and not (name.endswith("_ns") and not name.endswith("wall_ns"))


def _words(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
        if lists:
            return f"{len(lists[0])} rows"
        return " ".join(f"{name} {_words(item)}" for name, item in value.items() if item is not None)
    if isinstance(value, list):
        return " ".join(map(_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
