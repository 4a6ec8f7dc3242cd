"""Open graphs. The library's declarations of algorithms make the methods."""

import contextlib
import ctypes
import inspect
import os
import threading
import warnings
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterator, List, NamedTuple, Optional,
                    Tuple, Union)

from . import library
from .answer import Answer, read_names
from .call import Call, OptionHelp, in_python, path_of
from .errors import UsageError, Warning
from .library import declared, lib

Path = Union[str, os.PathLike]


class IngestReport(NamedTuple):
    """What an ingest did."""

    num_vertices: int
    num_edges: int  # stored in one direction
    input_edges: int  # read
    bad_lines: int  # skipped, where `bad_lines` allows some
    notes: Tuple[str, ...]  # what was guessed about the input, and what is ignored


def _shared_options() -> List[OptionHelp]:
    options = [OptionHelp(option) for option in declared(lib.ingest_options, 1)]
    return [option for option in options if option.parameter in ("memory", "threads", "data")]


_SHARED = _shared_options()


class Graph:
    """An open graph. `edgemill.open` makes one. Several threads may use it."""

    def __init__(self, path: Path, memory=None, threads=None, data=None, progress=None):
        self._lock = threading.Lock()
        self._users = 0
        self._pointer: Optional[int] = None
        self._opened_with = (path, memory, threads, data, progress)
        self.progress = progress
        pointer = ctypes.c_void_p()
        values = {"memory": memory, "threads": threads, "data": data}
        call = Call(_SHARED, values, progress=False)
        call.run(lib.graph_open, path_of(path), call.struct, ctypes.byref(pointer))
        self._pointer = pointer.value
        info = lib.graph_describe(pointer)[0]
        self.path: str = os.fsdecode(info.path)
        self.uuid: str = info.uuid.decode()
        self.num_vertices: int = info.num_vertices
        self.num_edges: int = info.num_edges
        self.directed: bool = bool(info.directed)
        self.has_names: bool = bool(info.has_names)
        self.weights: Optional[str] = info.weights.decode() if info.weights else None
        # Of the ingest that made and opened this graph.
        self.ingested: Optional[IngestReport] = None

    @contextlib.contextmanager
    def used(self) -> Iterator[int]:
        """The library's graph, which stays open meanwhile."""
        with self._lock:
            if self._pointer is None:
                raise UsageError(f"{self.path}: is closed: open it again")
            self._users += 1
        try:
            yield self._pointer
        finally:
            with self._lock:
                self._users -= 1
            self._free()

    def _free(self) -> None:
        with self._lock:
            if self._users > 0 or self._pointer is None or not self._closed:
                return
            pointer, self._pointer = self._pointer, None
        lib.graph_close(pointer)

    _closed = False

    def close(self) -> None:
        """Closes the graph, once runs that are under way have ended. It can then be removed.
        Answers keep their values, but names that were not read before are gone: read
        `answer.vertices` or `graph.names()` while the graph is open."""
        self._closed = True
        self._free()

    def __enter__(self) -> "Graph":
        return self

    def __exit__(self, *_exception) -> None:
        self.close()

    def __del__(self):
        if getattr(self, "_pointer", None):
            lib.graph_close(self._pointer)

    def __reduce__(self):
        return Graph, self._opened_with  # a copy opens the graph again, in another process too

    if TYPE_CHECKING:

        def __getattr__(self, algorithm: str) -> Callable[..., Answer]: ...

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "symmetric"
        weights = f", weights {self.weights}" if self.weights else ""
        return (
            f"<edgemill.Graph {self.path}: {self.num_vertices:,} vertices, {self.num_edges:,} "
            f"edges, {kind}{weights}>"
        )

    def names(self) -> Optional[List[str]]:
        """The names of all vertices, in their order; None where vertices have numbers."""
        if not self.has_names:
            return None
        if self._names is None:
            with self.used() as pointer:
                self._names = read_names(pointer)
        return self._names

    _names: Optional[List[str]] = None

    def run(self, algorithm: str, *, progress=None, **options) -> Answer:
        """Runs an algorithm by its name: `g.run("pagerank", damping=.85)` is
        `g.pagerank(damping=.85)`."""
        method = getattr(type(self), algorithm.replace("-", "_"), None)
        if not isinstance(getattr(method, "algorithm", None), str):
            return self._run(algorithm, [], {}, progress)  # the library says what is near
        return method(self, progress=progress, **options)

    def _run(self, algorithm: str, options: List[OptionHelp], values: Dict[str, Any],
             progress) -> Answer:
        call = Call(options, values, self.progress if progress is None else progress)
        pointer = ctypes.c_void_p()
        with self.used() as graph:
            call.run(lib.run, graph, algorithm.encode(), call.struct, ctypes.byref(pointer))
        answer = Answer(self, algorithm, pointer.value, call.say)
        for warning in answer.warnings:
            warnings.warn(warning, Warning, stacklevel=3)
        return answer


class AlgorithmHelp:
    """What the library declares of an algorithm."""

    def __init__(self, algorithm: library.Algorithm):
        self.name: str = algorithm.name.decode()
        self.group: str = algorithm.group.decode()
        self.summary: str = algorithm.summary.decode()
        self.text: str = algorithm.text.decode()
        self.aliases: Tuple[str, ...] = tuple(
            algorithm.aliases[i].decode() for i in range(algorithm.num_aliases)
        )
        self.options = [OptionHelp(algorithm.options[i]) for i in range(algorithm.num_options)]
        self.columns: Tuple[str, ...] = tuple(
            algorithm.columns[i].name.decode() for i in range(algorithm.num_columns)
        )
        self.properties: Dict[str, str] = {
            one.name.decode(): one.text.decode()
            for one in algorithm.properties[: algorithm.num_properties]
        }

    def __repr__(self) -> str:
        return f"<{self.name}: {self.summary}>"


_ALGORITHMS = [AlgorithmHelp(algorithm) for algorithm in declared(lib.algorithms)]


def algorithms() -> List[AlgorithmHelp]:
    """All algorithms, by name."""
    return list(_ALGORITHMS)


_ANNOTATIONS = {"N": int, "X": float, "SIZE": Union[int, str], "ID": Union[int, str], "FILE": Path}


def _annotation(option: OptionHelp) -> Any:
    if option.is_flag:
        return bool
    if option.is_yes_or_no:
        return Union[bool, str]
    if option.takes_list:
        return Union[str, List[str]]
    kind = _ANNOTATIONS.get(option.value or "", str)
    return Union[kind, List[kind]] if option.repeatable else kind


def _default(option: OptionHelp) -> Any:
    if option.is_flag:
        return False
    if option.default is None:
        return None
    for number in (int, float):
        try:
            return number(option.default)
        except ValueError:
            pass
    return option.default


def parameters_of(options: List[OptionHelp]) -> List[inspect.Parameter]:
    """The options as parameters; those that must be given come first, and may be positional."""
    keyword, positional = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    required = [
        inspect.Parameter(option.parameter, positional, annotation=_annotation(option))
        for option in options
        if option.required
    ]
    others = [
        inspect.Parameter(option.parameter, keyword, default=_default(option),
                          annotation=_annotation(option))
        for option in options
        if not option.required
    ]
    progress = inspect.Parameter("progress", keyword, default=None)
    return required + others + [progress]


def options_text(options: List[OptionHelp]) -> str:
    """A line for each option, in sections, for docstrings."""
    lines = []
    for section in dict.fromkeys(option.section for option in options):
        lines.append(f"\n{section}:\n")
        for option in options:
            if option.section != section:
                continue
            choices = f" ({option.value})" if option.choices else ""
            lines.append(f"    {option.parameter}{choices}: {in_python(option.help, options)}\n")
    return "".join(lines) + (
        "    progress: True, False or a function; by default shown where standard error is a "
        "terminal\n"
    )


def _method(help: AlgorithmHelp):
    options = help.options
    self_parameter = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    signature = inspect.Signature(
        [self_parameter] + parameters_of(options), return_annotation=Answer
    )

    def method(*arguments, **keywords):
        try:
            values = signature.bind(*arguments, **keywords).arguments
        except TypeError as error:
            raise TypeError(f"{help.name}: {error}") from None
        return values["self"]._run(help.name, options, values, values.get("progress"))

    method.__name__ = help.name
    method.__qualname__ = f"Graph.{help.name}"
    method.__module__ = __name__
    method.__signature__ = signature
    method.__annotations__ = {
        parameter.name: parameter.annotation
        for parameter in signature.parameters.values()
        if parameter.annotation is not inspect.Parameter.empty
    }
    properties = "".join(f"    {about}: {text}\n" for about, text in help.properties.items())
    about = in_python(f"{help.text.strip()}\n\nProperties:\n{properties}", options)
    method.__doc__ = (
        f"{help.summary}\n\n{about}    answer: {' or '.join(help.columns)}\n"
        f"{options_text(options)}"
    )
    method.algorithm = help.name
    return method


for _help in _ALGORITHMS:
    _function = _method(_help)
    for _name in (_help.name, *_help.aliases):
        setattr(Graph, _name.replace("-", "_"), _function)


def open(path: Path, *, memory: Union[int, str, None] = None, threads: Optional[int] = None,
         data: Union[Path, List[Path], None] = None, progress=None) -> Graph:
    """Opens the graph directory `path`.

    memory: a hard bound of what a run takes, such as "2GiB"; by default half of what is free
    threads: by default, the processors that this process may use
    data: data directories that have moved since the graph was made
    progress: shown by runs: True, False or a function; by default where standard error is a
        terminal
    """
    return Graph(path, memory, threads, data, progress)


def remove(path: Path, *, data: Union[Path, List[Path], None] = None) -> None:
    """Removes the graph directory `path`, and what it has on data directories."""
    call = Call(_SHARED, {"data": data}, progress=False)
    call.run(lib.graph_remove, path_of(path), call.struct)
