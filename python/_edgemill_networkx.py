"""What NetworkX asks of a backend when NetworkX is imported. The library is not loaded for that."""

FUNCTIONS = {
    "betweenness_centrality": "From all nodes, without weights and endpoints.",
    "closeness_centrality": "Without distances, with wf_improved.",
    "connected_components": "",
    "core_number": "Of undirected graphs.",
    "harmonic_centrality": "Of all nodes, without distances.",
    "number_connected_components": "",
    "number_weakly_connected_components": "",
    "pagerank": "Without weights, personalization, nstart and dangling.",
    "single_source_dijkstra_path_length": "With an attribute as weight.",
    "single_source_shortest_path_length": "",
    "weakly_connected_components": "",
}


def get_info() -> dict:
    return {
        "backend_name": "edgemill",
        "project": "edgemill",
        "package": "edgemill",
        "short_summary": "Graph algorithms on disk, on many threads and on GPUs.",
        "functions": {
            name: {"additional_docs": text} if text else {} for name, text in FUNCTIONS.items()
        },
    }
