"""The path that `shortest_path` finds, as the sequence of its vertices."""

from collections.abc import Sequence
from typing import Any, List, Optional, Union

from .answer import Answer
from .columns import numpy_or_none


class ShortestPath(Sequence):
    """A path: its vertices by id or name, from the source to the target. Empty where the target is
    not reached.

    answer: the answer of the run, in which each vertex of the path has its step
    """

    def __init__(self, answer: Answer):
        self.answer = answer
        self._vertices: Optional[List[Any]] = None

    @property
    def vertices(self) -> List[Any]:
        """The vertices of the path in order, as a list."""
        if self._vertices is None:
            self._vertices = self._in_order()
        return self._vertices

    def _in_order(self) -> List[Any]:
        steps, ids = self.answer.values, self.answer.ids
        numpy = numpy_or_none()
        if numpy is None:
            found = sorted((step, id) for step, id in zip(steps, ids) if step >= 0)
            in_order = [id for _, id in found]
        else:
            places = numpy.flatnonzero(steps >= 0)
            in_order = ids[places[numpy.argsort(steps[places])]].tolist()
        return self.answer.shown_vertices(in_order)

    @property
    def length(self) -> Union[int, float, None]:
        """The sum of the weights with `weighted=True`, and else the number of edges. None where
        the target is not reached."""
        facts = self.answer.facts
        if "path_edges" not in facts:
            return None
        length = facts.get("length", facts["path_edges"])
        return int(length) if self.answer.has_whole_weights else length

    def __len__(self) -> int:
        return len(self.vertices)

    def __getitem__(self, place):
        return self.vertices[place]

    def __eq__(self, other: Any) -> bool:
        """Whether it has the same vertices as another path, a list or a tuple."""
        if isinstance(other, ShortestPath):
            other = other.vertices
        return self.vertices == list(other) if isinstance(other, (list, tuple)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if not self:
            return "<edgemill.ShortestPath: none: the target is not reached>"
        shown = [str(vertex) for vertex in self.vertices]
        if len(shown) > 9:
            shown[4:-4] = ["..."]
        return f"<edgemill.ShortestPath of length {self.length:,}: {' -> '.join(shown)}>"
