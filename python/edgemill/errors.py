"""Exceptions: a class for each exit code of the program. Their text is the program's one line."""


class Error(Exception):
    """What all exceptions of Edgemill are."""

    code = 0


class UsageError(Error, ValueError):
    """An option or its value is wrong."""

    code = 64


class BadData(Error, ValueError):
    """The contents of an input are wrong, or a checksum does not match."""

    code = 65


class MissingError(Error, FileNotFoundError):
    """An input, a graph or a data directory is missing, or another graph has taken its place."""

    code = 66


class GpuError(Error):
    """No GPU can be used, or a CUDA error."""

    code = 69


class InternalError(Error):
    """A defect of Edgemill, or a wrong answer that `verify` found."""

    code = 70


class BudgetError(Error, MemoryError):
    """The memory is too small. The text says how much would do."""

    code = 71


class OutputError(Error, FileExistsError):
    """The output exists, or cannot be made."""

    code = 73


class IoError(Error, OSError):
    """A device failed, or a disk is full."""

    code = 74


class LockedError(Error):
    """Another process uses the graph."""

    code = 75


class UnfinishedError(Error):
    """The graph's ingest was interrupted, and can go on with `resume=True`."""

    code = 76


class PermissionDenied(Error, PermissionError):
    """Permission denied."""

    code = 77


class Cancelled(Error):
    """Another operation of this process was cancelled, which ends all of them."""

    code = 130


class Warning(UserWarning):
    """Why an answer says less than expected."""


_BY_CODE = {
    kind.code: kind
    for kind in (
        UsageError,
        BadData,
        MissingError,
        GpuError,
        InternalError,
        BudgetError,
        OutputError,
        IoError,
        LockedError,
        UnfinishedError,
        PermissionDenied,
        Cancelled,
    )
}


def error_of(code: int, message: str) -> Error:
    """The exception for an error of the library."""
    return _BY_CODE.get(code, InternalError)(message)
