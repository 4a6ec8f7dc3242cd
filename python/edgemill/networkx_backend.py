"""What NetworkX calls: a method for each function, and how graphs are converted."""

import contextlib
import functools
import inspect
from typing import Any, Callable, Dict, Iterator, Set, Tuple

import networkx

from .errors import Cancelled, Error, InternalError
from .graph import Graph
from .networkx_graphs import NetworkXGraph, runnable, to_networkx

LIMIT = "4GiB"
# A graph below is not worth being written to disk. Run time of a call: 0.1 to 0.3 s on two cores,
# in which NetworkX looks at some 100,000 edges.
SMALLEST_WORK = 100_000


@contextlib.contextmanager
def _next_backend_instead() -> Iterator[None]:
    """What Edgemill refuses, NetworkX tries on the next backend."""
    try:
        yield
    except (Cancelled, InternalError):
        raise
    except Error as error:
        raise NotImplementedError(str(error)) from error


def _setting(name: str, default: Any) -> Any:
    """A setting of networkx.config.backends.edgemill."""
    config = getattr(networkx.config.backends, "edgemill", None)
    return getattr(config, name, default)


def _is_plain(graph: Any) -> bool:
    """Whether a graph's edges are its neighbours: its class may have other methods for them."""
    return all(
        next(of for of in type(graph).__mro__ if name in vars(of)).__module__.startswith(
            "networkx.classes.")
        for name in ("__getitem__", "neighbors", "adjacency", "edges", "degree")
    )


class _Backend:
    """The backend. Its methods are the functions of NetworkX that Edgemill has."""

    def __init__(self):
        self.only: Dict[str, Dict[str, Any]] = {}
        self._is_quadratic: Dict[str, bool] = {}
        self._needs: Dict[str, Tuple[str, ...]] = {}
        self._undirected: Set[str] = set()
        self.calls: Dict[str, int] = {}  # answered, by function; what raised is not counted

    def function(self, *needs: str, quadratic: bool = False, undirected: bool = False, **only):
        """Adds a function of NetworkX. The parameters in `needs` must not be None, and those in
        `only` must have these values. `quadratic`: it looks at all edges for each node.
        `undirected`: directed graphs are left to NetworkX."""

        def add(function: Callable) -> Callable:
            name = function.__name__
            self.only[name] = only
            self._is_quadratic[name] = quadratic
            self._needs[name] = needs
            if undirected:
                self._undirected.add(name)
            signature = inspect.signature(function)

            @functools.wraps(function)
            def checked(*arguments, **keywords):
                reason = self.can_run(name, arguments, keywords)
                if reason is not True:
                    raise NotImplementedError(f"{name}: {reason}")
                bound = signature.bind(*arguments, **keywords)
                graph = next(iter(bound.arguments))
                bound.arguments[graph] = runnable(bound.arguments[graph])
                with _next_backend_instead():
                    result = function(*bound.args, **bound.kwargs)
                self.calls[name] = self.calls.get(name, 0) + 1
                return result

            setattr(checked, "unchecked", function)  # for other functions, on a runnable graph
            setattr(self, name, checked)
            return checked

        return add

    def _bound(self, name: str, arguments, keywords) -> Dict[str, Any]:
        bound = inspect.signature(getattr(self, name)).bind(*arguments, **keywords)
        bound.apply_defaults()
        return bound.arguments

    def can_run(self, name: str, arguments, keywords):
        """True, or why not."""
        if name not in self.only:
            return "Edgemill does not have it"
        bound = self._bound(name, arguments, keywords)
        for parameter, value in self.only[name].items():
            if bound[parameter] is not value and bound[parameter] != value:
                return f"Edgemill only has {parameter}={value!r}"
        for parameter in self._needs[name]:
            if bound[parameter] is None:
                return f"Edgemill needs {parameter}"
        if name in self._undirected and next(iter(bound.values())).is_directed():
            return "Edgemill has it for undirected graphs alone"
        if callable(bound.get("weight")):
            return "Edgemill has no functions as weights"
        return True

    def should_run(self, name: str, arguments, keywords):
        """True, or why NetworkX is faster. Asked where a graph of NetworkX must be converted."""
        can = self.can_run(name, arguments, keywords)
        if can is not True:
            return can
        graph = next(iter(self._bound(name, arguments, keywords).values()))
        if isinstance(graph, (Graph, NetworkXGraph)):
            return True
        work = graph.number_of_edges() * (len(graph) if self._is_quadratic[name] else 1)
        smallest = _setting("smallest_work", SMALLEST_WORK)
        if work >= smallest:
            return True
        return f"the graph is small: {work:,} edges to look at, and {smallest:,} pay"

    @staticmethod
    def convert_from_nx(graph, *, edge_attrs=None, preserve_edge_attrs=False, **_others):
        if not _is_plain(graph):
            raise NotImplementedError(f"{type(graph).__name__} has neighbours in its own way")
        if preserve_edge_attrs or len(edge_attrs or {}) > 1:
            raise NotImplementedError("a graph of Edgemill has one attribute of edges")
        attribute, default = next(iter((edge_attrs or {None: 1}).items()))
        with _next_backend_instead():
            return NetworkXGraph(graph, attribute, default)

    @staticmethod
    def convert_to_nx(result, *, name=None):
        """The result; a graph as one of NetworkX, unless it would take more than the limit."""
        if not isinstance(result, (Graph, NetworkXGraph)):
            return result
        return to_networkx(result, _setting("limit", LIMIT))

    def on_start_tests(self, items) -> None:
        """Called by NetworkX's own tests, all of which this backend should pass."""
        from .networkx_tests import count_calls, mark

        mark(items)
        count_calls(self.calls, self.only)


backend = _Backend()
