"""The examples of docs/PYTHON.md."""

import doctest
import os
import re

import edgemill
from support import TestCase, has

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
NEEDS_NUMPY = re.compile(r"\b(sampler|batch)\b")


class DocsTest(TestCase):
    def test_examples(self):
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        crawl = "cnr-2000-2010order.el.zst"
        os.symlink(os.path.join(ROOT, "test", "data", "cnr-2000", crawl), crawl)
        self.file("links.csv", "from,to\nada,bob\nbob,eve\n")
        self.file("bad.csv", "1,2\n2,three\n2,3\n")
        page = os.path.join(ROOT, "docs", "PYTHON.md")
        with open(page, encoding="utf-8") as file:
            test = doctest.DocTestParser().get_doctest(file.read(), {}, "PYTHON.md", page, 0)
        if not has("numpy"):
            test.examples = [one for one in test.examples if not NEEDS_NUMPY.search(one.source)]
        failed, tested = doctest.DocTestRunner().run(test)
        self.assertEqual(failed, 0)
        self.assertGreater(tested, 10)

    def test_classes_of_errors_are_listed(self):
        with open(os.path.join(ROOT, "docs", "PYTHON.md"), encoding="utf-8") as page:
            text = page.read()
        for name in edgemill.__all__:
            if isinstance(getattr(edgemill, name), type):
                self.assertTrue(name in ("Answer", "Progress") or name in text, name)
