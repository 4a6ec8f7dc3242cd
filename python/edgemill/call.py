"""Calls of the library: options as arguments, progress, notes, and Ctrl-C."""

import ctypes
import operator
import os
import re
import signal
import threading
from typing import Any, Callable, Dict, Iterable, List, Optional

from . import library
from .errors import UsageError
from .library import check, declared, lib
from .progress import Progress, display


_SIZE = re.compile(r"[0-9.]+ ?[KMGT]?i?B", re.ASCII)


class OptionHelp:
    """An option as the library declares it."""

    __slots__ = ("name", "short_name", "parameter", "value", "help", "section", "default",
                 "required", "repeatable")

    def __init__(self, option: library.Option):
        self.name = option.name.decode()
        self.short_name = option.short_name.decode() if option.short_name else None
        parameter = self.name.lstrip("-").replace("-", "_")
        self.parameter = parameter + "_" if parameter == "async" else parameter
        self.value = option.value.decode() if option.value is not None else None
        self.help = option.help.decode()
        self.section = option.section.decode()
        self.default = option.default_value.decode() if option.default_value else None
        self.required = bool(option.required)
        self.repeatable = bool(option.repeatable)

    @property
    def is_flag(self) -> bool:
        return self.value is None

    @property
    def positional(self) -> bool:
        """Whether its parameter may be given without a name: what must be given, and sources."""
        return self.required or self.name == "--source"

    @property
    def choices(self) -> List[str]:
        return self.value.split("|") if self.value and "|" in self.value else []

    @property
    def is_yes_or_no(self) -> bool:
        return self.choices[-2:] == ["yes", "no"]

    @property
    def takes_list(self) -> bool:
        """Whether its one value is a list: "S,T[,W]"."""
        return "," in (self.value or "")

    def shown(self, value: str) -> Optional[str]:
        """The text `value` as Python writes it; None where it is no value of the option."""
        if value in self.choices or (self.value == "SIZE" and _SIZE.fullmatch(value)):
            return f'"{value}"'
        if self.value not in ("N", "X", "P", "Q"):
            return None
        try:
            float(value)
        except ValueError:
            return None
        return value


# Of edgemill.ingest: those of edges that are given, and those of files.
INGEST_OPTIONS = {
    of_files: [OptionHelp(option) for option in declared(lib.ingest_options, int(of_files))]
    for of_files in (False, True)
}
# Of walks. The parameters of node2vec have their usual names.
WALK_OPTIONS = [OptionHelp(option) for option in declared(lib.walk_options)]
for _option in WALK_OPTIONS:
    if _option.value in ("P", "Q"):
        _option.parameter = _option.value.lower()
PAIR_OPTIONS = [OptionHelp(option) for option in declared(lib.pair_options)]
_KNOWN: Dict[tuple, OptionHelp] = {}
# By name: options that texts of an algorithm may refer to though it does not have them.
_ELSEWHERE: Dict[Optional[str], OptionHelp] = {
    name: option for option in INGEST_OPTIONS[True] for name in (option.name, option.short_name)
}


def option_help(option: library.Option) -> OptionHelp:
    """The option; the same object for an option that several algorithms have."""
    key = (option.name, option.help, option.value, option.default_value, option.section,
           option.required)
    known = _KNOWN.get(key)
    if known is None:
        known = _KNOWN[key] = OptionHelp(option)
        _ELSEWHERE.setdefault(known.name, known)
    return known


# What a user of Python calls in place of an option of the program.
_METHODS = {"--top N": "top(N)", "--weight NAME": "weight=NAME"}
# An option, and perhaps its value.
_OPTION = re.compile(r"(?<![\w-])(--?[a-z][a-z-]*)(?:[ =]([\w.+-]*\w))?", re.ASCII)


def into_python(options: Iterable[OptionHelp]) -> Callable[[str], str]:
    """A function that puts parameters in place of these options, and of those of others, in texts
    of the library."""
    own = {name: option for option in options for name in (option.name, option.short_name)}

    def parameter(found) -> str:
        option = own.get(found[1]) or _ELSEWHERE.get(found[1])
        if option is None:
            return _METHODS.get(found[0], found[0])
        rest = found[0][len(found[1]):]
        if option.is_flag:
            is_verb = found.string[found.end(1):].startswith(" it")  # "--replace it"
            return f"{option.parameter}{'' if is_verb else '=True'}{rest}"
        value = None if found[2] is None else option.shown(found[2])
        return f"{option.parameter}{rest}" if value is None else f"{option.parameter}={value}"

    return lambda text: _OPTION.sub(parameter, text)


def in_python(text: str, options: Iterable[OptionHelp]) -> str:
    """A text of the library with parameters in place of these options."""
    return into_python(options)(text)


def _text(value: Any) -> str:
    """A value as on the command line."""
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    try:
        return str(operator.index(value))
    except TypeError:
        pass
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        return str(value)


def _encoded(text: str) -> bytes:
    if "\0" in text:
        raise UsageError(f"{text!r}: a text for Edgemill has no zero bytes")
    return os.fsencode(text)


def path_of(path) -> bytes:
    """A path for the library."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"a path is a text or a pathlib.Path, not {path!r}")
    text = os.fspath(path)
    return _encoded(os.fsdecode(text))


def arguments_of(options: Iterable[OptionHelp], values: Dict[str, Any]) -> List[bytes]:
    """The values of parameters as arguments of the command line; None is not given."""
    arguments = []
    for option in options:
        value = values.get(option.parameter)
        if value is None:
            continue
        if option.is_flag:
            if not isinstance(value, (bool, int)):
                raise UsageError(f"{option.parameter}: give True or False, not {value!r}")
            if value:
                arguments.append(option.name)
            continue
        if option.is_yes_or_no and isinstance(value, bool):
            value = "yes" if value else "no"
        if option.takes_list and isinstance(value, (list, tuple)):
            value = ",".join(map(_text, value))
        several = option.repeatable and not isinstance(value, (str, bytes, os.PathLike))
        if several and hasattr(value, "__iter__"):
            arguments += [f"{option.name}={_text(one)}" for one in value]
        else:
            arguments.append(f"{option.name}={_text(value)}")
    return [_encoded(argument) for argument in arguments]


class Call:
    """One operation: its arguments, and the functions that the library calls meanwhile.

    The library calls them in the thread that called it. In the main thread, a signal handler that
    raises, as that of Ctrl-C, ends the operation, and its exception is raised at the end.
    """

    def __init__(self, options: Iterable[OptionHelp], values: Dict[str, Any], progress=None):
        self._options = options
        arguments = arguments_of(options, values)
        self._texts = (ctypes.c_char_p * len(arguments))(*arguments)
        self._show, self._close = display(progress)
        self._raised: Optional[BaseException] = None
        self._in_users_code = False
        self._previous: Any = None
        self.struct = library.Call(
            self._texts, len(arguments), None, library.PROGRESS(self._progress),
            library.NOTE(self._note)
        )

    def say(self, text: str) -> str:
        """A text of the library with parameters in place of options."""
        return in_python(text, self._options)

    def users(self, function: Callable, *arguments) -> Any:
        """Calls a function of the user from a function that the library calls."""
        try:
            self._in_users_code = True
            return function(*arguments)
        except BaseException as error:  # it is raised where the operation was called
            self._raised = self._raised or error
            return None
        finally:
            self._in_users_code = False

    @property
    def failed(self) -> bool:
        return self._raised is not None

    def cancel(self, error: BaseException) -> None:
        """Ends the operation, which raises `error`: as Ctrl-C, for all operations."""
        self._raised = self._raised or error

    def _progress(self, _user, report) -> int:
        if self._show is not None and not self.failed:
            of = report[0]
            self.users(self._show, Progress(of.stage.decode(), of.unit.decode(), of.done, of.total,
                                            of.iteration))
        return 0 if self.failed else 1

    def _note(self, _user, message) -> None:
        import logging

        text = self.say(message.decode(errors="replace"))
        self.users(logging.getLogger("edgemill").info, "%s", text)

    def _on_interrupt(self, number, frame) -> None:
        try:
            self._previous(number, frame)
        except BaseException as error:
            self._raised = self._raised or error  # also where the user's code swallows it
            if self._in_users_code:
                raise

    def run(self, function, *arguments) -> None:
        """Calls a function of the library, and raises its error, or what was raised meanwhile."""
        self._previous = None
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            self._previous = handler if callable(handler) else None
        try:
            if self._previous is not None:
                signal.signal(signal.SIGINT, self._on_interrupt)
            error = function(*arguments)
        finally:
            if self._previous is not None:
                signal.signal(signal.SIGINT, self._previous)
            self.struct = None  # its functions refer to this object
            self._close()
        if self.failed:
            raised, self._raised = self._raised, None
            if error:
                lib.error_free(error)
            raise raised
        check(error, self.say)
