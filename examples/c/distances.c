// Makes a graph of arrays, opens it and runs an algorithm on it: distances OUT.mill.
//   cc -std=c11 distances.c -o distances $(pkg-config --cflags --libs edgemill)
#include <edgemill/c_api.h>
#include <inttypes.h>
#include <stdio.h>

enum { kVertices = 1000, kEdges = kVertices + kVertices / 10 };

// A ring of 1,000 vertices, in which each tenth vertex has an edge to vertex 0.
struct Ring {
  uint32_t sources[kEdges];
  uint32_t targets[kEdges];
  double weights[kEdges];
  int32_t is_given;
};

static void MakeRing(struct Ring* ring) {
  uint64_t edges = 0;
  for (uint32_t v = 0; v < kVertices; ++v) {
    ring->sources[edges] = v;
    ring->targets[edges] = (v + 1) % kVertices;
    ring->weights[edges++] = 1;
    if (v % 10 != 0) continue;
    ring->sources[edges] = v;
    ring->targets[edges] = 0;
    ring->weights[edges++] = 2.5;
  }
  ring->is_given = 0;
}

// Gives all edges at once, and then none.
static int32_t NextEdges(void* user, edgemill_edges* edges) {
  struct Ring* const ring = user;
  edges->count = ring->is_given ? 0 : kEdges;
  edges->sources = (edgemill_array){.values = ring->sources, .format = "I"};
  edges->targets = (edgemill_array){.values = ring->targets, .format = "I"};
  edges->weights = (edgemill_array){.values = ring->weights, .format = "g"};
  ring->is_given = 1;
  return 0;
}

static int32_t ShowProgress(void* user, const edgemill_progress* progress) {
  (void)user;
  fprintf(stderr, "%s: iteration %" PRIu64 "\n", progress->stage, progress->iteration);
  return 1;  // 0 cancels
}

static edgemill_error* AskRing(const edgemill_graph* graph) {
  printf("vertices %" PRIu64 "\n", edgemill_graph_describe(graph)->num_vertices);
  const char* const arguments[] = {"--source=995", "--memory=128MiB"};
  const edgemill_call call = {.arguments = arguments, .num_arguments = 2, .progress = ShowProgress};
  edgemill_answer* answer = NULL;
  edgemill_error* const error = edgemill_run(graph, "sssp", &call, &answer);
  if (error != NULL) return error;
  const double* const distances = edgemill_answer_describe(answer)->values;
  printf("distance from 995 to 7: %g\n", distances[7]);
  edgemill_answer_free(answer);
  return NULL;
}

int main(int argc, char** argv) {
  if (edgemill_abi_version() != EDGEMILL_ABI_VERSION) {
    fprintf(stderr, "the library %s is not the one of the header\n", edgemill_version());
    return 1;
  }
  const char* const path = argc > 1 ? argv[1] : "ring.mill";
  struct Ring ring;
  MakeRing(&ring);
  const edgemill_edge_source source = {.user = &ring, .weighted = 1, .next = NextEdges};
  edgemill_graph* graph = NULL;
  edgemill_error* error = edgemill_ingest_edges(&source, path, NULL, NULL);
  if (error == NULL) error = edgemill_graph_open(path, NULL, &graph);
  if (error == NULL) error = AskRing(graph);
  edgemill_graph_close(graph);
  if (error == NULL) return 0;
  fprintf(stderr, "%s\n", edgemill_error_message(error));
  const int32_t code = edgemill_error_code(error);
  edgemill_error_free(error);
  return code;
}
