"""Runs: every algorithm against the program, signatures, answers, errors."""

import inspect
import math
import os
import pickle
import re
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
        answer = self.graph.run(algorithm, device="cpu", **options)
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

    def test_a_budget_that_is_named_is_enough(self):
        """Opening the graph names what it needs, and then the run does."""
        for name, options in (("pagerank", {}), ("bfs", {"source": 7}), ("betweenness", {}),
                              ("path", {"source": 7, "target": 0})):
            memory = "1MiB"
            for _ in range(2):
                with self.assertRaises(edgemill.BudgetError) as caught:
                    self.graph.run(name, memory=memory, device="cpu", **options)
                named = re.search('at least memory="([^"]+)"', str(caught.exception))
                self.assertIsNotNone(named, str(caught.exception))
                memory = named[1]
            answer = self.graph.run(name, memory=memory, device="cpu", **options)
            self.assertEqual(len(answer), self.graph.num_vertices)

    def test_sources_need_no_name(self):
        for name in ("bfs", "sssp", "ppr", "sswp", "ssnsp", "similarity"):
            method = getattr(self.graph, name)
            self.assertEqual(values(method(7).values), values(method(source=7).values), name)
        self.assertEqual(values(self.graph.ppr([7, 0]).values),
                         values(self.graph.ppr(source=[7, 0]).values))

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
        self.refused(TypeError, "pagerank: got an unexpected keyword argument 'dampin': did you mean "
                     "damping?", run, dampin=0.5)
        self.refused(TypeError, "bfs: missing a required argument: 'source'", self.graph.bfs)
        self.refused(TypeError, "bfs: got an unexpected keyword argument 'sorce': did you mean source",
                     self.graph.bfs, sorce=7)
        self.refused(TypeError, "pagerank: too many positional arguments", run, 7)
        self.refused(edgemill.UsageError, "the graph is directed, and modularity is that of undirected "
                     "graphs: ingest it with symmetrize=True", self.graph.louvain)
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
            name = "shortest_path" if algorithm.name == "path" else algorithm.name
            method = getattr(edgemill.Graph, name)
            self.assertTrue(method.__doc__.startswith(algorithm.summary))
            for option in algorithm.options:
                self.assertIn(f"\n    {option.parameter}", method.__doc__)
                if "-" not in option.help:
                    self.assertIn(f": {option.help}\n", method.__doc__)
            for about in ("direction", "duplicates, loops", "weights"):
                self.assertIn(f"    {about}: ", method.__doc__)
                self.assertIn(about, algorithm.properties)
            self.assertNotRegex(method.__doc__, r"(?<![\w-])--[a-z]")
        self.assertNotRegex(edgemill.ingest.__doc__, r"(?<![\w-])--[a-z]")
        text = edgemill.Graph.pagerank.__doc__
        self.assertIn("\n    weights: ignored\n", text)
        self.assertIn("when ranks change by less than tolerance in all", text)
        self.assertIn('with device="hybrid": the share', text)
        self.assertLess(text.index("\n    damping: "), text.index("\nThe machine:\n"))
        self.assertLess(text.index("\nThe machine:\n"), text.index("\n    device ("))
        self.assertIn("    device (auto|cpu|gpu|hybrid): where", edgemill.Graph.bfs.__doc__)
        self.assertIn("csv_columns", inspect.signature(edgemill.ingest).parameters)
        self.assertIn("csv_columns: ", edgemill.ingest.__doc__)


class PathTest(TestCase):
    EDGES = [(10, 20, 5), (20, 30, 1), (10, 40, 1), (40, 50, 1), (50, 30, 1), (70, 10, 1)]

    def test_a_path_is_the_sequence_of_its_vertices(self):
        graph = self.ingest(self.EDGES)
        path = graph.shortest_path(10, 30)
        self.assertEqual((list(path), len(path), path.length), ([10, 20, 30], 3, 2))
        self.assertEqual((path[0], path[-1], path[1:]), (10, 30, [20, 30]))
        self.assertEqual((20 in path, 40 in path, path.index(30)), (True, False, 2))
        self.assertEqual(path.vertices, [10, 20, 30])
        self.assertTrue(path == [10, 20, 30] and path == graph.path(10, target=30))
        self.assertFalse(path in ([10, 30], "10"))
        self.assertEqual(path.answer.to_dict(), {10: 0, 20: 1, 30: 2, 40: None, 50: None, 70: None})
        self.assertEqual(repr(path), "<edgemill.ShortestPath of length 2: 10 -> 20 -> 30>")
        light = graph.shortest_path(10, 30, weighted=True)
        self.assertEqual((list(light), light.length), ([10, 40, 50, 30], 3))
        self.assertIsInstance(light.length, int)
        same = graph.shortest_path(20, 20)
        self.assertEqual((list(same), same.length), ([20], 0))
        none = graph.shortest_path(30, 10)
        self.assertEqual((list(none), bool(none), none.length), ([], False, None))
        self.assertIn("none: the target is not reached", repr(none))
        answer = graph.run("path", source=10, target=30)
        self.assertEqual(values(answer.values), [0, 1, 2, -1, -1, -1])
        self.refused(TypeError, "path: missing a required argument: 'target'", graph.path, 10)

    def test_paths_of_names_and_real_weights(self):
        graph = self.ingest([("ada", "bob", 1.5), ("bob", "eve", 0.25), ("ada", "eve", 4)])
        self.assertEqual(graph.path("ada", "eve"), ["ada", "eve"])
        light = graph.path("ada", "eve", weighted=True)
        self.assertEqual((light.vertices, light.length), (["ada", "bob", "eve"], 1.75))

    def test_a_long_path(self):
        graph = self.ingest((range(5000), range(1, 5001)), renumber="degree")
        path = graph.path(0, 5000)
        self.assertEqual(path, list(range(5001)))
        self.assertEqual(repr(path), "<edgemill.ShortestPath of length 5,000: 0 -> 1 -> 2 -> 3 -> ... -> "
                         "4997 -> 4998 -> 4999 -> 5000>")

    def test_the_directory_is_a_text_too(self):
        graph = self.ingest(self.EDGES)
        path = graph.path
        self.assertEqual((path, type(pickle.loads(pickle.dumps(path)))), (self.path, str))
        self.assertEqual(os.path.basename(path), "graph.mill")
        self.assertEqual(list(edgemill.open(self.path).path(10, 30)), [10, 20, 30])
        graph.close()
        self.refused(edgemill.UsageError, "is closed: open it again", path, 10, 30)

    def test_a_path_in_a_file_is_not_in_memory(self):
        path = self.ingest(self.EDGES).path(10, 30, output=self.file("steps.csv"))
        self.assertEqual(path.length, 2)
        self.refused(edgemill.UsageError, "are in the file", list, path)


class GroupsTest(TestCase):
    def test_communities_and_components(self):
        edges = [("ada", "bob"), ("bob", "eve"), ("eve", "ada"), ("kim", "lea"), ("zoe", "yan")]
        graph = self.ingest(edges, undirected=True)
        wanted = [["ada", "bob", "eve"], ["kim", "lea"], ["yan", "zoe"]]
        for name in ("cc", "louvain", "leiden"):
            answer = graph.run(name)
            self.assertEqual(list(answer.groups()), wanted, name)
            self.assertEqual(answer.top(2), [("ada", 3), ("kim", 2)])
            self.assertEqual(answer.of("eve"), "ada")
        labels = graph.cdlp()
        self.assertEqual(sorted(name for group in labels.groups() for name in group), graph.names())
        self.refused(edgemill.UsageError, "groups: a level is no group of vertices: of component, "
                     "community and label alone", graph.bfs("ada").groups)
        if has("pandas"):
            frame = graph.louvain().to_pandas()
            self.assertEqual(frame.groupby("community").size().to_dict(),
                             {"ada": 3, "kim": 2, "yan": 2})

    def test_ids(self):
        graph = self.ingest([(30, 10), (20, 40), (40, 50)])
        self.assertEqual(list(graph.cc().groups()), [[20, 40, 50], [10, 30]])
        self.assertEqual(list(self.ingest(iter(()), replace=True).cc().groups()), [])


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
