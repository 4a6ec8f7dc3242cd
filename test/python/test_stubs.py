"""Types: the stubs are what the library declares, and a type checker accepts the package."""

import importlib.util
import os
import subprocess
import sys

import edgemill
from support import TestCase, needs

PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python")
PACKAGE = os.path.join(PYTHON, "edgemill")

PROGRAM = """
import edgemill

graph: edgemill.Graph = edgemill.ingest("a.csv", "a.mill", undirected=True, memory="1GiB")
ranks: edgemill.Answer = graph.pagerank(damping=0.9, device="cpu", progress=False)
levels = graph.bfs("ada", parents=True)
total: int = len(levels)
path: edgemill.ShortestPath = graph.shortest_path("ada", "eve", weighted=True)
steps: edgemill.ShortestPath = graph.path("ada", "eve")
folder: str = graph.path
near = graph.ppr("ada").top(3)
members = [len(group) for group in graph.louvain().groups()]
sample: edgemill.Lists = graph.neighbors([1, 2])
for sources, targets in graph.edges(chunk=100):
    pass
"""
WRONG = """
import edgemill

graph = edgemill.open("a.mill")
graph.pagerank(damping="much")
graph.pagernk()
graph.bfs()
edgemill.ingest("a.csv", "a.mill", undirected=3.5)
"""


class StubsTest(TestCase):
    def test_the_stubs_are_what_is_declared(self):
        made = importlib.util.spec_from_file_location("make_stubs",
                                                      os.path.join(PYTHON, "make_stubs.py"))
        module = importlib.util.module_from_spec(made)
        made.loader.exec_module(module)
        with open(os.path.join(PACKAGE, "_declared.pyi"), encoding="utf-8") as file:
            self.assertTrue(file.read() == module.stubs(), "the declarations have changed: "
                            "python3 python/make_stubs.py > python/edgemill/_declared.pyi")
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "py.typed")))

    def check(self, text: str) -> str:
        """What mypy says of a program."""
        path = self.file("program.py", text)
        ran = subprocess.run(
            [sys.executable, "-m", "mypy", "--no-color-output", "--cache-dir", self.folder, path],
            env={**os.environ, "MYPYPATH": PYTHON}, capture_output=True, text=True, check=False)
        return ran.stdout + ran.stderr

    @needs("mypy")
    def test_a_type_checker_knows_algorithms_and_options(self):
        self.assertIn("Success", self.check(PROGRAM))
        said = self.check(WRONG)
        for line, of in ((5, "damping"), (6, "pagernk"), (7, "source"), (8, "undirected")):
            self.assertRegex(said, f"program.py:{line}: .*{of}")
        self.assertIn("Found 4 errors in 1 file", said)
