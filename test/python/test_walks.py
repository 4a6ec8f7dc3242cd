"""Random walks, and samples for mini-batches."""

import collections
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest

import edgemill
from support import MEMORY, TestCase, needs, program


def as_list(column) -> list:
    return column if isinstance(column, list) else column.tolist()


class WalksTest(TestCase):
    def random_graph(self, **options):
        """A directed graph of random edges, and its edges by their sources."""
        chance = random.Random(4)
        edges = [(chance.randrange(0, 900, 3), chance.randrange(0, 900, 3)) for _ in range(1500)]
        out = collections.defaultdict(set)
        for source, target in edges:
            out[source].add(target)
        return self.ingest(tuple(zip(*edges)), **options), out

    def test_walks_go_along_edges_and_come_again(self):
        graph, out = self.random_graph(renumber="degree")
        walks = graph.walks(length=9, walks_per_vertex=2, seed=3)
        made = [as_list(walk) for walk in walks]
        self.assertEqual([walk[0] for walk in made],
                         [vertex for vertex in as_list(graph.vertices()) for _ in range(2)])
        for walk in made:
            self.assertTrue(all(after in out[before] for before, after in zip(walk, walk[1:])))
            self.assertTrue(len(walk) == 10 or not out[walk[-1]])
        self.assertEqual([as_list(walk) for walk in walks], made)
        again = graph.walks(length=9, walks_per_vertex=2, seed=3, threads=1)
        self.assertEqual([as_list(walk) for walk in again], made)
        other = graph.walks(length=9, walks_per_vertex=2, p=0.25, q=4)
        self.assertNotEqual([as_list(walk) for walk in other], made)

    def test_chunks_have_all_walks_in_order(self):
        graph, _ = self.random_graph()
        walks = graph.walks(length=20, walks_per_vertex=100)
        chunks = list(walks.chunks())
        self.assertGreater(len(chunks), 1)
        self.assertEqual([chunk.first for chunk in chunks],
                         list(itertools.accumulate(map(len, chunks), initial=0))[:-1])
        joined = [as_list(walk) for chunk in chunks for walk in chunk]
        self.assertEqual(joined, [as_list(walk) for walk in walks])
        self.assertIn("walks", repr(chunks[0]))

    def test_names_are_starts_and_steps(self):
        graph = self.ingest([("ada", "eve"), ("eve", "bob"), ("bob", "ada")])
        walks = list(graph.walks(["bob", "ada"], length=4, walks_per_vertex=1))
        self.assertEqual(walks, [["bob", "ada", "eve", "bob", "ada"],
                                 ["ada", "eve", "bob", "ada", "eve"]])
        with self.assertRaisesRegex(edgemill.UsageError, "mallory"):
            graph.walks(["mallory"])

    def test_a_user_may_stop_early(self):
        graph, _ = self.random_graph()
        walks = graph.walks(length=1000, walks_per_vertex=1000)
        first = [as_list(walk) for walk in itertools.islice(walks, 3)]
        self.assertEqual(first, [as_list(walk) for walk in itertools.islice(walks, 3)])
        graph.close()
        with self.assertRaises(edgemill.UsageError):
            list(walks)

    def test_what_cannot_be_is_an_error(self):
        graph, _ = self.random_graph()
        with self.assertRaisesRegex(TypeError, "length"):
            graph.walks(lenght=3)
        with self.assertRaisesRegex(edgemill.UsageError, "5 "):
            list(graph.walks([5]))
        with self.assertRaisesRegex(edgemill.UsageError, "weighted=True: the graph has no weights"):
            list(graph.walks(weighted=True))
        with self.assertRaisesRegex(edgemill.UsageError, "^walks: p"):
            list(graph.walks(p=0))

    def test_a_program_may_end_among_walks(self):
        graph, _ = self.random_graph()
        code = (f"import edgemill\ngraph = edgemill.open({str(graph.path)!r}, memory={MEMORY!r})\n"
                "walks = iter(graph.walks(length=1000, walks_per_vertex=10000))\nnext(walks)\n")
        ended = subprocess.run([sys.executable, "-c", code], timeout=60, capture_output=True,
                               text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))


    def test_an_interrupt_ends_the_walks(self):
        program("generate", "kron", self.file("k.mill"), "--scale", "14")
        graph = edgemill.open(self.file("k.mill"), memory=MEMORY)
        self.addCleanup(graph.close)
        self.addCleanup(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            for _ in graph.walks(length=1000, walks_per_vertex=100000).chunks():
                pass
        self.assertLess(time.monotonic() - begin, 30)
        self.assertGreater(len(list(graph.walks([0], walks_per_vertex=1))), 0)


@needs("numpy")
class NeighborSamplerTest(TestCase):
    def test_a_batch_is_one_graph(self):
        chance = random.Random(6)
        edges = {(chance.randrange(60), chance.randrange(60)) for _ in range(600)}
        graph = self.ingest(list(edges))
        for direction in ("in", "out"):
            near = collections.defaultdict(set)
            for source, target in edges:
                here, there = (target, source) if direction == "in" else (source, target)
                near[here].add(there)
            sampler = edgemill.NeighborSampler(graph, [4, 2, 3], direction=direction)
            batch = sampler([7, 3, 7, 11], seed=2)
            nodes = batch.nodes.tolist()
            self.assertEqual(nodes[:3], [7, 3, 11])
            self.assertEqual(len(set(nodes)), len(nodes))
            self.assertEqual(sum(batch.num_nodes), len(nodes))
            self.assertEqual(sum(batch.num_edges), len(batch.row))
            begin, first = 0, 0  # of the edges and of the vertices of each hop
            for fanout, added, count in zip([4, 2, 3], batch.num_nodes, batch.num_edges):
                hop = slice(begin, begin + count)
                taken = collections.defaultdict(list)
                for row, col in zip(batch.row[hop].tolist(), batch.col[hop].tolist()):
                    taken[col].append(nodes[row])
                for col in range(first, first + added):
                    self.assertEqual(len(taken[col]), min(fanout, len(near[nodes[col]])))
                    self.assertEqual(len(set(taken[col])), len(taken[col]))
                    self.assertLessEqual(set(taken[col]), near[nodes[col]])
                self.assertLessEqual(set(taken), set(range(first, first + added)))
                begin, first = begin + count, first + added
            again = sampler([7, 3, 7, 11], seed=2)
            self.assertEqual(again.row.tolist(), batch.row.tolist())
            self.assertNotEqual(sampler([7, 3, 11], seed=3).row.tolist(), batch.row.tolist())

    def test_what_cannot_be_is_an_error(self):
        graph = self.ingest([(0, 1), (1, 2)])
        for fanouts in ([], [3, 0], [-1]):
            with self.assertRaises(edgemill.UsageError):
                edgemill.NeighborSampler(graph, fanouts)
        with self.assertRaises(edgemill.UsageError):
            edgemill.NeighborSampler(graph, [2])([99])
        with self.assertRaises(edgemill.UsageError):
            edgemill.NeighborSampler(graph, [2], direction="both")([1])
        empty = edgemill.NeighborSampler(graph, [2])([])
        self.assertEqual((len(empty.nodes), len(empty.row)), (0, 0))


if __name__ == "__main__":
    unittest.main()
