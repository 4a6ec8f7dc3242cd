"""Neighbours, degrees, samples, edges in chunks, and matrices of an open graph."""

import collections
import os
import random
import resource
import sys
import threading
import unittest

import edgemill
from support import MEMORY, TestCase, needs, program, values


def as_list(column) -> list:
    return column if isinstance(column, list) else column.tolist()


class AccessTest(TestCase):
    def random_graph(self, **options):
        """A graph of random edges with weights, and its edges by their sources."""
        chance = random.Random(3)
        edges = [(chance.choice((7, chance.randrange(0, 400, 5))), chance.randrange(0, 400, 5),
                  float(chance.randrange(9))) for _ in range(2000)]
        graph = self.ingest(tuple(zip(*edges)), **options)
        out = collections.defaultdict(list)
        for source, target, weight in edges:
            out[source].append((target, weight))
        return graph, edges, out

    def test_neighbors_and_degrees(self):
        graph, edges, out = self.random_graph(renumber="degree")
        into = collections.Counter(target for _, target, _ in edges)
        for vertex in as_list(graph.vertices()):
            neighbors, weights = graph.neighbors(vertex, weights=True)
            self.assertEqual(sorted(zip(as_list(neighbors), as_list(weights))),
                             sorted(out[vertex]))
            self.assertEqual(graph.out_degree(vertex), len(out[vertex]))
            self.assertEqual(graph.in_degree(vertex), into[vertex])
            self.assertEqual(graph.degree(vertex), len(out[vertex]) + into[vertex])
            came_from = sorted(source for source, target, _ in edges if target == vertex)
            self.assertEqual(sorted(as_list(graph.neighbors(vertex, direction="in"))), came_from)
        vertices = as_list(graph.vertices())
        self.assertEqual(vertices, sorted(set(vertices)))
        self.assertEqual(as_list(graph.out_degree()), [len(out[one]) for one in vertices])
        self.assertEqual(as_list(graph.degree(vertices[5:8])),
                         [len(out[one]) + into[one] for one in vertices[5:8]])

    def test_several_lists_come_in_the_order_that_was_asked_for(self):
        graph, _, out = self.random_graph()
        wanted = [7, 395, 7, 10]
        lists = graph.neighbors(wanted, weights=True)
        self.assertEqual(as_list(lists.vertices), wanted)
        self.assertEqual([vertex for vertex, _ in lists], wanted)
        for place, (vertex, neighbors) in enumerate(lists):
            self.assertEqual(sorted(as_list(neighbors)), sorted(one for one, _ in out[vertex]))
            part = slice(lists.offsets[place], lists.offsets[place + 1])
            self.assertEqual(sorted(zip(as_list(neighbors), as_list(lists.weights[part]))),
                             sorted(out[vertex]))
        self.assertEqual(lists.num_edges, len(as_list(lists.neighbors)))
        self.assertIsNone(lists.sources)
        self.assertIsNone(graph.neighbors(wanted).weights)
        self.refused(TypeError, "pickled", lists.__reduce__)

    def test_edges_come_in_chunks(self):
        graph, edges, _ = self.random_graph()
        for chunk in (1, 300, 1 << 20):
            found = []
            for sources, targets, weights in graph.edges(chunk=chunk):
                self.assertLessEqual(len(sources), chunk)
                found += zip(as_list(sources), as_list(targets), as_list(weights))
            self.assertEqual(sorted(found), sorted(edges))
            found = [(vertex, neighbor) for lists in graph.lists(chunk=chunk)
                     for vertex, neighbors in lists for neighbor in as_list(neighbors)]
            self.assertEqual(sorted(found), sorted((s, t) for s, t, _ in edges))
        self.assertEqual(len(next(graph.edges(weights=False))), 2)

    def test_edges_of_a_graph_of_one_direction(self):
        graph = self.ingest(([1, 2, 2], [2, 3, 9], [5, 6, 7]), columns="in")
        (sources, targets, weights), = graph.edges()
        self.assertEqual(sorted(zip(as_list(sources), as_list(targets), as_list(weights))),
                         [(1, 2, 5), (2, 3, 6), (2, 9, 7)])
        self.refused(edgemill.UsageError, 'has no out-columns: ingest it with columns="both"',
                     graph.neighbors, 1)

    def test_edges_of_a_symmetric_graph(self):
        graph = self.ingest(([0, 1, 2], [1, 2, 0]), undirected=True)
        both = [pair for ends in graph.edges() for pair in zip(*map(as_list, ends))]
        self.assertEqual(sorted(both), [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)])
        once = [pair for ends in graph.edges(once=True) for pair in zip(*map(as_list, ends))]
        self.assertEqual(sorted(map(sorted, once)), [[0, 1], [0, 2], [1, 2]])
        self.assertEqual(graph.degree(0), 2)

    def test_samples(self):
        graph, _, out = self.random_graph()
        lists = graph.sample([7, 10], 5, seed=1, weights=True)
        self.assertEqual(lists.num_edges, 5 + min(5, len(out[10])))
        first = next(iter(lists))[1]
        self.assertLessEqual(set(as_list(first)), {one for one, _ in out[7]})
        again = graph.sample([10, 7], 5, seed=1)
        self.assertEqual(as_list(list(again)[1][1]), as_list(first))  # by seed and vertex alone
        others = {tuple(as_list(graph.sample(7, 5, seed=seed).neighbors)) for seed in range(20)}
        self.assertGreater(len(others), 10)
        hops = graph.sample(7, [3, 2], seed=1)
        self.assertEqual(len(hops), 2)
        self.assertEqual(as_list(hops[1].vertices), sorted(set(as_list(hops[0].neighbors))))
        self.assertEqual(graph.sample(7, 0).num_edges, 0)

    def test_names(self):
        graph = self.ingest([("ada", "bob"), ("bob", "eve"), ("bob", "ada")])
        self.assertEqual(graph.neighbors("bob"), ["ada", "eve"])
        self.assertEqual(graph.neighbors("ada", direction="in"), ["bob"])
        self.assertEqual(graph.degree("bob"), 3)
        self.assertEqual(graph.vertices(), ["ada", "bob", "eve"])
        self.assertEqual(as_list(graph.out_degree(["eve", "bob"])), [0, 2])
        (sources, targets), = graph.edges()
        self.assertEqual(sorted(zip(sources, targets)),
                         [("ada", "bob"), ("bob", "ada"), ("bob", "eve")])
        layers = graph.sample(["ada"], [5, 5])
        self.assertEqual(layers[1].vertices, ["bob"])
        self.assertEqual(layers[1].neighbors, ["ada", "eve"])
        self.refused(edgemill.UsageError, 'vertex "bib" is not in', graph.neighbors, "bib")
        self.refused(edgemill.UsageError, "its vertices have names", graph.neighbors, 1)
        self.refused(edgemill.UsageError, "its vertices have names", graph.neighbors, "a\0b")
        answer = graph.pagerank()
        chunks = list(answer.chunks(2))
        self.assertEqual([names for names, _ in chunks], [["ada", "bob"], ["eve"]])
        self.assertEqual([rank for _, ranks in chunks for rank in as_list(ranks)],
                         values(answer.values))

    def test_what_is_no_vertex(self):
        graph = self.ingest(([0, 1], [1, 2]))
        for vertex in (-1, 2**64 - 1, 2**70, 1.5, "1", None, [0, -1], [[0]]):
            self.refused((edgemill.UsageError, TypeError), "", graph.neighbors, vertex)
        self.refused(edgemill.UsageError, "vertex 3 is not in", graph.degree, 3)
        self.refused(edgemill.UsageError, "vertex 3 is not in", graph.sample, [0, 3], 2)
        self.refused(edgemill.UsageError, "direction='up'", graph.neighbors, 0, direction="up")
        self.refused(edgemill.UsageError, "count=-1", graph.sample, 0, -1)
        self.refused(edgemill.UsageError, "count=1.5", graph.sample, 0, 1.5)
        self.refused(edgemill.UsageError, "chunk=0", graph.edges, chunk=0)
        self.refused(edgemill.UsageError, "no weights", graph.neighbors, 0, weights=True)
        self.refused(edgemill.UsageError, "is directed", next, graph.edges(once=True))

    def test_after_close_and_replace(self):
        graph = self.ingest(([0, 1], [1, 2]))
        kept = graph.neighbors(0)
        edges = graph.edges()
        edgemill.ingest(([5], [6]), self.path, replace=True, memory=MEMORY).close()
        for call in (lambda: graph.neighbors(0), lambda: graph.degree(0), lambda: next(edges)):
            self.refused(edgemill.MissingError, "open it again", call)
        graph.close()
        self.refused(edgemill.UsageError, "is closed", graph.neighbors, 0)
        self.refused(edgemill.UsageError, "is closed", next, graph.lists())
        edgemill.remove(self.path)
        self.assertEqual(as_list(kept), [1])

    def test_too_little_memory(self):
        program("generate", "rmat", self.path, "--scale", "10")
        with edgemill.open(self.path, memory="33MiB", threads=1) as graph:
            with self.assertRaises(edgemill.BudgetError) as caught:
                graph.neighbors(0)
            self.assertIn('reading lists needs at least memory="', str(caught.exception))
            least = str(caught.exception).split('"')[1]
        with edgemill.open(self.path, memory=least, threads=1) as graph:
            self.assertEqual(sum(len(one[0]) for one in graph.edges(chunk=1000)), graph.num_edges)

    def test_threads_read_one_graph(self):
        graph, _, out = self.random_graph()
        wrong = []

        def read(seed: int) -> None:
            chance = random.Random(seed)
            for _ in range(30):
                vertex = chance.randrange(0, 400, 5)
                found = sorted(as_list(graph.neighbors(vertex)))
                if found != sorted(target for target, _ in out[vertex]):
                    wrong.append(vertex)
                if sum(len(one[0]) for one in graph.edges(chunk=500)) != 2000:
                    wrong.append("edges")

        threads = [threading.Thread(target=read, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_forked_process_is_refused(self):
        graph = self.ingest(([0, 1], [1, 2]))
        graph.neighbors(0)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                graph.neighbors(0)
            except edgemill.UsageError as error:
                os.write(write, str(error).encode())
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.assertIn("was forked from one that uses Edgemill", pipe.read())
        os.waitpid(child, 0)

    def test_nothing_leaks(self):
        graph, _, _ = self.random_graph()

        def peak() -> int:
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        def read() -> None:
            for _ in range(300):
                lists = graph.sample(list(range(0, 400, 5)), 10)
                as_list(lists.neighbors)
                list(graph.edges())

        read()
        before = peak()
        read()
        self.assertLess(peak() - before, 8 << 10)  # KiB; 300 chunks take 10 MiB
        users = sys.getrefcount(graph)
        lists = graph.neighbors([7, 10])
        column = lists.neighbors
        del lists
        self.assertEqual(sys.getrefcount(graph), users + 1)  # the column keeps its lists
        del column
        self.assertEqual(sys.getrefcount(graph), users)

    def test_methods_are_not_names_of_algorithms(self):
        for algorithm in edgemill.algorithms():
            for name in (algorithm.name, *algorithm.aliases):
                name = "shortest_path" if name == "path" else name.replace("-", "_")
                self.assertTrue(hasattr(getattr(edgemill.Graph, name), "algorithm"), name)
        for name in ("neighbors", "degree", "edges", "lists", "sample", "vertices", "to_scipy"):
            self.assertFalse(hasattr(getattr(edgemill.Graph, name), "algorithm"), name)

    @needs("numpy")
    def test_arrays_as_vertices(self):
        import numpy

        graph, _, out = self.random_graph()
        for kind in ("i4", "u8", "i8", "u1"):
            wanted = numpy.array([7, 10, 95], dtype=kind)
            self.assertEqual(graph.out_degree(wanted).tolist(), [len(out[one]) for one in
                                                                 (7, 10, 95)])
        self.refused(edgemill.UsageError, "vertex 1 of the array is -2", graph.degree,
                     numpy.array([7, -2]))
        self.refused(edgemill.UsageError, "is no vertex", graph.degree, numpy.array([7.5]))
        self.assertEqual(graph.out_degree(numpy.int64(7)), len(out[7]))
        lists = graph.neighbors(wanted)
        self.assertFalse(lists.neighbors.flags.writeable)

    @needs("scipy")
    def test_to_scipy(self):
        import numpy

        for options in ({}, {"renumber": "degree"}):
            graph, edges, _ = self.random_graph(replace=True, **options)
            vertices = graph.vertices().tolist()
            wanted = numpy.zeros((len(vertices), len(vertices)))
            count = numpy.zeros_like(wanted)
            for source, target, weight in edges:
                wanted[vertices.index(source), vertices.index(target)] += weight
                count[vertices.index(source), vertices.index(target)] += 1
            self.assertTrue((graph.to_scipy().toarray() == wanted).all())
            self.assertTrue((graph.to_scipy(weights=False).toarray() == count).all())
            self.refused(edgemill.BudgetError, "to_scipy: the matrix of 81 rows and 2,000 entries "
                         "takes about 24.4 KiB of memory, which is above limit=\"20KiB\"",
                         graph.to_scipy, limit="20KiB")
            graph.close()
        names = edgemill.ingest([("a", "b"), ("c", "b")], self.file("names.mill"))
        self.assertEqual(names.to_scipy().toarray().tolist(), [[0, 1, 0], [0, 0, 0], [0, 1, 0]])
        names.close()


class LimitsTest(unittest.TestCase):
    def test_sizes(self):
        from edgemill.limits import bytes_of

        self.assertEqual([bytes_of(size, "limit") for size in (77, "5", "2K", "1.5 GiB", "3MiB")],
                         [77, 5, 2048, 3 << 29, 3 << 20])
        for wrong in (-1, 2.5, "2GB", "", "much", None, "-1"):
            with self.assertRaises(edgemill.UsageError) as caught:
                bytes_of(wrong, "limit")
            self.assertIn(f"limit={wrong!r}: give bytes", str(caught.exception))
