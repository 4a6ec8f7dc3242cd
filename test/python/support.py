"""What the tests of the Python package share."""

import importlib.util
import os
import subprocess
import tempfile
import unittest

import edgemill

MEMORY = "128MiB"
PROGRAM = os.environ["EDGEMILL"]


def has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def needs(package: str):
    """Skips a test where an optional package is missing."""
    return unittest.skipUnless(has(package), f"{package} is not installed")


def program(*arguments: str) -> None:
    """Runs the program."""
    subprocess.run([PROGRAM, *arguments, "--quiet"], check=True, stdout=subprocess.DEVNULL)


class TestCase(unittest.TestCase):
    """A test with a directory of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = self.file("graph.mill")

    def file(self, name: str, text=None) -> str:
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def ingest(self, edges, **options):
        """The graph of these edges. It is closed at the end of the test."""
        graph = edgemill.ingest(edges, self.path, memory=MEMORY, threads=2, **options)
        self.addCleanup(graph.close)
        return graph

    def refused(self, kind, text, function, *arguments, **keywords):
        """The call raises an exception of this class with this text."""
        with self.assertRaises(kind) as caught:
            function(*arguments, **keywords)
        self.assertIn(text, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))


def values(column) -> list:
    """A column as a list, whether NumPy is installed or not."""
    return column if isinstance(column, list) else column.tolist()
