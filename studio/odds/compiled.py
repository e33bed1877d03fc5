"""Compiling the innermost loops: one decorator, typed, whose work is kept on disk where there is room for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def compiled(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Return ``function`` compiled at its first call; the next process finds it in the cache beside the source.

    Where nothing can be written, not even in the user's own cache folder, each process compiles for itself.
    """
    try:
        return cast("Callable[_Arguments, _Result]", numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # numba found no folder that it may write to
        return cast("Callable[_Arguments, _Result]", numba.njit(nogil=True)(function))
