"""Similarities of pairs."""

import collections
import math
import random
import unittest

import edgemill
from support import TestCase, values


class PairsTest(TestCase):
    def test_they_are_what_the_formulas_say(self):
        chance = random.Random(8)
        edges = [(chance.randrange(0, 120, 3), chance.randrange(0, 120, 3)) for _ in range(700)]
        graph = self.ingest(edges)
        near = {"out": collections.defaultdict(set), "in": collections.defaultdict(set)}
        for source, target in edges:
            if source != target:
                near["out"][source].add(target)
                near["in"][target].add(source)
        ones = [chance.choice(edges)[0] for _ in range(300)]
        others = [chance.choice(edges)[1] for _ in range(300)]
        for neighbors, lists in near.items():
            shared = [lists[u] & lists[v] for u, v in zip(ones, others)]
            every = [lists[u] | lists[v] for u, v in zip(ones, others)]
            jaccard = [len(a) / len(b) if b else 0 for a, b in zip(shared, every)]
            found = values(graph.pairs(ones, others, neighbors=neighbors))
            for one, other in zip(found, jaccard):
                self.assertAlmostEqual(one, other, places=12)
            common = values(graph.pairs(ones, others, measure="common", neighbors=neighbors))
            self.assertEqual(common, list(map(len, shared)))
            weighed = values(graph.pairs(ones, others, neighbors=neighbors, measure="cosine"))
            for i, value in enumerate(weighed):
                sizes = len(lists[ones[i]]) * len(lists[others[i]])
                self.assertAlmostEqual(value, len(shared[i]) / math.sqrt(sizes) if sizes else 0)
        self.assertEqual(len(graph.pairs([], [])), 0)
        self.assertEqual(values(graph.pairs(3, 3)), [1])

    def test_names(self):
        graph = self.ingest([("ada", "eve"), ("bob", "eve"), ("bob", "joe")])
        self.assertEqual(values(graph.pairs(["ada", "bob"], ["bob", "bob"])), [0.5, 1])
        self.refused(edgemill.UsageError, "mallory", graph.pairs, ["mallory"], ["bob"])

    def test_what_cannot_be_is_an_error(self):
        graph = self.ingest([(0, 1), (1, 2)])
        self.refused(edgemill.UsageError, "1 vertices and 2 others", graph.pairs, [0], [1, 2])
        self.refused(edgemill.UsageError, "measure", graph.pairs, [0], [1], measure="nearness")
        self.refused(edgemill.UsageError, "99", graph.pairs, [0], [99])
        self.refused(edgemill.BudgetError, "memory", graph.pairs, [0], [1], memory="1MiB")
        graph.close()
        self.refused(edgemill.UsageError, "closed", graph.pairs, [0], [1])


if __name__ == "__main__":
    unittest.main()
