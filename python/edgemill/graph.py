"""Open graphs. The library's declarations of algorithms make the methods."""

import contextlib
import copy
import ctypes
import os
import threading
import warnings
from typing import (TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional,
                    Tuple, Union)

from .access import ListMethods
from .algorithms import Path, algorithms, methods
from .answer import Answer
from .call import INGEST_OPTIONS, Call, OptionHelp, in_python, path_of
from .columns import read_names
from .errors import UsageError, Warning
from .library import check, lib
from .pairs import pair_method
from .path import ShortestPath
from .walks import walk_method


class IngestReport(NamedTuple):
    """What an ingest did."""

    num_vertices: int
    num_edges: int  # stored in one direction
    input_edges: int  # read
    bad_lines: int  # skipped, where `bad_lines` allows some
    notes: Tuple[str, ...]  # what was guessed about the input, and what is ignored


_SHARED = [option for option in INGEST_OPTIONS[True]
           if option.parameter in ("memory", "threads", "data")]


def _option_like(parameter: str, model: str) -> OptionHelp:
    option = copy.copy(next(option for option in INGEST_OPTIONS[True]
                            if option.parameter == model))
    option.name, option.parameter = "--" + parameter, parameter
    return option


_OF_OPEN = [*_SHARED, _option_like("cache", "memory"), _option_like("weight", "format")]


if TYPE_CHECKING:
    from ._declared import AlgorithmMethods
else:
    AlgorithmMethods = object  # they are added below


class GraphPath(str):
    """The directory of a graph, a text. Since an algorithm has the name "path" too, a call of it
    runs that: `graph.path("ada", "eve")` is `graph.shortest_path("ada", "eve")`."""

    _graph: "Graph"

    def __call__(self, *arguments: Any, **keywords: Any) -> ShortestPath:
        return self._graph.shortest_path(*arguments, **keywords)

    def __reduce__(self):
        return str, (str(self),)  # without the graph


class Graph(ListMethods, AlgorithmMethods):
    """An open graph. `edgemill.open` makes one. Several threads may use it. Functions of NetworkX
    take it as a graph where Edgemill has them: `networkx.pagerank(graph)`."""

    __networkx_backend__ = "edgemill"

    def __init__(self, path: Path, memory=None, threads=None, data=None, progress=None,
                 cache=None, weight=None):
        self._lock = threading.Lock()
        self._users = 0
        self._pointer: Optional[int] = None
        self._opening_lists = threading.RLock()
        self._lists: Optional[int] = None
        self._opened_with = (path, memory, threads, data, progress, cache, weight)
        self.progress = progress
        pointer = ctypes.c_void_p()
        values = {"memory": memory, "threads": threads, "data": data, "cache": cache,
                  "weight": weight}
        call = Call(_OF_OPEN, values, progress=False)
        call.run(lib.graph_open, path_of(path), call.struct, ctypes.byref(pointer))
        self._pointer = pointer.value
        info = lib.graph_describe(pointer)[0]
        self._path = os.fsdecode(info.path)
        self.uuid: str = info.uuid.decode()
        self.num_vertices: int = info.num_vertices
        self.num_edges: int = info.num_edges
        self.directed: bool = bool(info.directed)
        self.has_names: bool = bool(info.has_names)
        self.weights: Optional[str] = info.weights.decode() if info.weights else None
        # Of the ingest that made and opened this graph.
        self.ingested: Optional[IngestReport] = None

    @property
    def path(self) -> GraphPath:
        """The graph's directory. As a function, it is `shortest_path`."""
        path = GraphPath(self._path)
        path._graph = self
        return path

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
            lists, self._lists = self._lists, None
        lib.lists_close(lists)
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
            lib.lists_close(self._lists)
            lib.graph_close(self._pointer)

    def _on_lists(self, name: str, *arguments: Any) -> None:
        """Calls a function of the library on this graph's lists, which are opened first."""
        with self.used() as graph:
            with self._opening_lists:
                if self._lists is None:
                    lists = ctypes.c_void_p()
                    call = Call(_SHARED, {}, self.progress)
                    call.run(lib.lists_open, graph, call.struct, ctypes.byref(lists))
                    if self._lists is None:
                        self._lists = lists.value
                    else:  # the function that was shown the progress has opened them
                        lib.lists_close(lists)
            error = getattr(lib, "lists_" + name)(self._lists, *arguments)
            check(error, lambda text: in_python(text, INGEST_OPTIONS[True]))

    def __reduce__(self):
        return Graph, self._opened_with  # a copy opens the graph again, in another process too

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "symmetric"
        weights = f", weights {self.weights}" if self.weights else ""
        return (
            f"<edgemill.Graph {self.path}: {self.num_vertices:,} vertices, {self.num_edges:,} "
            f"edges, {kind}{weights}>"
        )

    def is_directed(self) -> bool:
        return self.directed

    @staticmethod
    def is_multigraph() -> bool:
        """False: for NetworkX, an edge that occurs several times is not told from others."""
        return False

    def __len__(self) -> int:
        return self.num_vertices

    def __bool__(self) -> bool:
        return True  # also without vertices

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
        `g.pagerank(damping=.85)`. The result is always an answer: that of "path" has a step for
        each vertex."""
        method = _METHODS.get(algorithm.replace("-", "_"))
        if method is None:
            return self._run(algorithm, [], {}, progress)  # the library says what is near
        result = method(self, progress=progress, **options)
        return result.answer if isinstance(result, ShortestPath) else result

    def _run(self, algorithm: str, options: List[OptionHelp], values: Dict[str, Any],
             progress) -> Answer:
        call = Call(options, values, self.progress if progress is None else progress)
        pointer = ctypes.c_void_p()
        with self.used() as graph:
            call.run(lib.run, graph, algorithm.encode(), call.struct, ctypes.byref(pointer))
        answer = Answer(self, algorithm, pointer.value, call.say)
        if values.get("output") is not None:
            answer.output = os.fspath(values["output"])
        for warning in answer.warnings:
            warnings.warn(warning, Warning, stacklevel=3)
        return answer


_METHODS = methods()
for _name, _function in _METHODS.items():
    if _name != "path":  # which is the graph's directory, and calls shortest_path
        setattr(Graph, _name, _function)
setattr(Graph, "pairs", pair_method())
setattr(Graph, "walks", walk_method())


def open(path: Path, *, memory: Union[int, str, None] = None, threads: Optional[int] = None,
         data: Union[Path, List[Path], None] = None, progress=None,
         cache: Union[int, str, None] = None, weight: Optional[str] = None) -> Graph:
    """Opens the graph directory `path`.

    memory: a hard bound of what a run takes, such as "2GiB"; by default half of what is free
    threads: by default, the processors that this process may use
    data: data directories that have moved since the graph was made
    progress: shown by runs: True, False or a function; by default where standard error is a
        terminal
    cache: memory for edges that runs share, and find again after earlier runs, such as "8GiB". It
        is in use beside `memory` from the first run until the graph is closed. By default each run
        reads its edges from disk again.
    weight: the column of the edges that is their weight (`column` of `ingest`); by default the
        graph's own weights are
    """
    return Graph(path, memory, threads, data, progress, cache, weight)


def remove(path: Path, *, data: Union[Path, List[Path], None] = None) -> None:
    """Removes the graph directory `path`, and what it has on data directories."""
    call = Call(_SHARED, {"data": data}, progress=False)
    call.run(lib.graph_remove, path_of(path), call.struct)
