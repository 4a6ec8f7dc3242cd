"""Ingest: files, arrays, chunks and Arrow streams; what is refused, and that nothing is left."""

import array
import datetime
import os
import pathlib
import warnings

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

    def test_edges_row_by_row(self):
        self.expect_edges(EDGES)
        self.expect_edges([list(edge) for edge in EDGES])
        self.expect_edges([(0, 1), (0, 2), [1, 3], [3, 4]])
        self.expect_edges(zip(SOURCES, TARGETS))
        self.expect_edges(edge for edge in EDGES)
        self.expect_edges(dict.fromkeys(EDGES).keys())
        self.expect_edges(iter([EDGES[:1], [], EDGES[1:]]))
        self.expect_edges([([0, 0], [1, 2]), ([1, 3], [3, 4])])
        graph = self.ingest([(0, 1), (5, 6)], replace=True)
        self.assertEqual(graph.bfs(5).to_dict(), {0: None, 1: None, 5: 0, 6: 1})
        graph.close()
        graph = self.ingest([("eve", "ada", 2.5), ("ada", "bob", 1)], replace=True)
        self.assertEqual(graph.sssp("eve").to_dict(), {"ada": 2.5, "bob": 3.5, "eve": 0})
        graph.close()
        many = [(vertex, vertex + 1) for vertex in range(70_000)]  # several chunks
        graph = self.ingest(iter(many), replace=True)
        self.assertEqual(graph.num_edges, 70_000)
        graph.close()
        self.refused(edgemill.BadData, "edge 69999: the source is -1", self.ingest,
                     iter(many[:-1] + [(-1, 5)]), replace=True)
        self.refused(edgemill.BadData, "edge 1: is (1, 2, 3): the edges before are (source, target)",
                     self.ingest, [(0, 1), (1, 2, 3)], replace=True)

    def test_what_may_be_edges_or_columns_is_refused(self):
        for edges in ([[0, 1], [5, 6]], [[0, 1, 2], [5, 6, 7]], iter([[[0, 1], [5, 6]]])):
            self.refused(edgemill.UsageError, "write edges as tuples, [(0, 1), (5, 6)], and columns "
                         "as a tuple of lists", self.ingest, edges)
        self.refused(edgemill.UsageError, "(0, 1): give edges as a list", self.ingest, (0, 1))
        self.refused(edgemill.UsageError, "an empty list", self.ingest, [])

    def found(self, edges, **options) -> tuple:
        """What a graph of these edges has: its edges, and whether it is directed."""
        with self.ingest(edges, replace=True, **options) as graph:
            rows = []
            for columns in graph.edges(once=not graph.directed):
                rows += zip(*map(values, columns))
            return sorted(rows), graph.directed

    def test_dictionaries(self):
        self.assertEqual(self.found({0: [1, 2], 1: {2}, 2: ()}), ([(0, 1), (0, 2), (1, 2)], True))
        self.assertEqual(self.found({"ada": ["bob"], "bob": ("eve",)}, undirected=True),
                         ([("ada", "bob"), ("bob", "eve")], False))
        weighted = [(0, 1, 2.5), (1, 2, 1)]
        self.assertEqual(self.found({0: {1: 2.5}, 1: {2: 1}}), (weighted, True))
        self.assertEqual(self.found({(0, 1): 2.5, (1, 2): 1}), (weighted, True))
        self.assertEqual(self.found({0: {1: {"weight": 2.5}}, 1: {2: {"color": 3}}}), (weighted, True))
        self.assertEqual(self.found({0: {1: {}}, 1: {2: {}}}), ([(0, 1), (1, 2)], True))
        with self.assertWarnsRegex(edgemill.Warning, "1 vertex has no edge and is left out") as caught:
            self.found({0: [1], 1: [], 5: []})
        self.assertTrue(caught.filename.endswith("support.py"))  # where ingest is called
        self.refused(TypeError, "a dictionary of columns: give a tuple of them, (d['from'], d['to'])",
                     self.ingest, {"from": [0, 1], "to": [1, 2]})
        self.refused(TypeError, "the dictionary has 'bob' for 'ada': give neighbours", self.ingest,
                     {"ada": "bob"})

    def test_what_has_no_edges_is_refused(self):
        for edges, text in ((5, "int"), (None, "NoneType"), (b"0 1", "bytes"),
                            ([5, 6], "an item is 5, and no edge"),
                            (edgemill, "module"), (iter([None]), "an item is None, and no edge")):
            self.refused(TypeError, f"ingest: {text}: give files, a list of edges [(0, 1), (5, 6)], "
                         "columns (sources, targets)", self.ingest, edges)
        self.assertFalse(os.path.exists(self.path))

    @needs("networkx")
    def test_graphs_of_networkx(self):
        from test_networkx import load

        networkx = load()
        graph = networkx.Graph([("ada", "bob"), ("bob", "eve")])
        names = [("ada", "bob"), ("bob", "eve")]
        for edges in (graph, graph.edges, graph.edges()):
            self.assertEqual(self.found(edges), (names, False))
        self.assertEqual(self.found(graph, directed=True), (names, True))
        self.assertEqual(self.found(list(graph.edges)), (names, True))
        graph.add_node("zoe")
        with self.assertWarnsRegex(edgemill.Warning, "1 vertex has no edge and is left out"):
            self.assertEqual(self.found(graph), (names, False))
        graph = networkx.DiGraph()
        graph.add_weighted_edges_from([(0, 1, 2.5), (1, 2, 4)])
        weighted = [(0, 1, 2.5), (1, 2, 4)]
        for edges in (graph, graph.edges(data="weight"), networkx.to_dict_of_dicts(graph)):
            self.assertEqual(self.found(edges), (weighted, True))
        self.assertEqual(self.found(graph.edges), ([(0, 1), (1, 2)], True))
        self.refused(TypeError, 'give graph.edges(data="weight") or the graph', self.ingest,
                     graph.edges(data=True), replace=True)
        graph.add_edge(2, 3)
        self.assertEqual(self.found(graph), (weighted + [(2, 3, 1)], True))
        self.refused(TypeError, "the node (0, 0) is neither a whole number nor a text", self.ingest,
                     networkx.grid_2d_graph(2, 2), replace=True)
        several = networkx.MultiGraph([(0, 1), (0, 1)])
        for edges in (several, several.edges, several.edges(keys=True)):
            self.assertEqual(self.found(edges), ([(0, 1), (0, 1)], False))

    @needs("scipy")
    def test_matrices(self):
        import numpy
        from scipy import sparse

        matrix = sparse.coo_matrix(([1.5, 2], ([0, 1], [1, 2])), shape=(4, 4))
        weighted = [(0, 1, 1.5), (1, 2, 2)]
        for kind in ("coo", "csr", "csc", "lil", "dok"):
            self.assertEqual(self.found(matrix.asformat(kind)), (weighted, True))
        self.assertEqual(self.found(sparse.csr_array(matrix)), (weighted, True))
        with self.ingest(matrix, replace=True) as graph:
            self.assertEqual(graph.num_vertices, 4)
            self.assertEqual((graph.to_scipy() != matrix.tocsr()).nnz, 0)
        for ones in (matrix != 0, (matrix != 0).astype("i8")):
            self.assertEqual(self.found(ones), ([(0, 1), (1, 2)], True))
        with self.assertWarnsRegex(edgemill.Warning, "column j is vertex 2 \\+ j"):
            self.assertEqual(self.found(sparse.csr_matrix(([1, 1], ([0, 1], [2, 0])), shape=(2, 3))),
                             ([(0, 4), (1, 2)], True))
        self.refused(TypeError, "an array with 4 columns: edges have two or three; of an adjacency "
                     "matrix, give scipy.sparse.coo_array(matrix)", self.ingest, matrix.toarray())
        self.assertEqual(self.found(numpy.array([[0, 1], [1, 2]])), ([(0, 1), (1, 2)], True))

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
        self.refused(edgemill.UsageError, "sources are names and targets are numbers: give numbers or "
                     "texts for both", self.ingest, (["ada"], [1]))
        self.refused(edgemill.UsageError, "ids cannot act on these edges, which have names",
                     self.ingest, (["ada"], ["bob"]), ids="dense")
        tree = graph.bfs("ada", parents=True)  # a stream of names
        self.path = self.file("tree.mill")
        graph = self.ingest(tree)
        self.assertEqual(graph.bfs("bob").to_dict(), {"ada": 2, "bob": 0, "eve": 1})

    def test_options(self):
        graph = self.ingest((SOURCES, TARGETS), undirected=True, renumber="none")
        self.assertFalse(graph.directed)
        self.assertEqual(graph.num_edges, 8)
        self.refused(edgemill.UsageError, 'renumber: "up" is none of auto', self.ingest,
                     (SOURCES, TARGETS), renumber="up")
        self.refused(edgemill.UsageError, "delimiter is for files", self.ingest,
                     (SOURCES, TARGETS), delimiter=",")
        self.refused(TypeError, "unexpected keyword", self.ingest, (SOURCES, TARGETS), speed=3)

    def test_values_of_options_may_be_pythons(self):
        text = "payee,payer,amount\n7,5,1.5\n8,7,2.5\n"
        for columns in (["payer", "payee", "amount"], ("payer", "payee", "amount"),
                        "payer,payee,amount"):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                graph = self.ingest(self.file("pay.csv", text), csv_columns=columns,
                                    replace=os.path.exists(self.path))
            self.assertEqual(graph.sssp(5).to_dict(), {5: 0, 7: 1.5, 8: 4})
            graph.close()
        words = self.file("words.csv", "ada,bob\nbob,eve\n")
        for header, names in ((True, ["bob", "eve"]), (False, ["ada", "bob", "eve"])):
            graph = self.ingest(words, header=header, replace=True)
            self.assertEqual(graph.names(), names)
            graph.close()

    def test_a_report_comes_with_the_graph(self):
        numbers = self.file("numbers.el", "1 2\nthree 4\n2 3\n5\n")
        with self.assertWarnsRegex(edgemill.Warning, "graph.mill: 2 bad lines were skipped: "
                                   "bad_lines_file=... lists them") as caught:
            graph = self.ingest(numbers, bad_lines=10)
        self.assertEqual(caught.filename, __file__.replace("test_ingest", "support"))
        self.assertEqual(graph.ingested[:4], (3, 2, 2, 2))
        graph.close()
        self.assertIsNone(edgemill.open(self.path).ingested)
        words = self.file("words.csv", "who,whom\nada,bob\n")
        with self.assertWarnsRegex(edgemill.Warning, 'line 1 is taken as an edge: header="yes" if '):
            graph = self.ingest(words, replace=True)
        self.assertIn("ids are names", graph.ingested.notes[0])
        graph.close()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            graph = self.ingest((SOURCES, TARGETS), replace=True)
        self.assertEqual(graph.ingested, edgemill.IngestReport(5, 4, 4, 0, ()))

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
        self.bad("edge 1: the source is the text 'ada'", [1, "ada"], [1, 2])
        self.bad("edge 1: the source is True: ids are whole numbers", [1, True], [1, 2])
        self.bad("edge 0: the target is datetime.date(2024, 1, 5)", [1], [datetime.date(2024, 1, 5)])
        self.bad("edge 1: the source is 9007199254740992: ids are whole numbers from 0 to 2^64 - 2, "
                 "and reals of this type are exact below 2^53", [1.0, 2.0**53], [1, 2])
        self.bad("edge 0: the source is 18446744073709551616", [2**64, 1], [1, 2])
        self.bad("edge 1: the target is 7: names are texts", ["ada", "bob"], ["eve", 7])
        self.bad("edge 1: the source is a missing name", ["ada", ""], ["eve", "bob"])
        self.bad("edge 0: the target is a name that is not UTF-8", ["ada"], ["b\udc80"])
        self.bad("edge 1: from 1 to 18446744073709551615", [0, 1], [1, 2**64 - 1])
        self.bad("edge 1: the weight is inf", [0, 1], [1, 2], [1, float("inf")])
        self.bad("edge 0: the weight is the text '7': weights are finite numbers", [0, 1], [1, 2],
                 ["7", 2])

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
        self.refused(usage, "have 2 dimensions", self.ingest,
                     (memoryview(bytes(4)).cast("B", [2, 2]), [1, 2]))
        self.refused(usage, "sources are truth values", self.ingest,
                     (memoryview(bytes(2)).cast("?"), [1, 2]))
        self.refused(usage, "sources have the type 'P'", self.ingest,
                     (memoryview(bytes(8)).cast("P"), [1]))
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
        self.refused(FileExistsError, "is a graph already: choose another name, replace it, or", self.ingest, (SOURCES, TARGETS))
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
        frame = pandas.DataFrame(EDGES, columns=["from", "to"])
        self.expect_edges(frame.itertuples(index=False))
        self.expect_edges([frame["from"], frame["to"]])
        self.expect_edges(frame[["to", "from"]])
        frame["weight"] = [1.0, 2.0, 3.0, 4.0]
        self.expect_edges(frame[["weight", "to", "from"]])

    @needs("pandas")
    def test_frames_that_are_refused(self):
        import numpy
        import pandas

        frame = pandas.DataFrame({"from": SOURCES, "to": TARGETS, "weight": 1.5, "day": "may"})
        usage, bad = edgemill.UsageError, edgemill.BadData
        self.refused(usage, 'a frame with 4 columns: take two or three: df[["from", "to"]] or '
                     'df[["from", "to", "weight"]]', self.ingest, frame)
        self.refused(usage, 'the column "weight" would be the target: give the columns in the order',
                     self.ingest, frame[["from", "weight"]])
        frame["from"] = frame["from"].astype(float)
        frame.loc[2, "from"] = None
        self.refused(bad, "edge 2: the source (column 'from') is missing: dropna() leaves such rows "
                     "out", self.ingest, frame[["to", "from"]])
        self.refused(bad, "edge 2: the source (column 'from') is missing", self.ingest,
                     (frame["from"], frame["to"]))
        frame = frame.dropna()
        frame["when"] = pandas.to_datetime("2024-01-05")
        truths = [(numpy.bool_(True), 1)]
        self.refused(bad, "edge 0: the source is ", self.ingest, truths)
        self.refused(usage, "sources are dates or times", self.ingest, frame[["when", "to"]])
        frame["same"] = frame["from"] == frame["to"]
        self.refused(usage, "targets are truth values: give whole numbers as ids", self.ingest,
                     frame[["from", "same"]])
        self.refused(bad, "edge 0: the weight is the text 'may'", self.ingest,
                     frame[["from", "to", "day"]])
        self.assertFalse(os.path.exists(self.path))

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
