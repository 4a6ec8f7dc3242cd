"""The members of components and communities."""

from typing import Any, Dict, Iterator, List

from .columns import numpy_or_none


def groups_of(answer: Any) -> Iterator[List[Any]]:
    """Lists of the vertices with a common value, the largest first. Vertices rise in each of them,
    and groups of one size come in the order of their values."""
    values, vertices = answer.values, answer.vertices
    numpy = numpy_or_none()
    if numpy is None:
        members: Dict[int, List[Any]] = {}
        for vertex, value in zip(vertices, values):
            members.setdefault(value, []).append(vertex)
        by_value = [members[value] for value in sorted(members)]
        yield from sorted(by_value, key=len, reverse=True)
        return
    places = numpy.argsort(values, kind="stable")
    rising = values[places]
    starts = numpy.flatnonzero(numpy.concatenate(([True], rising[1:] != rising[:-1])))
    ends = numpy.append(starts[1:], len(rising))
    for group in numpy.argsort(starts - ends, kind="stable").tolist() if len(rising) else ():
        found = places[starts[group] : ends[group]]
        if isinstance(vertices, list):
            yield [vertices[place] for place in found.tolist()]
        else:
            yield vertices[found].tolist()
