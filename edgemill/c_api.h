// Edgemill for C and for the languages that call C: makes graphs, opens them, and runs algorithms.
// docs/LIBRARY.md has examples.
//
// Errors: a function that can fail returns NULL, or an error that its caller frees. Text is UTF-8.
// Pointers in structs stay valid as long as the object that they come from.
// Threads: objects may be used by several threads at a time, and freed once, by the last.
// Processes: a process that was forked from one that used Edgemill is refused.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface. Functions and codes may be added within a version; nothing else
/// changes. A program that finds its library at run time compares the two.
#define EDGEMILL_ABI_VERSION 1
uint32_t edgemill_abi_version(void);
/// The version of the library: "0.1.0".
const char* edgemill_version(void);

/// What kind of error it is. The values are the exit codes of the program.
enum edgemill_code {
  EDGEMILL_USAGE = 64,       // an option or its value is wrong
  EDGEMILL_BAD_DATA = 65,    // the input's contents are wrong, or a checksum does not match
  EDGEMILL_MISSING = 66,     // an input, a graph or a data directory is missing, or was replaced
  EDGEMILL_GPU = 69,         // no GPU can be used, or a CUDA error
  EDGEMILL_INTERNAL = 70,    // a defect of Edgemill, or a wrong answer that --verify found
  EDGEMILL_BUDGET = 71,      // the memory is too small; the message says how much would do
  EDGEMILL_OUTPUT = 73,      // the output exists or cannot be made
  EDGEMILL_IO = 74,          // a device failed or is full
  EDGEMILL_LOCKED = 75,      // another process uses the graph
  EDGEMILL_UNFINISHED = 76,  // the graph's ingest was interrupted
  EDGEMILL_PERMISSION = 77,  // permission denied
  EDGEMILL_CANCELLED = 130   // a callback has ended the operation
};

typedef struct edgemill_error edgemill_error;
int32_t edgemill_error_code(const edgemill_error* error);
/// What is wrong, where, and what to do: one line, as the program prints it.
const char* edgemill_error_message(const edgemill_error* error);
/// Frees an error; NULL is none.
void edgemill_error_free(edgemill_error* error);

// ---- Options: the same as on the command line ----

/// An option, as `edgemill help` shows it.
typedef struct edgemill_option {
  const char* name;           // "--damping"
  const char* short_name;     // "-i"; NULL: none
  const char* value;          // "N", "X", "SIZE", "ID", "FILE", or "auto|pull|push"; NULL: a flag
  const char* help;           // "the chance that ... (default 0.85)"
  const char* section;        // "The algorithm"
  const char* default_value;  // "0.85"; NULL: none, or one that the help describes
  int32_t required;
  int32_t repeatable;
} edgemill_option;

/// A column that an algorithm may answer with.
typedef struct edgemill_column {
  const char* name;    // "level"
  const char* option;  // the flag that selects it in the first one's place; NULL for the first one
  int32_t may_miss;    // unreachable vertices have no value
} edgemill_column;

/// Something that holds for all runs of an algorithm: {"weights", "ignored"}.
typedef struct edgemill_property {
  const char* name;
  const char* text;
} edgemill_property;

typedef struct edgemill_algorithm {
  const char* name;     // "pagerank"
  const char* group;    // "centrality"
  const char* summary;  // one line
  const char* text;     // every special case; lines of at most 100 columns
  const char* const* aliases;
  size_t num_aliases;
  const edgemill_option* options;  // all that a run of it takes
  size_t num_options;
  const edgemill_column* columns;
  size_t num_columns;
  const edgemill_property* properties;  // directions, weights, duplicates, when it ends
  size_t num_properties;
} edgemill_algorithm;

/// All algorithms, by name. They are valid until the process ends.
const edgemill_algorithm* edgemill_algorithms(size_t* count);
/// The options of ingest, for files or for edges that the caller gives.
const edgemill_option* edgemill_ingest_options(int32_t of_files, size_t* count);

// ---- Operations ----

/// How far an operation has come.
typedef struct edgemill_progress {
  const char* stage;   // "reading"
  const char* unit;    // what is counted: "edges"
  uint64_t done;       // units
  uint64_t total;      // 0: unknown
  uint64_t iteration;  // from 1; 0: the stage has none
} edgemill_progress;

/// What an operation is given; NULL in its place: nothing. The functions may be NULL. They are
/// called in the thread that called the operation, one at a time, and may call this interface. They
/// must return: no exceptions, no longjmp.
typedef struct edgemill_call {
  const char* const* arguments;  // "--damping=0.5", "--verify"; a value may also be the next text
  size_t num_arguments;
  void* user;  // given to the functions
  /// Called some ten times a second. If it returns 0, the operation ends with EDGEMILL_CANCELLED.
  /// So do all other operations of this process that are under way.
  int32_t (*progress)(void* user, const edgemill_progress* progress);
  /// Called with decisions that were taken, and warnings.
  void (*note)(void* user, const char* message);
} edgemill_call;

// ---- Graphs ----

typedef struct edgemill_graph edgemill_graph;

/// Opens the graph directory `path`. The arguments may be --memory, --threads, --data, --cache
/// and --weight NAME, the column of the edges that is their weight. Memory and threads then hold
/// for the graph's runs that give none. --cache SIZE is memory for blocks that runs on the CPU
/// share, and find again after earlier runs. The first run takes it beside its own memory, and it
/// stays in use until the graph is closed.
edgemill_error* edgemill_graph_open(const char* path, const edgemill_call* call,
                                    edgemill_graph** graph);
/// Closes the graph, which may then be removed. NULL is none. Answers stay, but names that were not
/// read before are EDGEMILL_USAGE.
void edgemill_graph_close(edgemill_graph* graph);

typedef struct edgemill_graph_info {
  const char* path;
  const char* uuid;
  uint64_t num_vertices;
  uint64_t num_edges;   // stored in one direction
  const char* weights;  // "int", "float32", "float"; NULL: none
  int32_t directed;
  int32_t has_names;
} edgemill_graph_info;
const edgemill_graph_info* edgemill_graph_describe(const edgemill_graph* graph);

/// Names of vertices: name i is text[offsets[i]] to text[offsets[i + 1]].
typedef struct edgemill_names {
  uint64_t count;
  const int64_t* offsets;
  const char* text;
} edgemill_names;
/// The names of the vertices with these ids, which are the ranks of their names; of all vertices,
/// where `ids` is NULL.
edgemill_error* edgemill_graph_names(const edgemill_graph* graph, const uint64_t* ids,
                                     uint64_t count, const edgemill_names** names);
void edgemill_names_free(const edgemill_names* names);

/// Removes the graph directory `path`. The arguments may be --data.
edgemill_error* edgemill_graph_remove(const char* path, const edgemill_call* call);

// ---- Lists of neighbours ----

typedef struct edgemill_lists edgemill_lists;

/// Opens a graph for reading its lists. The arguments may be --memory and --threads. The memory
/// holds the ids, the names, an index of each direction that is read, a cache of blocks, and what a
/// call returns while it is made. All functions on lists return EDGEMILL_USAGE once the graph is
/// closed, and EDGEMILL_MISSING once another one has taken its place.
edgemill_error* edgemill_lists_open(const edgemill_graph* graph, const edgemill_call* call,
                                    edgemill_lists** lists);
/// Closes them. The graph cannot be removed before. NULL is none.
void edgemill_lists_close(edgemill_lists* lists);

/// The ids of all vertices, rising: num_vertices of the graph.
edgemill_error* edgemill_lists_vertices(edgemill_lists* lists, uint64_t* ids);
/// The ids of the vertices with these names. EDGEMILL_USAGE for what is no name, with near ones.
edgemill_error* edgemill_lists_find(edgemill_lists* lists, const char* const* names, uint64_t count,
                                    uint64_t* ids);
/// The names of the vertices with these ids, as edgemill_graph_names, from memory.
edgemill_error* edgemill_lists_names(edgemill_lists* lists, const uint64_t* ids, uint64_t count,
                                     const edgemill_names** names);

enum edgemill_list_flags {
  EDGEMILL_LIST_IN = 1,       // the lists of vertices from which edges come, not to which they lead
  EDGEMILL_LIST_WEIGHTS = 2,  // with the weights of the edges
  EDGEMILL_LIST_SOURCES = 4,  // with the vertex of each list again for each edge
  EDGEMILL_LIST_ONCE = 8      // of a symmetric graph each edge once, not once in each direction
};

/// The degrees of the vertices with these ids; of all, by rising id, where `ids` is NULL. The flag
/// may be EDGEMILL_LIST_IN. EDGEMILL_USAGE for an id that no vertex has.
edgemill_error* edgemill_lists_degrees(edgemill_lists* lists, const uint64_t* ids, uint64_t count,
                                       int32_t flags, uint64_t* degrees);

/// Lists: that of vertices[i] is neighbors[offsets[i]] to neighbors[offsets[i + 1]]. All are ids.
typedef struct edgemill_neighbors {
  uint64_t num_lists;
  uint64_t num_edges;
  const uint64_t* vertices;
  const uint64_t* offsets;
  const uint64_t* neighbors;
  const double* weights;    // of each edge; NULL: not asked for
  const uint64_t* sources;  // of each edge; NULL: not asked for
  uint64_t next;            // of edgemill_lists_edges: the first edge after these
} edgemill_neighbors;
/// Frees what the next functions return; NULL is none.
void edgemill_neighbors_free(const edgemill_neighbors* neighbors);

/// The lists of the vertices with these ids, in this order. EDGEMILL_BUDGET where they do not fit
/// the memory.
edgemill_error* edgemill_lists_read(edgemill_lists* lists, const uint64_t* ids, uint64_t count,
                                    int32_t flags, const edgemill_neighbors** neighbors);
/// What is drawn: of the lists of the vertices with these ids `most` neighbours each.
typedef struct edgemill_draw {
  const uint64_t* ids;
  uint64_t count;
  uint64_t most;
  uint64_t seed;
  int32_t flags;
} edgemill_draw;
/// Of each list `most` neighbours, or all where it has fewer. They are drawn uniformly, no edge
/// twice, and depend on `seed` and the vertex's id alone.
edgemill_error* edgemill_lists_sample(edgemill_lists* lists, const edgemill_draw* draw,
                                      const edgemill_neighbors** neighbors);
/// The edges from number `first` on, at most `most`, in the order in which they are stored. Call it
/// with 0, then with `next` until that is num_edges of the graph. A list is cut only if it is
/// longer than `most`, and then goes on in the next call. Vertices without edges are left out.
edgemill_error* edgemill_lists_edges(edgemill_lists* lists, uint64_t first, uint64_t most,
                                     int32_t flags, const edgemill_neighbors** neighbors);

// ---- Walks ----

/// The options of walks.
const edgemill_option* edgemill_walk_options(size_t* count);

/// Walks that follow one another: walk `first` + i is vertices[offsets[i]] to
/// vertices[offsets[i + 1]], from its start on. All are ids.
typedef struct edgemill_walks {
  uint64_t first;
  uint64_t count;
  const uint64_t* offsets;
  const uint64_t* vertices;
} edgemill_walks;

/// Where walks begin, and what takes them.
typedef struct edgemill_walk_request {
  const uint64_t* starts;  // ids; NULL: all vertices, by rising id
  uint64_t num_starts;
  void* user;
  /// Takes the next walks, in the order of starts. They stay valid until it returns. If it returns
  /// another number than 0, no more walks are made, which is no error. Called as those of
  /// edgemill_call.
  int32_t (*take)(void* user, const edgemill_walks* walks);
} edgemill_walk_request;

/// Makes random walks as `edgemill walks` does. The arguments are those of edgemill_walk_options.
/// EDGEMILL_USAGE for an id that no vertex has, and where the graph lacks lists or weights.
edgemill_error* edgemill_walk(const edgemill_graph* graph, const edgemill_walk_request* request,
                              const edgemill_call* call);

// ---- Pairs ----

/// The options of pairs.
const edgemill_option* edgemill_pair_options(size_t* count);
/// Pairs of the vertices with the ids ones[i] and others[i].
typedef struct edgemill_pair_list {
  uint64_t count;
  const uint64_t* ones;
  const uint64_t* others;
} edgemill_pair_list;
/// Sets similarities[i] to how similar the vertices of pair i are, as `edgemill pairs` does. The
/// arguments are those of edgemill_pair_options. EDGEMILL_USAGE for an id that no vertex has.
edgemill_error* edgemill_pairs(const edgemill_graph* graph, const edgemill_pair_list* pairs,
                               const edgemill_call* call, double* similarities);

// ---- Runs ----

typedef struct edgemill_answer edgemill_answer;

/// Runs an algorithm, by its name or an alias. The arguments are those of edgemill_algorithm.
edgemill_error* edgemill_run(const edgemill_graph* graph, const char* algorithm,
                             const edgemill_call* call, edgemill_answer** answer);
/// Frees an answer, when what was exported from it is freed too; NULL is none.
void edgemill_answer_free(edgemill_answer* answer);

enum edgemill_type {
  EDGEMILL_COUNT = 0,       // uint64_t below 2^63; UINT64_MAX: no value
  EDGEMILL_LONG_COUNT = 1,  // uint64_t below 2^64 - 1
  EDGEMILL_VERTEX = 2,      // uint64_t: a vertex's id; UINT64_MAX: no value
  EDGEMILL_REAL = 3         // double; infinity: no value
};

/// A number that the run found out: {"reached_vertices", 1234}.
typedef struct edgemill_number {
  const char* name;
  int32_t is_real;
  uint64_t whole;  // unless is_real
  double real;
} edgemill_number;

/// Something that the run found out about the graph as a whole, for people and for programs.
typedef struct edgemill_fact {
  const char* name;  // "reached"
  const char* text;  // "1,234 of 5,000"
  const edgemill_number* numbers;
  size_t num_numbers;
} edgemill_fact;

/// An answer: a column, or several ones. Vertices come by rising id.
typedef struct edgemill_answer_info {
  const char* column;  // "level"
  int32_t type;        // edgemill_type
  uint64_t num_vertices;
  const uint64_t* ids;  // of the vertices; NULL: they are 0, 1, 2, ...
  /// The names of the columns, and their values: num_vertices of the first, then of the second.
  const char* const* headings;
  size_t num_headings;
  const void* values;
  const edgemill_fact* facts;
  size_t num_facts;
  const char* const* warnings;  // why the answer says less than expected
  size_t num_warnings;
  uint64_t iterations;
  double seconds;  // of the iterations
  uint64_t bytes_read;
} edgemill_answer_info;
const edgemill_answer_info* edgemill_answer_describe(const edgemill_answer* answer);

/// A vertex and its value; in a column of components, a component and its number of vertices.
typedef struct edgemill_top {
  uint64_t id;
  uint64_t whole;  // unless the column is EDGEMILL_REAL
  double real;
} edgemill_top;
/// The vertices of greatest value, or the largest components, the greatest first. `count` is how
/// many there may be, and then how many there are. EDGEMILL_USAGE where values have no order.
edgemill_error* edgemill_answer_top(const edgemill_answer* answer, edgemill_top* top,
                                    uint64_t* count);

// ---- Answers on a GPU ----

/// The values of an answer in the memory of a GPU: a copy, which the caller may change.
typedef struct edgemill_gpu_values edgemill_gpu_values;
/// Copies the values of the answer, as edgemill_answer_info has them, to the memory of the GPU with
/// this number, from 0. EDGEMILL_GPU where there is none; EDGEMILL_BUDGET where its free memory is
/// too small.
edgemill_error* edgemill_answer_copy_to_gpu(const edgemill_answer* answer, int32_t gpu,
                                            edgemill_gpu_values** values);
/// Where they are, for kernels and copies of CUDA on that GPU; NULL where there are no vertices.
void* edgemill_gpu_values_address(const edgemill_gpu_values* values);
/// Frees the memory; NULL is none.
void edgemill_gpu_values_free(edgemill_gpu_values* values);

// ---- Arrow: https://arrow.apache.org/docs/format/CDataInterface.html ----

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE

/// Gives the answer as one batch. Its first column is "vertex", with ids or names, and the others
/// are the answer's. A vertex without a value has a null. Values are not copied; they outlive
/// `answer`. Names are read from the graph where it has some.
edgemill_error* edgemill_answer_export_stream(const edgemill_answer* answer,
                                              struct ArrowArrayStream* stream);

// ---- Ingest ----

/// What an ingest did. The caller frees it.
typedef struct edgemill_ingest_report {
  uint64_t num_vertices;
  uint64_t num_edges;        // stored in one direction
  uint64_t input_edges;      // read
  uint64_t stored_bytes;     // of blocks
  uint64_t bad_lines;        // skipped, where --bad-lines allows some
  const char* const* notes;  // what was guessed about the inputs, and what is ignored
  size_t num_notes;
} edgemill_ingest_report;
void edgemill_ingest_report_free(const edgemill_ingest_report* report);

/// Makes the graph directory `out` of files. The arguments are those of edgemill_ingest_options.
/// After an error nothing is left. `report` may be NULL.
edgemill_error* edgemill_ingest_files(const char* const* files, size_t num_files, const char* out,
                                      const edgemill_call* call,
                                      const edgemill_ingest_report** report);

/// Finds the columns of a frame by their titles, as readers of CSV do: places[0] is that of the
/// sources, then targets and, where `count` is 3, weights. EDGEMILL_USAGE where titles contradict
/// their places. Other titles are as good as none.
edgemill_error* edgemill_edge_columns(const char* const* titles, size_t count, size_t* places);

/// An array of numbers or names, as an Arrow array without children has it.
typedef struct edgemill_array {
  const void* values;    // NULL: no array; of names, their offsets in `text`
  const char* format;    // of Arrow: c C s S i I l L f g for numbers, u U for names
  const uint8_t* valid;  // a bit a value; NULL: all are valid
  int64_t offset;        // values before the first one
  const char* text;      // of names; else NULL
} edgemill_array;

/// Edges: the i-th one leads from sources[i] to targets[i].
typedef struct edgemill_edges {
  uint64_t count;
  edgemill_array sources;
  edgemill_array targets;
  edgemill_array weights;
} edgemill_edges;

/// The caller's edges.
typedef struct edgemill_edge_source {
  void* user;
  int32_t weighted;
  int32_t named;  // sources and targets are names
  /// Gives the next edges, which stay valid until the next call; count 0 at the end. If it returns
  /// another number than 0, the ingest ends with EDGEMILL_CANCELLED. Called as those of
  /// edgemill_call.
  int32_t (*next)(void* user, edgemill_edges* edges);
} edgemill_edge_source;

/// The same from a function. An id that is negative, NaN, null or above 2^64 - 2 is
/// EDGEMILL_BAD_DATA, with the number of the edge. So are a weight that is not finite, and an id
/// that is a real number of which its type may have lost digits, as a double from 2^53 on.
edgemill_error* edgemill_ingest_edges(const edgemill_edge_source* source, const char* out,
                                      const edgemill_call* call,
                                      const edgemill_ingest_report** report);

/// The same from an Arrow stream of structs with two or three columns: source, target, weight, in
/// the order of edgemill_edge_columns. Columns of strings are names. Releases the stream.
edgemill_error* edgemill_ingest_stream(struct ArrowArrayStream* stream, const char* out,
                                       const edgemill_call* call,
                                       const edgemill_ingest_report** report);

#ifdef __cplusplus
}  // extern "C"
#endif
