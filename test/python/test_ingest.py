"""Ingest: files, arrays, chunks and Arrow streams; what is refused, and that nothing is left."""

import array
import os
import pathlib

import edgemill
from support import MEMORY, TestCase, needs, values

EDGES = [(0, 1), (0, 2), (1, 3), (3, 4)]
SOURCES, TARGETS = [list(ends) for ends in zip(*EDGES)]


class IngestTest(TestCase):
    def expect_edges(self, edges, **options):
        """The edges make the graph of EDGES."""
        graph = self.ingest(edges, replace=os.path.exists(self.path), **options)
        self.assertEqual((graph.num_vertices, graph.num_edges), (5, 4))
        self.assertEqual(values(graph.bfs(0).values), [0, 1, 1, 2, 3])
        graph.close()

    def test_files(self):
        text = "".join(f"{source} {target}\n" for source, target in EDGES)
        file = self.file("edges.el", text)
        self.expect_edges(file)
        self.expect_edges(pathlib.Path(file))
        half = self.file("half.el", "".join(text.splitlines(True)[:2]))
        rest = self.file("rest.el", "".join(text.splitlines(True)[2:]))
        self.expect_edges([half, rest])
        self.expect_edges((half, pathlib.Path(rest)))
        csv = self.file("edges.csv", "w;to;from\n" + "".join(f"9;{t};{s}\n" for s, t in EDGES))
        self.expect_edges(csv, csv_columns="from,to")

    def test_sequences_of_numbers(self):
        self.expect_edges((SOURCES, TARGETS))
        self.expect_edges([SOURCES, tuple(TARGETS)])
        for code in "bBhHiIlLqQfd":
            self.expect_edges((array.array(code, SOURCES), array.array(code, TARGETS)))
        self.expect_edges((bytes(SOURCES), bytearray(TARGETS)))
        both = array.array("I", [end for edge in EDGES for end in edge])
        strided = memoryview(both)
        self.expect_edges((strided[::2], strided[1::2]))
        self.expect_edges((map(int, SOURCES), TARGETS))

    def test_chunks(self):
        self.expect_edges(([s], [t]) for s, t in EDGES)
        self.expect_edges(iter([(SOURCES[:1], TARGETS[:1]), ([], []), (SOURCES[1:], TARGETS[1:])]))
        calls = []

        def chunks():
            for source, target in EDGES:
                calls.append(source)
                yield array.array("i", [source]), [target]

        self.expect_edges(chunks())
        self.assertEqual(calls, SOURCES)

    def test_weights(self):
        graph = self.ingest((SOURCES, TARGETS, [1, 2, 3, 4]))
        self.assertEqual(graph.weights, "int")
        self.assertEqual(values(graph.sssp(0).values), [0, 1, 2, 4, 8])
        chunks = iter([([0], [1], [0.5]), ([1], [2], [0.25])])
        graph = self.ingest(chunks, replace=True)
        self.assertEqual(values(graph.sssp(0).values), [0, 0.5, 0.75])

    def test_names(self):
        graph = self.ingest((["eve", "ada", "bob"], ["bob", "eve", "b\xf6rk"], [1, 2, 3]))
        self.assertEqual(graph.names(), ["ada", "bob", "b\xf6rk", "eve"])
        self.assertEqual(graph.sssp("ada").to_dict(), {"ada": 0, "bob": 3, "b\xf6rk": 6, "eve": 2})
        chunks = iter([(["eve"], ["bob"]), (["ada"], ["eve"])])
        self.path = self.file("chunks.mill")
        graph = self.ingest(chunks)
        self.assertEqual(graph.bfs("ada").to_dict(), {"ada": 0, "bob": 2, "eve": 1})
        self.path = self.file("wrong.mill")
        self.refused(edgemill.UsageError, "targets have the Arrow type \"L\": give texts as names",
                     self.ingest, (["ada"], [1]))
        self.refused(edgemill.UsageError, "--ids cannot act on these edges, which have names",
                     self.ingest, (["ada"], ["bob"]), ids="dense")
        tree = graph.bfs("ada", parents=True)  # a stream of names
        self.path = self.file("tree.mill")
        graph = self.ingest(tree)
        self.assertEqual(graph.bfs("bob").to_dict(), {"ada": 2, "bob": 0, "eve": 1})

    def test_options(self):
        graph = self.ingest((SOURCES, TARGETS), undirected=True, renumber="none")
        self.assertFalse(graph.directed)
        self.assertEqual(graph.num_edges, 8)
        self.refused(edgemill.UsageError, '--renumber: "up" is none of auto', self.ingest,
                     (SOURCES, TARGETS), renumber="up")
        self.refused(edgemill.UsageError, "delimiter is for files", self.ingest,
                     (SOURCES, TARGETS), delimiter=",")
        self.refused(TypeError, "unexpected keyword", self.ingest, (SOURCES, TARGETS), speed=3)

    def test_empty(self):
        graph = self.ingest(iter([]))
        self.assertEqual((graph.num_vertices, graph.num_edges), (0, 0))
        self.assertEqual(values(graph.cc().values), [])

    def bad(self, text, sources, targets, *weights):
        self.refused(edgemill.BadData, text, self.ingest, (sources, targets, *weights))
        self.assertFalse(os.path.exists(self.path))

    def test_bad_numbers_are_named(self):
        self.bad("edge 1: the source is -2", [1, -2], [1, 2])
        self.bad("edge 1: the source is -2", array.array("h", [1, -2]), [1, 2])
        self.bad("edge 0: the target is nan", [1, 2], [float("nan"), 2])
        self.bad("edge 1: the target is 2.5", [1, 2], [1, 2.5])
        self.bad("edge 1: the source is None", [1, None], [1, 2])
        self.bad("edge 1: the source is 'ada'", [1, "ada"], [1, 2])
        self.bad("edge 0: the source is 18446744073709551616", [2**64, 1], [1, 2])
        self.bad("edge 1: the target is 7: names are texts", ["ada", "bob"], ["eve", 7])
        self.bad("edge 1: the source is a missing name", ["ada", ""], ["eve", "bob"])
        self.bad("edge 0: the target is a name that is not UTF-8", ["ada"], ["b\udc80"])
        self.bad("edge 1: from 1 to 18446744073709551615", [0, 1], [1, 2**64 - 1])
        self.bad("edge 1: the weight is inf", [0, 1], [1, 2], [1, float("inf")])
        self.bad("edge 0: the weight is 'x'", [0, 1], [1, 2], ["x", 2])

        def chunks():
            yield [0, 1], [1, 2]
            yield [3, -4], [4, 5]

        self.refused(edgemill.BadData, "edge 3: the source is -4", self.ingest, chunks())
        self.assertFalse(os.path.exists(self.path))

    def test_wrong_shapes(self):
        usage = edgemill.UsageError
        self.refused(usage, "2 sources, 1 targets: give arrays of one length", self.ingest,
                     ([1, 2], [1]))
        self.refused(usage, "1 columns: give sources and targets", self.ingest, ([1, 2],))
        self.refused(usage, "'int': give sources and targets", self.ingest, 5)
        self.refused(usage, "have 2 dimensions", self.ingest,
                     (memoryview(bytes(4)).cast("B", [2, 2]), [1, 2]))
        self.refused(usage, "sources have the type '?'", self.ingest,
                     (memoryview(bytes(2)).cast("?"), [1, 2]))
        self.refused(usage, "give arrays of sources and targets, and a weight", self.ingest,
                     iter([([0], [1], [2]), ([1], [2])]))
        self.assertFalse(os.path.exists(self.path))

    def test_errors_of_iterators_come_through(self):
        def chunks():
            yield [0], [1]
            raise ZeroDivisionError("the reader's own")

        self.refused(ZeroDivisionError, "the reader's own", self.ingest, chunks())
        self.assertFalse(os.path.exists(self.path))

    def test_files_of_the_system(self):
        self.refused(edgemill.MissingError, "absent.el", self.ingest, self.file("absent.el"))
        self.refused(FileNotFoundError, "absent.mill", edgemill.open, self.file("absent.mill"))
        self.ingest((SOURCES, TARGETS))
        self.refused(FileExistsError, "is a graph already", self.ingest, (SOURCES, TARGETS))
        bad = self.file("bad.el", "1 2\n3 x\n")
        self.refused(edgemill.BadData, "bad.el:2", edgemill.ingest, bad, self.file("bad.mill"),
                     memory=MEMORY, ids="sparse")

    @needs("numpy")
    def test_numpy(self):
        import numpy

        for kind in ("u1", "i2", "u4", "i8", "u8", "f4", "f8"):
            self.expect_edges((numpy.array(SOURCES, kind), numpy.array(TARGETS, kind)))
        self.expect_edges(numpy.array(EDGES))
        fixed = numpy.array(SOURCES)
        fixed.flags.writeable = False
        self.expect_edges((fixed, TARGETS))

    @needs("pandas")
    def test_pandas(self):
        import pandas

        self.expect_edges(pandas.DataFrame({"from": SOURCES, "to": TARGETS}, index=list("abcd")))
        self.expect_edges(iter([pandas.DataFrame(EDGES)]))

    @needs("pyarrow")
    def test_pyarrow(self):
        import pyarrow

        self.expect_edges(pyarrow.table({"from": SOURCES, "to": TARGETS}))
        chunks = pyarrow.chunked_array([SOURCES[:3], SOURCES[3:]], pyarrow.int32())
        self.expect_edges(pyarrow.table([chunks, TARGETS], names=["from", "to"]).slice(0))
        missing = pyarrow.table({"from": [0, None], "to": [1, 2]})
        self.refused(edgemill.BadData, "edge 1: the source is missing", self.ingest, missing)

    def test_arrow_streams_of_answers(self):
        """An answer is an Arrow stream: here, vertices and their parents."""
        tree = self.ingest((SOURCES, TARGETS)).bfs(0, parents=True)
        self.path = self.file("tree.mill")
        graph = self.ingest(tree)
        self.assertEqual(graph.num_edges, 5)
        self.assertEqual(values(graph.bfs(4).values), [3, 2, -1, 1, 0])
        levels = graph.bfs(4)
        self.path = self.file("levels.mill")
        self.refused(edgemill.BadData, "edge 2: the target is missing", self.ingest, levels)
        capsule = levels.__arrow_c_stream__()  # nobody takes it
        self.assertIn("arrow_array_stream", repr(capsule))
