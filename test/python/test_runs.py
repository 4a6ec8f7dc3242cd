"""Runs: every algorithm against the program, signatures, answers, errors."""

import inspect
import math
import os
import unittest
import warnings

import edgemill
from support import MEMORY, TestCase, has, needs, program, values



def options_of(algorithm) -> dict:
    """Options for a run of the algorithm."""
    options = {one.parameter: 7 + place for place, one in
               enumerate(one for one in algorithm.options if one.required)}
    if algorithm.name == "katz":
        options["alpha"] = 0.001  # the default is too much for this graph
    return {**options, "value_seed": 5} if algorithm.group == "simulations" else options


class AlgorithmsTest(TestCase):
    def setUp(self):
        super().setUp()
        self.generate("rmat")

    def generate(self, kind: str):
        """The graph of the test: directed by rmat, symmetric by kron. It is made once."""
        self.path = self.file(f"{kind}.mill")
        if not os.path.exists(self.path):
            program("generate", kind, self.path, "--scale", "8", "--weights", "random:1:9:7")
        self.graph = edgemill.open(self.path, memory=MEMORY, threads=2)
        self.addCleanup(self.graph.close)

    def expect_as_program(self, algorithm: str, options: dict):
        """The method and the program give the same values."""
        out = self.file(f"{algorithm}-{len(options)}.tsv")
        words = []
        for name, value in options.items():
            name = "--" + name.replace("_", "-")
            words += [name] if value is True else [f"{name}={value}"]
        program("run", algorithm, self.path, *words, "--device", "cpu", "--output", out)
        method = "shortest_path" if algorithm == "path" else algorithm  # graph.path is its folder
        answer = getattr(self.graph, method)(device="cpu", **options)
        with open(out, encoding="utf-8") as file:
            rows = [line.split() for line in file]
        self.assertEqual(values(answer.ids) if not isinstance(answer.ids, range)
                         else list(answer.ids), [int(row[0]) for row in rows])
        wanted = [None if row[1] == "inf" else float(row[1]) for row in rows]
        self.assertEqual(list(answer.to_dict().values()), wanted, f"{algorithm} {options}")

    def test_all_are_as_the_program_says(self):
        tested = 0
        for algorithm in edgemill.algorithms():
            # Some algorithms take symmetric graphs alone, and one directed ones.
            self.generate("rmat" if algorithm.name == "toposort" else "kron")
            with self.subTest(algorithm.name):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    self.expect_as_program(algorithm.name, options_of(algorithm))
            tested += 1
        self.assertGreaterEqual(tested, 13)

    def test_flags_and_other_columns(self):
        self.expect_as_program("bfs", {"source": 7, "parents": True})
        self.expect_as_program("sssp", {"source": 7, "parents": True})
        self.expect_as_program("pagerank", {"damping": 0.5, "iterations": 3})

    def test_lists(self):
        answer = self.graph.msbfs(source=[7, 0])
        self.assertEqual(len(answer.columns), 2)
        for column, source in zip(answer.columns, (7, 0)):
            levels = values(self.graph.bfs(source).values)
            self.assertEqual(values(answer[column]), levels)
        self.refused(KeyError, "none of the columns", answer.__getitem__, "level of 12345")

    def test_aliases_and_names(self):
        self.assertEqual(values(self.graph.pr().values), values(self.graph.pagerank().values))
        by_name = self.graph.run("path-count", source=7)
        self.assertEqual(values(by_name.values), values(self.graph.ssnsp(7).values))
        self.refused(edgemill.UsageError, "pagerank", self.graph.run, "pagernk")

    def test_wrong_options(self):
        run = self.graph.pagerank
        self.refused(edgemill.UsageError, 'run: damping: "2" is not valid: give a number from 0',
                     run, damping=2)
        self.refused(edgemill.UsageError, 'damping: "x" is not valid', run, damping="x")
        self.refused(edgemill.UsageError, '"moon" is none of auto, cpu', run, device="moon")
        self.refused(edgemill.UsageError, "verify: give True or False", run, verify="yes")
        self.refused(TypeError, "pagerank: got an unexpected keyword argument 'dampin'", run,
                     dampin=0.5)
        self.refused(TypeError, "bfs: missing a required argument: 'source'", self.graph.bfs)
        self.refused(edgemill.UsageError, "999999", self.graph.bfs, 999999)
        self.refused(edgemill.UsageError, "has no zero bytes", run, device="a\0b")
        self.refused(ValueError, "damping", run, damping=7)
        self.refused(edgemill.UsageError, "tolerance=1e-09: must be at least", run, tolerance=1e-9)
        self.refused(TypeError, "a path is a text or a pathlib.Path, not None", edgemill.open, None)
        self.refused(TypeError, "a path is a text or a pathlib.Path, not 5", edgemill.remove, 5)
        self.refused(edgemill.BudgetError, "needs at least memory=\"", run, memory="33MiB")
        self.refused(MemoryError, "needs at least memory=", run, memory=33 << 20)


class SignatureTest(unittest.TestCase):
    def test_signatures_are_the_declarations(self):
        parameters = inspect.signature(edgemill.Graph.pagerank).parameters
        self.assertEqual(parameters["damping"].default, 0.85)
        self.assertEqual(parameters["damping"].annotation, float)
        self.assertIs(parameters["verify"].default, False)
        self.assertEqual(parameters["device"].default, None)
        self.assertIn("progress", parameters)
        bfs = inspect.signature(edgemill.Graph.bfs).parameters
        self.assertEqual(list(bfs)[:2], ["self", "source"])
        self.assertIs(bfs["source"].default, inspect.Parameter.empty)
        self.assertIn("list", str(inspect.signature(edgemill.Graph.msbfs)).lower())

    def test_help_has_the_texts(self):
        for algorithm in edgemill.algorithms():
            method = getattr(edgemill.Graph, algorithm.name)
            self.assertTrue(method.__doc__.startswith(algorithm.summary))
            for option in algorithm.options:
                self.assertIn(f"\n    {option.parameter}", method.__doc__)
                if "-" not in option.help:
                    self.assertIn(f": {option.help}\n", method.__doc__)
            for about in ("direction", "duplicates, loops", "weights"):
                self.assertIn(f"    {about}: ", method.__doc__)
                self.assertIn(about, algorithm.properties)
        text = edgemill.Graph.pagerank.__doc__
        self.assertIn("\n    weights: ignored\n", text)
        self.assertIn("when ranks change by less than tolerance in all", text)
        self.assertIn('with device="hybrid": the share', text)
        self.assertLess(text.index("\n    damping: "), text.index("\nThe machine:\n"))
        self.assertLess(text.index("\nThe machine:\n"), text.index("\n    device ("))
        self.assertIn("    device (auto|cpu|gpu|hybrid): where", edgemill.Graph.bfs.__doc__)
        self.assertIn("csv_columns", inspect.signature(edgemill.ingest).parameters)
        self.assertIn("csv_columns: ", edgemill.ingest.__doc__)


class AnswerTest(TestCase):
    def test_values_of_each_kind(self):
        graph = self.ingest(([10, 20, 30], [20, 30, 40]))
        levels = graph.bfs(20)
        self.assertEqual(values(levels.values), [-1, 0, 1, 2])
        self.assertEqual(values(levels.vertices), [10, 20, 30, 40])
        self.assertEqual(levels.to_dict(), {10: None, 20: 0, 30: 1, 40: 2})
        self.assertEqual(levels.top(2), [(40, 2), (30, 1)])
        self.assertEqual(levels.top(99), [(40, 2), (30, 1), (20, 0)])
        self.assertEqual(levels.facts["reached_vertices"], 3)
        self.assertEqual(len(levels), 4)
        self.assertIn("bfs: level of 4 vertices", repr(levels))
        parents = graph.bfs(20, parents=True)
        self.assertEqual(values(parents.values), [2**64 - 1, 20, 20, 30])
        self.refused(edgemill.UsageError, "have no order", parents.top)
        self.assertEqual(graph.cc().top(), [(10, 4)])
        ranks = graph.pagerank()
        self.assertAlmostEqual(sum(values(ranks["rank"])), 1)

    def test_names(self):
        graph = self.ingest(self.file("names.csv", "from,to\nada,bob\nbob,eve\n"))
        self.assertTrue(graph.has_names)
        self.assertEqual(graph.names(), ["ada", "bob", "eve"])
        levels = graph.bfs("bob")
        self.assertEqual(levels.vertices, ["ada", "bob", "eve"])
        self.assertEqual(levels.to_dict(), {"ada": None, "bob": 0, "eve": 1})
        self.assertEqual(levels.top(1), [("eve", 1)])
        self.assertEqual(graph.bfs("bob", parents=True).to_dict(),
                         {"ada": None, "bob": "bob", "eve": "bob"})
        self.refused(edgemill.UsageError, "bob", graph.bfs, "bbo")

    def test_weights(self):
        graph = self.ingest(([0, 0, 1], [1, 2, 2], [1.5, 4, 1]))
        self.assertEqual(graph.weights, "float32")
        self.assertEqual(values(graph.sssp(0).values), [0, 1.5, 2.5])
        with self.assertWarnsRegex(edgemill.Warning, "no edge leads from the source") as caught:
            distances = graph.sssp(2)
        self.assertEqual(caught.filename, __file__)
        self.assertEqual(values(distances.values), [math.inf, math.inf, 0])
        self.assertEqual(len(distances.warnings), 1)

    def test_values_of_single_vertices(self):
        graph = self.ingest(([10, 20, 30], [20, 30, 40]))
        levels = graph.bfs(20)
        self.assertEqual([levels.of(vertex) for vertex in (10, 20, 30, 40)], [None, 0, 1, 2])
        self.assertEqual(graph.msbfs([20, 10]).of(30), {"20": 1, "10": 2})
        for vertex in (11, -1, 50, 2**64, "10", None, 10.0):
            with self.assertRaisesRegex(KeyError, "is the id of none of the vertices of .*graph.mill"):
                levels.of(vertex)
        graph.close()
        graph = self.ingest([("bob", "eve"), ("ada", "bob")], replace=True)
        parents = graph.bfs("bob", parents=True)
        self.assertEqual([parents.of(name) for name in ("ada", "bob", "eve")], [None, "bob", "bob"])
        for name in ("zoe", "", 0):
            with self.assertRaisesRegex(KeyError, "is the name of none of the vertices"):
                parents.of(name)
        graph.close()
        ranks = self.ingest([(0, 1)], replace=True).pagerank()  # ids are 0, 1, ...
        self.assertAlmostEqual(ranks.of(0) + ranks.of(1), 1)

    def test_an_answer_is_no_sequence(self):
        answer = self.ingest(([0, 1], [1, 2])).cc()
        uses = [list, iter, reversed, dict, lambda one: 0 in one]
        if has("pandas"):
            import pandas

            uses.append(pandas.Series)
        for use in uses:
            self.refused(TypeError, "use values, vertices, of(vertex), to_dict() or to_pandas()", use,
                         answer)

    def test_a_closed_graph_can_be_removed(self):
        with self.ingest([("ada", "bob"), ("bob", "eve")]) as graph:
            unread = graph.bfs("bob")
            self.refused(edgemill.LockedError, "graph.mill", edgemill.remove, self.path)
        for names in (unread.to_dict, unread.top, graph.names, lambda: unread.vertices,
                      lambda: unread.of("bob"), unread.__arrow_c_stream__):
            self.refused(edgemill.UsageError, "graph.mill: is closed: open it again", names)
        edgemill.remove(self.path)
        self.assertFalse(os.path.exists(self.path))
        self.assertEqual(values(unread.values), [-1, 0, 1])
        graph = self.ingest([("ada", "bob"), ("bob", "eve")])
        read = graph.bfs("bob")
        graph.names()
        graph.close()
        self.assertEqual(read.to_dict(), {"ada": None, "bob": 0, "eve": 1})

    def test_answers_outlive_their_graph(self):
        graph = self.ingest(([0, 1], [1, 2]))
        column = graph.bfs(0).values
        graph.close()
        del graph
        self.assertEqual(values(column), [0, 1, 2])

    @needs("numpy")
    def test_numpy(self):
        import numpy

        graph = self.ingest(([10, 20, 30], [20, 30, 40]))
        levels = graph.bfs(20)
        array = numpy.asarray(levels)
        self.assertEqual(array.dtype, numpy.int64)
        self.assertEqual(array.ctypes.data, levels._info.values)
        self.assertFalse(array.flags.writeable)
        self.assertEqual(numpy.asarray(levels, dtype=float).tolist(), [-1, 0, 1, 2])
        self.assertEqual(graph.msbfs([20, 10]).to_numpy().tolist(),
                         [[-1, 0], [0, 1], [1, 2], [2, 3]])
        del levels
        self.assertEqual(array.tolist(), [-1, 0, 1, 2])

    @needs("pandas")
    def test_pandas(self):
        frame = self.ingest(([10, 20, 30], [20, 30, 40])).bfs(20).to_pandas()
        self.assertEqual(frame.index.tolist(), [10, 20, 30, 40])
        self.assertEqual(frame["level"].isna().tolist(), [True, False, False, False])
        self.assertEqual(frame["level"].sum(), 3)
        self.path = self.file("weighted.mill")
        distances = self.ingest(([10, 20, 30], [20, 30, 40], [1.5, 2.5, 1])).sssp(20)
        frame = distances.to_pandas()
        self.assertEqual(frame["distance"].isna().tolist(), [True, False, False, False])
        self.assertEqual(frame["distance"].mean(), 2)
        self.assertEqual(distances.values.tolist(), [math.inf, 0, 2.5, 3.5])

    @needs("pyarrow")
    def test_pyarrow(self):
        import pyarrow

        table = pyarrow.table(self.ingest(([10, 20, 30], [20, 30, 40])).bfs(20))
        self.assertEqual(table.to_pydict(),
                         {"vertex": [10, 20, 30, 40], "level": [None, 0, 1, 2]})

    def test_runs_share_a_cache(self):
        path = self.file("cached.mill")
        program("generate", "uniform", path, "--scale", "12")
        with edgemill.open(path, memory=MEMORY, threads=1, cache="128MiB") as graph:
            first = graph.pagerank(device="cpu", iterations=10)
            second = graph.pagerank(device="cpu", iterations=10)
            self.assertGreater(first.bytes_read, 0)
            self.assertEqual(second.bytes_read, 0)
            self.assertEqual(values(first.values), values(second.values))
        with edgemill.open(path, memory=MEMORY, cache="1KiB") as graph:
            with self.assertRaisesRegex(edgemill.BudgetError, "share takes at least"):
                graph.pagerank(device="cpu")

    def test_a_column_is_the_weight(self):
        pay, path = self.file("pay.csv"), self.file("pay.mill")
        with open(pay, "w", encoding="utf-8") as file:
            file.write("from,to,amount,day\n0,1,2.5,2026-01-02\n1,2,4,2026-01-03\n")
        edgemill.ingest(pay, path, column=["amount", "day:datetime"]).close()
        with edgemill.open(path, weight="amount") as graph:
            self.assertEqual(graph.sssp(0).values.tolist(), [0, 2.5, 6.5])
        with edgemill.open(path) as graph:
            self.assertEqual(graph.sssp(0).values.tolist(), [0, 1, 2])
        with self.assertRaisesRegex(edgemill.UsageError, "there are amount, day"):
            edgemill.open(path, weight="amuont")

    def test_answers_go_to_files(self):
        graph = self.ingest(([10, 20, 30], [20, 30, 40]))
        out = self.file("levels.csv")
        answer = graph.bfs(20, output=out)
        self.assertEqual((len(answer), answer.column), (0, "level"))
        self.assertEqual(answer.facts["reached_vertices"], 3)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read(), "id,level\n10,inf\n20,0\n30,1\n40,2\n")
        for ask in (lambda: answer.values, lambda: answer.of(20), answer.to_dict, answer.top):
            with self.assertRaisesRegex(edgemill.UsageError, "are in the file .*levels.csv"):
                ask()
        with self.assertRaises(edgemill.OutputError):
            graph.bfs(20, output=out)
        graph.bfs(10, output=out, force=True)
        with self.assertRaisesRegex(edgemill.UsageError, "name a file"):
            graph.bfs(20, output="-")

    def test_what_is_missing_is_said(self):
        answer = self.ingest(([0, 1], [1, 2])).cc()
        for package, method in (("numpy", answer.to_numpy), ("pandas", answer.to_pandas),
                                ("pyarrow", answer.to_arrow)):
            try:
                __import__(package)
            except ImportError:
                self.refused(ImportError, f"pip install {package}", method)
