"""What NetworkX asks of a backend when NetworkX is imported. The library is not loaded for that."""

FUNCTIONS = {
    "average_clustering": "Of undirected graphs, without weights, over all nodes.",
    "bellman_ford_path_length": "Without negative weights.",
    "betweenness_centrality": "Without weights and endpoints.",
    "closeness_centrality": "Without distances, with wf_improved.",
    "clustering": "Of undirected graphs, without weights.",
    "connected_components": "",
    "core_number": "Of undirected graphs.",
    "degree_centrality": "Without loops in undirected graphs.",
    "descendants": "",
    "descendants_at_distance": "",
    "dijkstra_path_length": "With an attribute as weight.",
    "harmonic_centrality": "Without distances, from all sources.",
    "has_path": "",
    "in_degree_centrality": "",
    "is_connected": "",
    "is_weakly_connected": "",
    "isolates": "",
    "node_connected_component": "",
    "number_connected_components": "",
    "number_of_isolates": "",
    "number_weakly_connected_components": "",
    "out_degree_centrality": "",
    "pagerank": "Without weights, personalization, nstart and dangling.",
    "shortest_path_length": "From a source.",
    "single_source_bellman_ford_path_length": "Without negative weights.",
    "single_source_dijkstra_path_length": "With an attribute as weight.",
    "single_source_shortest_path_length": "",
    "transitivity": "Of undirected graphs.",
    "triangles": "",
    "weakly_connected_components": "",
}


def get_info() -> dict:
    return {
        "backend_name": "edgemill",
        "project": "edgemill",
        "package": "edgemill",
        "short_summary": "Graph algorithms on disk, on many threads and on GPUs.",
        "default_config": {
            "limit": "4GiB",  # of a graph of NetworkX that is made of one on disk
            "smallest_work": 100_000,  # edges to look at; NetworkX is faster below
        },
        "functions": {
            name: {"additional_docs": text} if text else {} for name, text in FUNCTIONS.items()
        },
    }
