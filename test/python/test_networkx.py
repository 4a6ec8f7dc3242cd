"""The backend for NetworkX, through NetworkX's own functions, against NetworkX's own answers."""

import atexit
import gc
import glob
import importlib.metadata
import json
import os
import random
import shutil
import sys
import tempfile
import unittest

PYTHON = os.path.normpath(
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))

try:
    import tomllib

    VERSION = tuple(int(word) for word in importlib.metadata.version("networkx").split(".")[:2])
except ImportError:  # PackageNotFoundError is one
    VERSION = (0, 0)


def install(folder: str) -> None:
    """What pip leaves of the package: the entry points, in a folder of sys.path."""
    with open(os.path.join(PYTHON, "pyproject.toml"), "rb") as file:
        project = tomllib.load(file)["project"]
    info = os.path.join(folder, "edgemill-0.dist-info")
    os.mkdir(info)
    with open(os.path.join(info, "METADATA"), "w", encoding="utf-8") as file:
        file.write(f"Metadata-Version: 2.1\nName: edgemill\nVersion: {project['version']}\n")
    with open(os.path.join(info, "entry_points.txt"), "w", encoding="utf-8") as file:
        for group, points in project["entry-points"].items():
            file.write(f"[{group}]\n")
            file.writelines(f"{name} = {value}\n" for name, value in points.items())
    sys.path.append(folder)


_installed = []


def load():
    """NetworkX. It looks for backends when it is imported, and so the package is installed before,
    for all tests of this process."""
    if VERSION >= (3, 3) and not _installed:
        _installed.append(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, _installed[0])
        install(_installed[0])
    import networkx

    return networkx


@unittest.skipUnless(VERSION >= (3, 3), "NetworkX 3.3 or later is not installed")
class NetworkXTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.nx = load()
        cls.nx.config.warnings_to_ignore.add("cache")

    def graphs(self):
        """Graphs of all kinds; nodes are of several types, some without edges."""
        chance = random.Random(7)
        for kind in (self.nx.Graph, self.nx.DiGraph, self.nx.MultiGraph, self.nx.MultiDiGraph):
            graph = kind()
            graph.add_nodes_from(["alone", ("a", "tuple"), 5])
            for _ in range(90):
                graph.add_edge(chance.randrange(40), chance.randrange(40))
            graph.add_edge(("a", "tuple"), 3)
            yield graph
            yield kind([(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)])

    def expect_same(self, name: str, graph, *arguments, places=9, **keywords):
        function = getattr(self.nx, name)
        given = function(graph, *arguments, backend="edgemill", **keywords)
        wanted = function(graph, *arguments, backend="networkx", **keywords)
        self.assertIsInstance(given, dict)
        self.assertEqual(given.keys(), wanted.keys())
        for node, value in wanted.items():
            if value == value:
                self.assertAlmostEqual(given[node], value, places, f"{name} of {node}")
            else:
                self.assertNotEqual(given[node], given[node], f"{name} of {node}")

    def test_betweenness_by_weight(self):
        chance = random.Random(3)
        for graph in self.graphs():
            if graph.is_multigraph():
                continue
            for values in ((1, 2, 3), (0.25, 0.5, 4.0)):
                weighted = graph.copy()  # NetworkX keeps what it has converted
                for _, _, data in weighted.edges(data=True):
                    data["length"] = chance.choice(values)
                with self.subTest(f"{weighted}, {values}"):
                    self.expect_same("betweenness_centrality", weighted, weight="length")
                    for normalized in (True, False):
                        self.expect_same("betweenness_centrality", weighted, k=4, seed=5,
                                         normalized=normalized, weight="length")
        # What Edgemill refuses goes to the next backend: paths without end, and parallel edges.
        endless = self.nx.Graph()
        endless.add_edge(0, 1, length=0)
        endless.add_edge(1, 2, length=2)
        parallel = self.nx.MultiGraph()
        parallel.add_edge(0, 1, length=3)
        parallel.add_edge(0, 1, length=2)
        for graph in (endless, parallel):
            with self.assertRaises(NotImplementedError):
                self.nx.betweenness_centrality(graph, weight="length", backend="edgemill")

    def test_values_of_nodes(self):
        for graph in self.graphs():
            with self.subTest(str(graph)):
                self.expect_same("closeness_centrality", graph)
                self.expect_same("harmonic_centrality", graph)
                self.expect_same("single_source_shortest_path_length", graph, 3)
                self.expect_same("single_source_shortest_path_length", graph, 3, cutoff=2)
                self.expect_same("single_source_dijkstra_path_length", graph, 3)
                self.expect_same("single_source_bellman_ford_path_length", graph, 3)
                self.expect_same("shortest_path_length", graph, 3)
                self.expect_same("harmonic_centrality", graph, nbunch=[3, 0, 999])
                self.assertAlmostEqual(
                    self.nx.closeness_centrality(graph, 3, backend="edgemill"),
                    self.nx.closeness_centrality(graph, 3, backend="networkx"))
                if not graph.is_multigraph():
                    self.expect_same("betweenness_centrality", graph)
                    self.expect_same("betweenness_centrality", graph, normalized=False)
                    for k in (1, 4, len(graph)):
                        for normalized in (True, False):
                            self.expect_same("betweenness_centrality", graph, k=k, seed=5,
                                             normalized=normalized)
                if not graph.is_directed():
                    self.expect_same("triangles", graph)
                if not graph.is_directed() and not graph.is_multigraph():
                    for name in ("triangles", "clustering"):
                        self.expect_same(name, graph)
                        self.expect_same(name, graph, nodes=[3, 0, 999])
                        function = getattr(self.nx, name)
                        self.assertAlmostEqual(function(graph, 3, backend="edgemill"),
                                               function(graph, 3, backend="networkx"))
                    for name in ("average_clustering", "transitivity"):
                        function = getattr(self.nx, name)
                        self.assertAlmostEqual(function(graph, backend="edgemill"),
                                               function(graph, backend="networkx"))
                if graph.is_directed():
                    self.expect_same("degree_centrality", graph)
                    self.expect_same("in_degree_centrality", graph)
                    self.expect_same("out_degree_centrality", graph)
                if not graph.is_multigraph():
                    graph.remove_edges_from(list(self.nx.selfloop_edges(graph)))
                    self.expect_same("core_number", graph)
                if not graph.is_directed() and not graph.is_multigraph():
                    self.expect_same("degree_centrality", graph)

    def test_components(self):
        def sets(components):
            return sorted(map(sorted, ([str(node) for node in one] for one in components)))

        for graph in self.graphs():
            kind = "weakly_connected" if graph.is_directed() else "connected"
            find = getattr(self.nx, f"{kind}_components")
            self.assertEqual(sets(find(graph, backend="edgemill")),
                             sets(find(graph, backend="networkx")))
            count = getattr(self.nx, f"number_{kind}_components")
            self.assertEqual(count(graph, backend="edgemill"), count(graph, backend="networkx"))
        with self.assertRaises(self.nx.NetworkXNotImplemented):
            self.nx.connected_components(self.nx.DiGraph([(0, 1)]), backend="edgemill")

    def test_what_is_reached(self):
        for graph in self.graphs():
            for name, *arguments in (("descendants", 3), ("descendants_at_distance", 3, 2),
                                     ("has_path", 3, 0), ("has_path", 0, 3), ("isolates",),
                                     ("number_of_isolates",), ("is_connected",),
                                     ("is_weakly_connected",), ("node_connected_component", 3)):
                if graph.is_directed() == name.endswith(("is_connected", "node_connected_component")):
                    continue
                if name == "is_weakly_connected" and not graph.is_directed():
                    continue
                function = getattr(self.nx, name)
                given = function(graph, *arguments, backend="edgemill")
                wanted = function(graph, *arguments, backend="networkx")
                if name == "isolates":
                    given, wanted = list(given), list(wanted)
                self.assertEqual(given, wanted, f"{name} of {graph}")

    def left_to_networkx(self, name: str, reason: str, *arguments, **keywords):
        """NetworkX asks, and the backend says why it does not have this call."""
        from edgemill.networkx import backend

        self.assertIn(reason, backend.can_run(name, arguments, keywords))
        function = getattr(self.nx, name, None) or getattr(self.nx.community, name)
        with self.assertRaises(NotImplementedError):
            function(*arguments, backend="edgemill", **keywords)

    def length_of(self, graph, path, weight) -> float:
        """The length of a path, whose edges must be there."""
        if graph.is_multigraph():
            return sum(min(data.get(weight, 1) for data in graph[a][b].values())
                       for a, b in zip(path, path[1:]))
        return sum(graph[a][b].get(weight, 1) for a, b in zip(path, path[1:]))

    def test_paths(self):
        chance = random.Random(3)
        for graph in self.graphs():
            for *_, data in graph.edges(data=True):
                data["weight"] = chance.randrange(9)
            ends = [(3, 0), (0, ("a", "tuple")), ("alone", 3), (3, 3)]
            for source, target in [(a, b) for a, b in ends if a in graph and b in graph]:
                for name, weight, keywords in (
                        ("shortest_path", None, {}), ("bidirectional_shortest_path", None, {}),
                        ("shortest_path", "weight", {"weight": "weight"}),
                        ("shortest_path", "weight", {"weight": "weight", "method": "bellman-ford"}),
                        ("dijkstra_path", "weight", {}), ("bellman_ford_path", "weight", {}),
                        ("bidirectional_dijkstra", "weight", {})):
                    function = getattr(self.nx, name)
                    try:
                        wanted = function(graph, source, target, backend="networkx", **keywords)
                    except self.nx.NetworkXNoPath:
                        with self.assertRaises(self.nx.NetworkXNoPath):
                            function(graph, source, target, backend="edgemill", **keywords)
                        continue
                    given = function(graph, source, target, backend="edgemill", **keywords)
                    if name == "bidirectional_dijkstra":
                        self.assertEqual(given[0], wanted[0])
                        given, wanted = given[1], wanted[1]
                    self.assertEqual((given[0], given[-1]), (source, target))
                    self.assertEqual(self.length_of(graph, given, weight),
                                     self.length_of(graph, wanted, weight), name)
                    self.assertTrue(weight or len(given) == len(wanted))

    def test_paths_to_all_nodes(self):
        for graph in self.graphs():
            for place, (*_, data) in enumerate(graph.edges(data=True)):
                data["weight"] = place % 5 + 1
            calls = [("single_source_shortest_path", None, {}), ("shortest_path", None, {}),
                     ("single_source_shortest_path", None, {"cutoff": 1}),
                     ("single_source_dijkstra_path", "weight", {}),
                     ("single_source_bellman_ford_path", "weight", {}),
                     ("shortest_path", "weight", {"weight": "weight"})]
            if not graph.is_directed():
                calls.append(("shortest_path", None, {"target": 3}))
            for name, weight, keywords in calls:
                ends = () if "target" in keywords else (3,)
                function = getattr(self.nx, name)
                given = function(graph, *ends, backend="edgemill", **keywords)
                wanted = function(graph, *ends, backend="networkx", **keywords)
                self.assertEqual(given.keys(), wanted.keys(), name)
                for node, path in given.items():
                    self.assertEqual({path[0], path[-1]}, {node, 3})
                    self.assertEqual(self.length_of(graph, path, weight),
                                     self.length_of(graph, wanted[node], weight), name)

    def test_what_is_no_end_of_a_path_is_an_error_of_networkx(self):
        graph = self.nx.DiGraph([(0, 1), (1, 2)])
        for name, keywords in (("shortest_path", {}), ("shortest_path", {"weight": "weight"}),
                               ("shortest_path", {"weight": "weight", "method": "bellman-ford"}),
                               ("bidirectional_shortest_path", {}), ("dijkstra_path", {}),
                               ("bellman_ford_path", {}), ("bidirectional_dijkstra", {})):
            function = getattr(self.nx, name)
            for ends in ((0, 77), (77, 0), (77, 77), (2, 0)):
                with self.assertRaises(self.nx.NetworkXException) as wanted:
                    function(graph, *ends, backend="networkx", **keywords)
                with self.assertRaises(type(wanted.exception)):
                    function(graph, *ends, backend="edgemill", **keywords)

    def test_structure_of_directed_graphs(self):
        def sets(found):
            return sorted(sorted(map(str, one)) for one in found)

        acyclic = self.nx.DiGraph((a, b) for a, b in self.nx.gnp_random_graph(30, 0.1, seed=5).edges)
        acyclic.add_node("alone")
        for graph in [*self.graphs(), acyclic, self.nx.DiGraph()]:
            if not graph.is_directed():
                self.assertFalse(self.nx.is_directed_acyclic_graph(graph, backend="edgemill"))
                with self.assertRaises(self.nx.NetworkXError):
                    next(self.nx.topological_sort(graph, backend="edgemill"))
                continue
            for name in ("number_strongly_connected_components", "is_directed_acyclic_graph"):
                function = getattr(self.nx, name)
                self.assertEqual(function(graph, backend="edgemill"),
                                 function(graph, backend="networkx"), name)
            find = self.nx.strongly_connected_components
            self.assertEqual(sets(find(graph, backend="edgemill")),
                             sets(find(graph, backend="networkx")))
            given, wanted = [], []
            for backend, found in (("edgemill", given), ("networkx", wanted)):
                try:
                    for generation in self.nx.topological_generations(graph, backend=backend):
                        found.append(set(generation))
                except self.nx.NetworkXUnfeasible:
                    found.append("cycle")
            self.assertEqual(given, wanted)
        places = {node: place for place, node in
                  enumerate(self.nx.topological_sort(acyclic, backend="edgemill"))}
        self.assertEqual(len(places), len(acyclic))
        self.assertTrue(all(places[a] < places[b] for a, b in acyclic.edges))

    def test_distances(self):
        for graph in (self.nx.path_graph(7), self.nx.grid_2d_graph(4, 5), self.nx.path_graph(1),
                      self.nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2)])):
            self.expect_same("eccentricity", graph)
            first = next(iter(graph))
            self.assertEqual(self.nx.eccentricity(graph, first, backend="edgemill"),
                             self.nx.eccentricity(graph, first, backend="networkx"))
            self.expect_same("eccentricity", graph, [first])
            for name in ("diameter", "radius", "center", "periphery"):
                function = getattr(self.nx, name)
                for keywords in ({}, {"usebounds": True}):
                    given = function(graph, backend="edgemill", **keywords)
                    wanted = function(graph, backend="networkx", **keywords)
                    if isinstance(wanted, list):
                        given, wanted = sorted(given), sorted(wanted)
                    self.assertEqual(given, wanted, name)
        for name in ("diameter", "radius", "center", "periphery", "eccentricity"):
            with self.assertRaisesRegex(self.nx.NetworkXError, "infinite path length"):
                getattr(self.nx, name)(self.nx.Graph([(0, 1), (2, 3)]), backend="edgemill")
            self.left_to_networkx(name, "undirected graphs alone", self.nx.DiGraph([(0, 1)]))

    def test_two_sides(self):
        bipartite = self.nx.bipartite
        for graph in self.graphs():
            self.assertEqual(bipartite.is_bipartite(graph, backend="edgemill"),
                             bipartite.is_bipartite(graph, backend="networkx"))
        grid = self.nx.grid_2d_graph(4, 5)
        self.assertEqual(bipartite.sets(grid, backend="edgemill"),
                         bipartite.sets(grid, backend="networkx"))
        grid.add_nodes_from(["alone", "alone too"])
        grid.add_edge("c", "b")
        self.assertEqual(bipartite.color(grid, backend="edgemill"),
                         bipartite.color(grid, backend="networkx"))
        with self.assertRaises(self.nx.AmbiguousSolution):
            bipartite.sets(grid, backend="edgemill")
        with self.assertRaisesRegex(self.nx.NetworkXError, "not bipartite"):
            bipartite.color(self.nx.cycle_graph(5), backend="edgemill")

    def test_eigenvectors(self):
        for graph in self.graphs():
            if graph.is_multigraph():
                continue
            for *_, data in graph.edges(data=True):
                data["weight"] = 2.5
            for keywords in ({"alpha": 0.02}, {"alpha": 0.01, "beta": 3, "normalized": False},
                             {"alpha": 0.01, "weight": "weight"}):
                self.expect_same("katz_centrality", graph, tol=1e-12, **keywords)
            if len(graph) > 10:
                self.expect_same("eigenvector_centrality", graph, tol=1e-9, max_iter=500, places=6)
        karate = self.nx.karate_club_graph()  # with weights
        self.expect_same("eigenvector_centrality", karate, weight="weight", tol=1e-11, max_iter=500)
        with self.assertRaises(self.nx.PowerIterationFailedConvergence):
            self.nx.eigenvector_centrality(karate, max_iter=1, backend="edgemill")
        module = sys.modules["networkx.algorithms.link_analysis.hits_alg"]
        for given, wanted in zip(self.nx.hits(karate, backend="edgemill"),
                                 module._hits_python(karate, tol=1e-12, max_iter=1000)):
            for node, value in wanted.items():
                self.assertAlmostEqual(given[node], value, 7)
        with self.assertRaises(NotImplementedError):
            self.nx.katz_centrality(karate, beta={0: 1}, backend="edgemill")

    def test_links_that_are_predicted(self):
        chance = random.Random(11)
        for graph in self.graphs():
            if graph.is_directed() or graph.is_multigraph():
                continue
            nodes = list(graph)
            pairs = [(chance.choice(nodes), chance.choice(nodes)) for _ in range(60)]
            for name in ("jaccard_coefficient", "adamic_adar_index", "resource_allocation_index",
                         "preferential_attachment"):
                function = getattr(self.nx, name)
                given = list(function(graph, pairs, backend="edgemill"))
                wanted = list(function(graph, pairs, backend="networkx"))
                self.assertEqual([pair[:2] for pair in given], pairs)
                for (*_, a), (*_, b) in zip(given, wanted):
                    self.assertAlmostEqual(a, b, 12, name)
                self.assertEqual(list(function(graph, iter([]), backend="edgemill")), [])
                with self.assertRaises(self.nx.NodeNotFound):
                    function(graph, [(3, 777)], backend="edgemill")
                self.left_to_networkx(name, "needs ebunch", graph)

    def test_lists_of_pairs_are_read_in_batches(self):
        from edgemill import networkx_pairs

        graph = self.nx.gnp_random_graph(60, 0.2, seed=1)
        pairs = [(a, (a * 7 + 3) % 60) for a in range(60)]
        whole = list(self.nx.adamic_adar_index(graph, pairs, backend="edgemill"))
        self.addCleanup(setattr, networkx_pairs, "_EDGES", networkx_pairs._EDGES)
        networkx_pairs._EDGES = 20
        self.assertEqual(list(self.nx.adamic_adar_index(graph, pairs, backend="edgemill")), whole)
        self.assertEqual(list(networkx_pairs._batches([9, 9, 9, 50, 1, 19, 1])),
                         [(0, 2), (2, 3), (3, 4), (4, 6), (6, 7)])

    def test_communities_and_independent_sets(self):
        community = self.nx.community
        karate = self.nx.karate_club_graph()
        for name in ("louvain_communities", "leiden_communities"):
            found = getattr(community, name)(karate, seed=5, backend="edgemill")
            self.assertTrue(community.is_partition(karate, found))
            self.assertGreater(community.modularity(karate, found), 0.41)
            again = getattr(community, name)(karate, seed=5, backend="edgemill")
            self.assertEqual(found, again)
            many = getattr(community, name)(karate, resolution=3, seed=5, backend="edgemill")
            self.assertGreater(len(many), len(found))
            with self.assertRaises(NotImplementedError):
                getattr(community, name)(self.opened_karate(), weight=None)
            self.left_to_networkx(name, "only has max_level=None", karate, max_level=1)
        self.left_to_networkx("louvain_communities", "only has threshold", karate, threshold=0.1)
        self.left_to_networkx("louvain_communities", "undirected graphs alone",
                              self.nx.DiGraph([(0, 1)]))
        chosen = self.nx.maximal_independent_set(karate, seed=5, backend="edgemill")
        self.assertFalse(any(a in chosen and b in chosen for a, b in karate.edges))
        self.assertTrue(all(node in chosen or set(chosen) & set(karate[node]) for node in karate))

    def opened_karate(self):
        import edgemill

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        graph = edgemill.ingest(self.nx.karate_club_graph(), folder.name + "/karate.mill",
                                progress=False)
        self.addCleanup(graph.close)
        return graph

    def test_names_of_an_open_graph(self):
        import edgemill

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        made = self.nx.Graph([("ada", "bob"), ("bob", "eve"), ("eve", "ada"), ("eve", "kim"),
                              ("kim", "lea"), ("zoe", "yan")])
        graph = edgemill.ingest(made, folder.name + "/names.mill", progress=False)
        self.addCleanup(graph.close)
        self.assertEqual(self.nx.shortest_path(graph, "ada", "lea"), ["ada", "eve", "kim", "lea"])
        self.assertEqual(self.nx.shortest_path(graph, "ada"), self.nx.shortest_path(made, "ada"))
        pairs = [("ada", "kim"), ("bob", "lea")]
        self.assertEqual(list(self.nx.jaccard_coefficient(graph, pairs)),
                         list(self.nx.jaccard_coefficient(made, pairs)))
        found = self.nx.community.louvain_communities(graph, seed=1)
        self.assertIn({"yan", "zoe"}, found)
        self.assertEqual(set().union(*found), set(made))
        self.assertEqual(self.nx.bipartite.is_bipartite(graph), False)

    def test_one_length(self):
        graph = self.nx.DiGraph()
        graph.add_weighted_edges_from([(0, 1, 4), (0, 2, 1), (2, 1, 2), (1, 3, 5)])
        for name, keywords in (("dijkstra_path_length", {}), ("bellman_ford_path_length", {}),
                               ("shortest_path_length", {}),
                               ("shortest_path_length", {"weight": "weight"})):
            function = getattr(self.nx, name)
            self.assertEqual(function(graph, 0, 3, backend="edgemill", **keywords),
                             function(graph, 0, 3, backend="networkx", **keywords))
            with self.assertRaises(self.nx.NetworkXNoPath):
                function(graph, 3, 0, backend="edgemill", **keywords)
            for ends in ((3, 77), (77, 3)):  # raise what NetworkX does
                with self.assertRaises(self.nx.NetworkXException) as wanted:
                    function(graph, *ends, backend="networkx", **keywords)
                with self.assertRaises(type(wanted.exception)):
                    function(graph, *ends, backend="edgemill", **keywords)
        with self.assertRaises(ValueError):
            self.nx.shortest_path_length(graph, 0, method="magic", backend="edgemill")
        with self.assertRaises(NotImplementedError):
            self.nx.shortest_path_length(graph, backend="edgemill")

    def test_an_open_graph_is_a_graph_of_networkx(self):
        import edgemill

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        made = self.nx.gnp_random_graph(40, 0.1, seed=3)
        for names in (False, True):
            if names:
                made = self.nx.relabel_nodes(made, {node: f"n{node:02}" for node in made})
            path = f"{folder.name}/{names}.mill"
            edges = [(a, b, float(i % 5 + 1)) for i, (a, b) in enumerate(made.edges)]
            made = self.nx.Graph()
            made.add_weighted_edges_from(edges)
            graph = edgemill.ingest(edges, path, undirected=True, progress=False)
            self.addCleanup(graph.close)
            nodes = sorted(made)
            for name, *arguments in (("closeness_centrality",), ("core_number",),
                                     ("betweenness_centrality",), ("degree_centrality",),
                                     ("single_source_shortest_path_length", nodes[0]),
                                     ("single_source_dijkstra_path_length", nodes[0])):
                given = getattr(self.nx, name)(graph, *arguments)
                wanted = getattr(self.nx, name)(made, *arguments)
                self.assertEqual(given.keys(), wanted.keys(), name)
                for node, value in wanted.items():
                    self.assertAlmostEqual(given[node], value, 9, name)
            self.assertAlmostEqual(sum(self.nx.pagerank(graph, weight=None).values()), 1)
            self.assertEqual(self.nx.is_connected(graph), self.nx.is_connected(made))
            self.assertEqual(self.nx.shortest_path_length(graph, nodes[0], nodes[-1]),
                             self.nx.shortest_path_length(made, nodes[0], nodes[-1]))
            with self.assertRaises(self.nx.NodeNotFound):
                self.nx.has_path(graph, nodes[0], "nobody")
            with self.assertRaises(self.nx.NetworkXNotImplemented):
                self.nx.weakly_connected_components(graph)
            self.expect_conversion(graph, made)

    def expect_conversion(self, graph, made):
        """What Edgemill does not have needs a graph of NetworkX, on request and up to a limit."""
        import edgemill

        with self.assertRaises(NotImplementedError):
            self.nx.square_clustering(graph)
        self.nx.config.fallback_to_nx = True
        self.addCleanup(setattr, self.nx.config, "fallback_to_nx", False)
        self.assertEqual(self.nx.square_clustering(graph), self.nx.square_clustering(made))
        settings = self.nx.config.backends.edgemill
        with settings(limit="10KiB"), self.assertRaises(edgemill.BudgetError) as caught:
            self.nx.square_clustering(graph)
        self.assertIn("the graph of NetworkX with 40 nodes and", str(caught.exception))
        self.nx.config.fallback_to_nx = False
        from edgemill.networkx import backend

        again = backend.convert_to_nx(graph)
        self.assertTrue(self.nx.utils.graphs_equal(again, made))

    def test_small_graphs_are_left_to_networkx(self):
        from edgemill.networkx import backend

        self.nx.config.backend_priority.algos = ["edgemill"]
        self.addCleanup(setattr, self.nx.config.backend_priority, "algos", [])
        small, large = self.nx.path_graph(9), self.nx.path_graph(400)
        before = dict(backend.calls)
        self.assertTrue(self.nx.is_connected(small))
        self.assertEqual(backend.calls, before)
        self.assertIn("the graph is small: 8 edges",
                      backend.should_run("is_connected", (small,), {}))
        self.nx.closeness_centrality(large)  # 399 edges from each of 400 nodes
        self.assertEqual(backend.calls["closeness_centrality"],
                         before.get("closeness_centrality", 0) + 1)
        with self.nx.config.backends.edgemill(smallest_work=0):
            self.nx.is_connected(small)
        self.assertEqual(backend.calls["is_connected"], before.get("is_connected", 0) + 1)
        self.assertEqual(backend.can_run("pagerank", (small,), {"dangling": {0: 1}}),
                         "Edgemill only has dangling=None")
        self.assertEqual(backend.can_run("square_clustering", (small,), {}),
                         "Edgemill does not have it")

    def test_weights(self):
        graph = self.nx.DiGraph()
        graph.add_weighted_edges_from([(0, 1, 4), (0, 2, 1), (2, 1, 2), (1, 3, 5)])
        self.expect_same("single_source_dijkstra_path_length", graph, 0)
        self.expect_same("single_source_dijkstra_path_length", graph, 0, cutoff=3)
        graph.add_edge(3, 4, length=0.25)
        self.expect_same("single_source_dijkstra_path_length", graph, 0, weight="length")

    def test_weights_of_another_call_are_left_out(self):
        """NetworkX keeps a graph that was converted with weights for calls that need none."""
        edges = [("a", "b", 5), ("b", "c", 7), ("a", "c", 20)]
        for weights in (["weight", None], [None, "weight"], ["weight", None, "weight"]):
            graph = self.nx.DiGraph()
            graph.add_weighted_edges_from(edges)
            for weight in weights:
                self.expect_same("single_source_dijkstra_path_length", graph, "a", weight=weight)
            given = self.nx.pagerank(graph, weight=None, tol=1e-7, backend="edgemill")
            wanted = self.ranks(self.nx.DiGraph(list(graph.edges)))
            for node, rank in wanted.items():
                self.assertAlmostEqual(given[node], rank, places=5)

    def test_what_is_refused_runs_on_networkx(self):
        self.nx.config.backend_priority.algos = ["edgemill"]
        self.addCleanup(setattr, self.nx.config.backend_priority, "algos", [])
        distances = self.nx.single_source_dijkstra_path_length
        for weight in (None, -1, "far"):
            graph = self.nx.DiGraph()
            graph.add_edge(0, 1, weight=weight)
            with self.assertRaises(NotImplementedError):
                distances(graph, 0, backend="edgemill")
        graph.add_edge(0, 1, weight=None)  # NetworkX has no such edge
        self.assertEqual(distances(graph, 0), {0: 0})
        graph[0][1]["weight"] = -1
        graph.add_edge(1, 0, weight=2)
        self.assertEqual(distances(graph, 0), {0: 0, 1: -1})
        with self.assertRaises(NotImplementedError) as caught:
            self.nx.pagerank(self.nx.path_graph(3), tol=1e-12, backend="edgemill")
        self.assertIn("tolerance=3e-12: must be at least", str(caught.exception.__cause__))

    def ranks(self, graph, alpha=0.85, **options):
        """PageRank as NetworkX's pagerank has it, which needs SciPy."""
        module = sys.modules["networkx.algorithms.link_analysis.pagerank_alg"]
        return module._pagerank_python(graph, alpha=alpha, tol=1e-9, max_iter=1000, **options)

    def test_pagerank(self):
        for graph in self.graphs():
            for alpha in (0.85, 0.5):
                given = self.nx.pagerank(graph, alpha, tol=1e-7, backend="edgemill")
                wanted = self.ranks(graph, alpha)
                self.assertEqual(given.keys(), wanted.keys())
                far = sum(abs(given[node] - rank) for node, rank in wanted.items())
                self.assertLess(far, 1e-7 * (len(graph) + 10) / (1 - alpha))
        with self.assertRaises(self.nx.PowerIterationFailedConvergence):
            self.nx.pagerank(graph, max_iter=1, backend="edgemill")

    def test_personalised_and_weighted_pagerank(self):
        graph = self.nx.DiGraph()
        for node in range(40):
            for step in (1, 3, 11):
                graph.add_edge(f"n {node}", f"n {node * step % 37}", weight=1 + node * step % 5)
        for options in ({}, {"personalization": {"n 3": 1}},
                        {"personalization": {"n 3": 1, "n 7": 2.5, "n 20": 0}},
                        {"personalization": {"n 3": 1}, "weight": None}):
            given = self.nx.pagerank(graph, tol=1e-12, max_iter=1000, backend="edgemill", **options)
            wanted = self.ranks(graph, **options)
            self.assertEqual(given.keys(), wanted.keys())
            for node, rank in wanted.items():
                self.assertAlmostEqual(given[node], rank, places=7)
        with self.assertRaises(ZeroDivisionError):
            self.nx.pagerank(graph, personalization={"n 3": 0}, backend="edgemill")

    def test_what_it_lacks_is_said(self):
        graph = self.nx.path_graph(4)
        with self.assertRaises(NotImplementedError):
            self.nx.pagerank(graph, dangling={0: 1}, backend="edgemill")
        with self.assertRaises(self.nx.NodeNotFound):
            self.nx.single_source_shortest_path_length(graph, 77, backend="edgemill")
        for kind in (graph, self.nx.Graph()):
            with self.assertRaises(self.nx.NodeNotFound):
                self.nx.closeness_centrality(kind, u=77, backend="edgemill")
            with self.assertRaises(self.nx.NodeNotFound):
                self.nx.single_source_dijkstra_path_length(kind, 77, backend="edgemill")

    def test_a_class_with_edges_of_its_own_is_left_to_networkx(self):
        nx = self.nx

        class Complement(nx.Graph):
            def neighbors(self, node):
                return iter(set(self) - set(self._adj[node]) - {node})

        class Named(nx.Graph):
            name = "named"

        with self.assertRaises(NotImplementedError) as caught:
            nx.is_connected(Complement([(0, 1)]), backend="edgemill")
        self.assertIn("Complement has neighbours in its own way", str(caught.exception.__cause__ or
                                                                       caught.exception))
        self.assertTrue(nx.is_connected(Named([(0, 1)]), backend="edgemill"))
        view = nx.subgraph_view(nx.path_graph(5), filter_node=lambda node: node != 2)
        self.assertFalse(nx.is_connected(view, backend="edgemill"))

    def test_graphs_without_edges(self):
        for count in (0, 1, 3):
            graph = self.nx.empty_graph(count)
            for name in ("closeness_centrality", "harmonic_centrality", "core_number"):
                self.expect_same(name, graph)
            self.assertEqual(self.nx.number_connected_components(graph, backend="edgemill"), count)
            ranks = self.nx.pagerank(graph, backend="edgemill")
            self.assertEqual(len(ranks), count)

    def test_a_graph_is_converted_once_and_removed(self):
        def folders() -> set:
            return set(glob.glob(os.path.join(tempfile.gettempdir(), "edgemill-networkx-*")))

        gc.collect()  # graphs of other tests
        before = folders()
        graph = self.nx.path_graph(5)
        for _ in range(3):
            self.nx.closeness_centrality(graph, backend="edgemill")
        made = folders() - before
        self.assertEqual(len(made), 1)
        del graph
        gc.collect()
        self.assertFalse(made & folders())

    def test_the_list_of_functions_is_whole(self):
        from _edgemill_networkx import FUNCTIONS
        from edgemill.networkx import backend

        self.assertEqual(sorted(FUNCTIONS), sorted(backend.only))
        with open(os.path.join(os.path.dirname(PYTHON), "test", "python", "networkx_calls.json"),
                  encoding="utf-8") as file:
            recorded = json.load(file)["answered_calls"]
        self.assertEqual(sorted(recorded), sorted(FUNCTIONS))
        self.assertGreater(min(recorded.values()), 0)
        self.assertEqual(
            self.nx.utils.backends.backend_info["edgemill"]["backend_name"], "edgemill")
