"""Progress of long operations, on standard error."""

import sys
import time
from typing import Any, Callable, NamedTuple, Optional, Tuple


class Progress(NamedTuple):
    """How far an operation has come. Functions that are given as `progress` get it."""

    stage: str
    unit: str  # what is counted: "edges"
    done: int
    total: int  # 0: unknown
    iteration: int  # from 1; 0: the stage has none


class _Line:
    """Rewrites one line."""

    def __init__(self):
        self._width = 0

    def __call__(self, of: Progress) -> None:
        text = f"edgemill: {of.stage}"
        if of.iteration:
            text += f", iteration {of.iteration}"
        if of.total:
            text += f", {of.done:,} of {of.total:,} {of.unit}"
        elif of.done:
            text += f", {of.done:,} {of.unit}"
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class _Bars:
    """A bar of tqdm for each stage."""

    def __init__(self, tqdm):
        self._tqdm = tqdm
        self._stage = ""
        self._bar: Any = None

    def __call__(self, of: Progress) -> None:
        if of.stage != self._stage:
            self.close()
            self._stage = of.stage
            self._bar = self._tqdm(desc=of.stage, unit=" " + of.unit, total=of.total or None,
                                   unit_scale=True, leave=False)
        self._bar.update(of.done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Later:
    """Shows only what takes longer than a moment."""

    def __init__(self):
        self._since = time.monotonic()
        self._shown: Any = None

    def __call__(self, of: Progress) -> None:
        if self._shown is None:
            if time.monotonic() - self._since < 0.5:
                return
            try:
                from tqdm import tqdm

                self._shown = _Bars(tqdm)
            except ImportError:
                self._shown = _Line()
        self._shown(of)

    def close(self) -> None:
        if self._shown is not None:
            self._shown.close()


def display(progress) -> Tuple[Optional[Callable[[Progress], Any]], Callable[[], None]]:
    """What shows progress, and what ends it. `progress` is True, False, a function, or None for a
    display where standard error is a terminal."""
    if callable(progress):
        return progress, lambda: None
    if progress is None:
        progress = sys.stderr is not None and sys.stderr.isatty()
    if not progress:
        return None, lambda: None
    later = _Later()
    return later, later.close
