"""What the bodies of desk commands are made of: exact types, bounded sizes, no unknown keys."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

_LARGEST: Final = 2**53
"""No number is larger: beyond it a browser's numbers have gaps."""

Count = Annotated[StrictInt, Field(ge=0, le=_LARGEST)]
"""A number of something, or a sequence number."""

Amount = Annotated[StrictInt, Field(ge=1, le=_LARGEST)]
"""Minor units."""

Words = Annotated[StrictStr, Field(max_length=1000, pattern=r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$")]
"""Text by a person: no control characters but line breaks and tabs."""

Name = Annotated[StrictStr, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$")]
"""A short name that people give to a thing, such as a pack of cards or its batch."""

Reason = Annotated[Words, Field(min_length=1, max_length=200)]


class Body(BaseModel):
    """What every body has: frozen, and no unknown key."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(Body):
    """Nothing is to be said."""


class DeskCommand(Body):
    """A command of a dealer or a supervisor.

    ``seen_sequence`` is the sequence of the view that it was decided on; if the table has moved, it is refused.
    """

    seen_sequence: Count | None = None

    supervisor_says_what_they_saw: ClassVar[bool] = True
    """Whether a supervisor must send ``seen_sequence``: always but where nothing may delay them (S4, S7)."""
