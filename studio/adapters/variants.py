"""Variants: a TOML file in, a validated rule set out (rules.md section 1).

It knows how a variant file is written and nothing of what its parameters do: contradictions between them are found
by :class:`studio.domain.rules.RuleSet` itself.
"""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator, ValidationError, create_model

from studio.domain.rules import Odds, RuleSet, SideBet

_FOLDER: Final = files("studio") / "variants"
_SUFFIX: Final = ".toml"
_ODDS: Final = re.compile(r"([1-9][0-9]*):([1-9][0-9]*)")


def variant_names() -> tuple[str, ...]:
    """Return the names of the variants that come with the package, sorted."""
    return tuple(sorted(_stem(file.name) for file in _FOLDER.iterdir() if file.name.endswith(_SUFFIX)))


def load_variant(name_or_path: str | Path) -> RuleSet:
    """Return the rule set of a variant of the package by its name, or of any file by its path.

    Text is a path where it ends with ``.toml``; a :class:`~pathlib.Path` is one in any case.

    Raises ``ValueError`` naming the file and every key that is wrong, unknown or missing.
    """
    file = _find(name_or_path)
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        message = f"variant file {file} cannot be read: {error}"
        raise ValueError(message) from error
    except tomllib.TOMLDecodeError as error:
        message = f"variant file {file} is not TOML: {error}"
        raise ValueError(message) from error
    try:
        # JSON mode is strict about types ("8" is no number, 1 is no boolean) and still takes enums by their value.
        checked = _VariantFile.model_validate_json(json.dumps(read, default=str), strict=True)
        return RuleSet(**{field.name: getattr(checked, field.name) for field in dataclasses.fields(RuleSet)})
    except ValidationError as error:
        message = f"variant file {file}: {'; '.join(map(_sentence, error.errors()))}"
        raise ValueError(message) from error
    except ValueError as error:
        message = f"variant file {file}: {error}"
        raise ValueError(message) from error


def _find(name_or_path: str | Path) -> Traversable:
    if isinstance(name_or_path, Path) or name_or_path.endswith(_SUFFIX):
        return Path(name_or_path)
    if name_or_path not in variant_names():
        known = ", ".join(variant_names())
        message = (
            f"there is no variant {str(name_or_path)!r}: name one of {known}, or give the path of a .toml file"
        )
        raise ValueError(message)
    return _FOLDER / f"{name_or_path}{_SUFFIX}"


def _stem(file_name: str) -> str:
    return file_name.removesuffix(_SUFFIX)


def _odds(text: object) -> Odds:
    match = _ODDS.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        message = 'write odds as text such as "3:2"'
        raise ValueError(message)
    return Odds(int(match[1]), int(match[2]))


class _SideBetTable(BaseModel):
    """One ``[side_bets.<name>]`` table of a file."""

    model_config = ConfigDict(extra="forbid")

    pays: dict[str, Annotated[int, Field(ge=1)]] = Field(min_length=1)
    rounds_per_shoe: Annotated[int, Field(ge=1)] | None = None


def _side_bet(table: _SideBetTable) -> SideBet:
    return SideBet(dict(table.pays), table.rounds_per_shoe)


_IN_FILE: Final[dict[Any, Any]] = {
    Odds: Annotated[Odds, PlainValidator(_odds)],
    dict[str, SideBet]: dict[str, Annotated[_SideBetTable, AfterValidator(_side_bet)]],
}
"""The fields of a rule set that a file writes in another form."""


def _file_model() -> type[BaseModel]:
    """Derive the file's model from the rule set, so that a new parameter is at once a key of the file."""
    hints = get_type_hints(RuleSet)
    keys: dict[str, Any] = {
        field.name: (
            _IN_FILE.get(hints[field.name], hints[field.name]),
            ... if field.default is dataclasses.MISSING else field.default,
        )
        for field in dataclasses.fields(RuleSet)
    }
    return create_model("VariantFile", __config__=ConfigDict(extra="forbid"), **keys)


_VariantFile: Final = _file_model()


def _sentence(error: Any) -> str:  # noqa: ANN401 - pydantic's own dictionary
    """Say what is wrong with one key."""
    key = ".".join(map(str, error["loc"])) or "file"
    match error["type"]:
        case "extra_forbidden":
            return f"{key} is no key of a variant"
        case "missing":
            return f"{key} is missing"
        case _:
            return f"{key}: {error['msg'].removeprefix('Value error, ')}"
