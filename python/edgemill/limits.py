"""Limits of what is made in the memory of Python."""

import operator
import re
from typing import Union

from .errors import BudgetError, UsageError

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([KMGTP]?)(?:iB)?", re.ASCII)


def bytes_of(size: Union[int, str], parameter: str) -> int:
    """The bytes of a size such as "2GiB", "500M" or 1 << 30, as options of sizes have them."""
    if not isinstance(size, str):
        try:
            number = operator.index(size)
        except TypeError:
            number = -1
        if number >= 0:
            return number
    else:
        found = _SIZE.fullmatch(size.strip())
        if found is not None:
            return int(float(found[1]) * 1024 ** " KMGTP".index(found[2] or " "))
    raise UsageError(f"{parameter}={size!r}: give bytes as a number, or a text such as \"2GiB\"")


def size_text(count: float) -> str:
    """A number of bytes for people: "1.5 GiB"."""
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            break
        count /= 1024
    return f"{count:.0f} bytes" if unit == "bytes" else f"{count:.1f} {unit}"


def check_limit(what: str, estimate: int, limit: Union[int, str], parameter: str = "limit") -> None:
    """Raises BudgetError where `what`, which takes `estimate` bytes, is above the limit."""
    if estimate > bytes_of(limit, parameter):
        shown = f'"{limit}"' if isinstance(limit, str) else limit
        raise BudgetError(f"{what} takes about {size_text(estimate)} of memory, which is above "
                          f"{parameter}={shown}: give a larger {parameter}")
