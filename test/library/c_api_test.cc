// The C interface: graphs from arrays, functions, files and Arrow streams; runs with options as
// texts; answers, also as Arrow streams; errors, callbacks and processes.
#include "edgemill/c_api.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "test/library/c_api_fixture.h"

namespace edgemill {
namespace {

TEST_F(CApiTest, AlgorithmsAndTheirOptionsAreDeclared) {
  EXPECT_EQ(edgemill_abi_version(), uint32_t{EDGEMILL_ABI_VERSION});
  size_t count = 0;
  const edgemill_algorithm* const algorithms = edgemill_algorithms(&count);
  ASSERT_GE(count, 13u);
  for (size_t i = 1; i < count; ++i) {
    EXPECT_LT(std::strcmp(algorithms[i - 1].name, algorithms[i].name), 0);
  }
  const auto* const rank = std::find_if(algorithms, algorithms + count, [](const auto& algorithm) {
    return std::string(algorithm.name) == "pagerank";
  });
  EXPECT_STREQ(rank->group, "centrality");
  EXPECT_STREQ(rank->aliases[0], "pr");
  EXPECT_STREQ(rank->columns[0].name, "rank");
  const auto option = [&](const char* name) {
    const auto* const end = rank->options + rank->num_options;
    return std::find_if(rank->options, end,
                        [&](const edgemill_option& one) { return std::string(one.name) == name; });
  };
  EXPECT_STREQ(option("--damping")->default_value, "0.85");
  EXPECT_STREQ(option("--damping")->value, "X");
  EXPECT_EQ(option("--damping")->short_name, nullptr);
  EXPECT_STREQ(option("--tolerance")->short_name, "-t");
  EXPECT_STREQ(option("--damping")->section, "The algorithm");
  EXPECT_EQ(option("--verify")->value, nullptr);
  EXPECT_STREQ(option("--device")->value, "auto|cpu|gpu|hybrid");
  const auto* const last = rank->properties + rank->num_properties;
  const auto* const weights = std::find_if(
      rank->properties, last,
      [](const edgemill_property& property) { return std::string(property.name) == "weights"; });
  ASSERT_NE(weights, last);
  EXPECT_STREQ(weights->text, "ignored");
  const edgemill_option* const of_files = edgemill_ingest_options(1, &count);
  EXPECT_STREQ(of_files[0].name, "--format");
  EXPECT_STRNE(edgemill_ingest_options(0, &count)[0].name, "--format");
}

TEST_F(CApiTest, ArraysBecomeAGraphAndAnAnswer) {
  ExpectOk(Ingest<int32_t>({0, 0, 1, 2}, {1, 2, 2, 3}, {1.5, 4, 1, 0.25}));
  EXPECT_EQ(report_->num_edges, 4u);
  const auto graph = Open();
  const edgemill_graph_info& info = *edgemill_graph_describe(graph.get());
  EXPECT_EQ(info.num_vertices, 4u);
  EXPECT_STREQ(info.weights, "float32");
  EXPECT_EQ(info.directed, 1);
  const auto answer = Run(graph, "sssp", {"--source", "0", "--verify"});
  EXPECT_EQ(Values<double>(answer), (std::vector<double>{0, 1.5, 2.5, 2.75}));
  const edgemill_answer_info& about = *edgemill_answer_describe(answer.get());
  EXPECT_EQ(about.type, EDGEMILL_REAL);
  EXPECT_EQ(about.ids, nullptr);
  ASSERT_GE(about.num_facts, 1u);
  EXPECT_STREQ(about.facts[0].name, "reached");
  EXPECT_STREQ(about.facts[0].numbers[0].name, "reached_vertices");
  EXPECT_EQ(about.facts[0].numbers[0].whole, 4u);
}

TEST_F(CApiTest, ListsAreColumns) {
  ExpectOk(Ingest<int64_t>({10, 20, 30}, {20, 30, 40}));
  const auto answer = Run(Open(), "msbfs", {"-r20", "-r30", "--source=10"});
  const edgemill_answer_info& info = *edgemill_answer_describe(answer.get());
  ASSERT_EQ(info.num_headings, 3u);
  EXPECT_EQ(std::vector<uint64_t>(info.ids, info.ids + 4), (std::vector<uint64_t>{10, 20, 30, 40}));
  EXPECT_EQ(Values<uint64_t>(answer), (std::vector<uint64_t>{kNone, 0, 1, 2,      //
                                                             kNone, kNone, 0, 1,  //
                                                             0, 1, 2, 3}));
}

TEST_F(CApiTest, BadNumbersAreNamedByTheirEdge) {
  const double nan = std::nan("");
  ExpectError(Ingest<int64_t>({1, 2, -3}, {1, 2, 3}), EDGEMILL_BAD_DATA,
              "edge 2: the source is -3: ids are whole numbers from 0 to 2^64 - 2");
  ExpectError(Ingest<double>({1, 2}, {1, 2.5}), EDGEMILL_BAD_DATA, "edge 1: the target is 2.5");
  ExpectError(Ingest<double>({nan, 2}, {1, 2}), EDGEMILL_BAD_DATA, "edge 0: the source is nan");
  ExpectError(Ingest<double>({1, 1e300}, {1, 2}), EDGEMILL_BAD_DATA,
              "edge 1: the source is 1e+300");
  constexpr double kExact = 9007199254740992;  // 2^53
  ExpectError(Ingest<double>({1, kExact}, {1, 2}), EDGEMILL_BAD_DATA,
              "and reals of this type are exact below 2^53");
  ExpectError(Ingest<uint64_t>({1}, {kNone}), EDGEMILL_BAD_DATA, "edge 0: from 1 to 1844674407370");
  ExpectError(Ingest<int32_t>({1, 2}, {1, 2}, {1, nan}), EDGEMILL_BAD_DATA,
              "edge 1: the weight is nan");
  std::vector<int32_t> many(100'000, 7);
  many[70'001] = -1;
  ExpectError(Ingest(many, many), EDGEMILL_BAD_DATA, "edge 70001: the source is -1");
  ExpectNothingIsLeft();
}

TEST_F(CApiTest, OptionsHaveTheProgramsMessages) {
  ExpectOk(Ingest<int32_t>({0, 1}, {1, 2}));
  const auto graph = Open();
  edgemill_answer* answer = nullptr;
  const auto refused = [&](const char* algorithm, std::vector<const char*> arguments,
                           const std::string& text) {
    ExpectError(edgemill_run(graph.get(), algorithm, Given(std::move(arguments)), &answer),
                EDGEMILL_USAGE, text);
  };
  refused("pagerank", {"--damping=2"}, "run: --damping: \"2\" is not valid: give a number from 0");
  refused("pagerank", {"--dampin=.5"}, "there is no option --dampin: did you mean --damping?");
  refused("pagerank", {"extra"}, "\"extra\" is one argument too many");
  refused("pagernk", {}, "pagerank");
  refused("bfs", {}, "needs a source");
  refused("bfs", {"--source=77"}, "77");
  ExpectError(Ingest<int32_t>({0}, {1}, {}, Given({"--merge=most"})), EDGEMILL_USAGE,
              "ingest: --merge: \"most\" is none of first, min, max, sum");
  ExpectError(edgemill_run(graph.get(), "pagerank", Given({"--memory=1MiB"}), &answer),
              EDGEMILL_USAGE, "--memory is given more than once");
  const char* const little[] = {"--memory=33MiB"};
  const edgemill_call call = {.arguments = little, .num_arguments = 1};
  ExpectError(edgemill_run(graph.get(), "pagerank", &call, &answer), EDGEMILL_BUDGET,
              "needs at least");
}

TEST_F(CApiTest, GraphsAreReplacedAndRemoved) {
  ExpectOk(Ingest<int32_t>({0, 1}, {1, 2}));
  ExpectError(Ingest<int32_t>({0}, {1}), EDGEMILL_OUTPUT, "is a graph already");
  auto graph = Open();
  ExpectOk(Ingest<int32_t>({0}, {1}, {}, Given({"--replace"})));
  edgemill_answer* answer = nullptr;
  ExpectError(edgemill_run(graph.get(), "cc", Given(), &answer), EDGEMILL_MISSING, "open it again");
  graph = Open();
  EXPECT_EQ(edgemill_graph_describe(graph.get())->num_vertices, 2u);
  ExpectError(edgemill_graph_remove(path_.c_str(), nullptr), EDGEMILL_LOCKED, "");
  graph = nullptr;
  ExpectOk(edgemill_graph_remove(path_.c_str(), nullptr));
  ExpectNothingIsLeft();
  ExpectError(edgemill_graph_remove(path_.c_str(), nullptr), EDGEMILL_MISSING, "graph.mill");
}

TEST_F(CApiTest, NamesComeWithAnswers) {
  const std::string file = directory_.Write("names.csv", "from,to\nada,bob\nbob,eve\n");
  const char* const files[] = {file.c_str()};
  ExpectOk(edgemill_ingest_files(files, 1, path_.c_str(), Given(), nullptr));
  const auto graph = Open();
  const edgemill_names* names = nullptr;
  const std::vector<uint64_t> ids = {2, 0};
  ExpectOk(edgemill_graph_names(graph.get(), ids.data(), ids.size(), &names));
  EXPECT_EQ(std::string(names->text, names->offsets[2]), "eveada");
  edgemill_names_free(names);
  const uint64_t absent = 3;
  ExpectError(edgemill_graph_names(graph.get(), &absent, 1, &names), EDGEMILL_USAGE,
              "3 is not a vertex");
  ExpectOk(edgemill_graph_names(graph.get(), nullptr, 0, &names));
  EXPECT_EQ(names->count, 3u);
  edgemill_names_free(names);

  auto answer = Run(graph, "bfs", {"--source=bob", "--parents"});
  ArrowArrayStream stream;
  ExpectOk(edgemill_answer_export_stream(answer.get(), &stream));
  answer = nullptr;
  ArrowArray batch;
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  stream.release(&stream);
  const auto text = [&](int column, int row) {
    const ArrowArray& child = *batch.children[column];
    const auto* const offsets = static_cast<const int64_t*>(child.buffers[1]);
    return std::string(static_cast<const char*>(child.buffers[2]) + offsets[row],
                       offsets[row + 1] - offsets[row]);
  };
  EXPECT_EQ(text(0, 2), "eve");
  EXPECT_EQ(text(1, 2), "bob");
  EXPECT_EQ(batch.children[1]->null_count, 1);
  EXPECT_EQ(*static_cast<const uint8_t*>(batch.children[1]->buffers[0]) & 7, 6);  // not ada's
  batch.release(&batch);
}

TEST_F(CApiTest, AClosedGraphCanBeRemovedWhileAnswersLast) {
  const std::string file = directory_.Write("names.csv", "from,to\nada,bob\nbob,eve\n");
  const char* const files[] = {file.c_str()};
  ExpectOk(edgemill_ingest_files(files, 1, path_.c_str(), Given(), nullptr));
  auto graph = Open();
  const auto answer = Run(graph, "bfs", {"--source=bob"});
  ExpectError(edgemill_graph_remove(path_.c_str(), nullptr), EDGEMILL_LOCKED, "graph.mill");
  graph = nullptr;
  ExpectOk(edgemill_graph_remove(path_.c_str(), nullptr));
  EXPECT_EQ(Values<uint64_t>(answer), (std::vector<uint64_t>{kNone, 0, 1}));
  ArrowArrayStream stream;
  ExpectError(edgemill_answer_export_stream(answer.get(), &stream), EDGEMILL_USAGE,
              "graph.mill: is closed: open it again");
}

TEST_F(CApiTest, AReportHasSkippedLinesAndNotes) {
  const std::string file = directory_.Write("numbers.csv", "1,2,5\n3,x,4\n2,3,6\n");
  const char* const files[] = {file.c_str()};
  ExpectOk(edgemill_ingest_files(files, 1, path_.c_str(), Given({"--bad-lines=1"}), &report_));
  EXPECT_EQ(report_->num_vertices, 3u);
  EXPECT_EQ(report_->input_edges, 2u);
  EXPECT_EQ(report_->bad_lines, 1u);
  ASSERT_EQ(report_->num_notes, 2u);
  EXPECT_NE(std::string(report_->notes[0]).find("column 3 is taken as the weight"),
            std::string::npos);
  EXPECT_NE(std::string(report_->notes[1]).find("1 of 1 bad lines skipped"), std::string::npos);
}

TEST_F(CApiTest, NamesComeInArrays) {
  struct Names {
    // "ada", "bob", "eve" by offsets of 32 bits: the first array begins at ada, the second at bob.
    int32_t offsets[4] = {0, 3, 6, 9};
    uint8_t valid = 0xff;
    int calls = 0;
  } names;
  const edgemill_edge_source source = {
      .user = &names, .named = 1, .next = [](void* user, edgemill_edges* edges) {
        Names& of = *static_cast<Names*>(user);
        edges->count = of.calls++ == 0 ? 2 : 0;
        edges->sources = {of.offsets, "u", nullptr, 0, "adabobeve"};
        edges->targets = {of.offsets, "u", &of.valid, 1, "adabobeve"};
        return 0;
      }};
  ExpectOk(edgemill_ingest_edges(&source, path_.c_str(), Given(), nullptr));
  EXPECT_EQ(Values<uint64_t>(Run(Open(), "bfs", {"--source=bob"})),
            (std::vector<uint64_t>{kNone, 0, 1}));
  names.calls = 0;
  names.valid = 0b011;  // eve is missing
  ExpectError(edgemill_ingest_edges(&source, path_.c_str(), Given({"--replace"}), nullptr),
              EDGEMILL_BAD_DATA, "edge 1: the target is missing");
}

TEST_F(CApiTest, ExportedArraysOutliveAnswerAndGraph) {
  ExpectOk(Ingest<int64_t>({10, 20, 30}, {20, 30, 40}));
  auto answer = Run(Open(), "bfs", {"--source=20"});
  const void* const values = edgemill_answer_describe(answer.get())->values;
  ArrowArrayStream stream;
  ExpectOk(edgemill_answer_export_stream(answer.get(), &stream));
  answer = nullptr;
  ArrowSchema schema;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  EXPECT_STREQ(schema.format, "+s");
  ASSERT_EQ(schema.n_children, 2);
  EXPECT_STREQ(schema.children[0]->name, "vertex");
  EXPECT_STREQ(schema.children[0]->format, "L");
  EXPECT_STREQ(schema.children[1]->name, "level");
  EXPECT_STREQ(schema.children[1]->format, "l");
  EXPECT_EQ(schema.children[1]->flags, ARROW_FLAG_NULLABLE);
  schema.release(&schema);
  EXPECT_EQ(schema.release, nullptr);
  ArrowArray batch, end;
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  ASSERT_EQ(stream.get_next(&stream, &end), 0);
  EXPECT_EQ(end.release, nullptr);
  stream.release(&stream);

  ArrowArray levels = *batch.children[1];  // moved away
  batch.children[1]->release = nullptr;
  batch.release(&batch);
  EXPECT_EQ(levels.length, 4);
  EXPECT_EQ(levels.null_count, 1);
  EXPECT_EQ(levels.buffers[1], values);  // no copy
  const auto* const level = static_cast<const int64_t*>(levels.buffers[1]);
  EXPECT_EQ(std::vector<int64_t>(level + 1, level + 4), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(*static_cast<const uint8_t*>(levels.buffers[0]) & 15, 14);
  levels.release(&levels);
}

/// A stream of batches with sources and targets of 32 bits, which an Arrow producer would give.
class Producer {
 public:
  /// Each batch skips its first row by an offset, and the first `null_row` of targets is null.
  explicit Producer(std::vector<std::vector<int32_t>> batches, int null_row = -1)
      : batches_(std::move(batches)), null_row_(null_row) {}
  Producer(const Producer&) = delete;  // its structs point to each other
  Producer& operator=(const Producer&) = delete;

  ArrowArrayStream Stream() {
    return {.get_schema =
                [](ArrowArrayStream* stream, ArrowSchema* out) {
                  *out = Of(stream).MakeSchema();
                  return 0;
                },
            .get_next =
                [](ArrowArrayStream* stream, ArrowArray* out) {
                  *out = Of(stream).MakeBatch();
                  return 0;
                },
            .get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; },
            .release =
                [](ArrowArrayStream* stream) {
                  ++Of(stream).released;
                  stream->release = nullptr;
                },
            .private_data = this};
  }
  int released = 0;
  std::string format = "i";
  std::array<const char*, 4> names = {"end", "end", "end", "end"};
  int64_t num_columns = 2;

 private:
  static Producer& Of(ArrowArrayStream* stream) {
    return *static_cast<Producer*>(stream->private_data);
  }
  ArrowSchema MakeSchema() {
    for (size_t i = 0; i < names.size(); ++i) {
      columns_[i] = {.format = format.c_str(), .name = names[i]};
    }
    return {.format = "+s",
            .n_children = num_columns,
            .children = column_pointers_,
            .release = [](ArrowSchema* schema) { schema->release = nullptr; }};
  }
  ArrowArray MakeBatch() {
    if (next_ == batches_.size()) return {};
    const std::vector<int32_t>& values = batches_[next_++];
    buffers_[0] = nullptr;
    buffers_[1] = values.data();
    target_buffers_[0] = &valid_;
    target_buffers_[1] = values.data();
    valid_ = null_row_ < 0 ? 0xff : static_cast<uint8_t>(~(1u << (null_row_ + 1)));
    const auto length = static_cast<int64_t>(values.size()) - 1;
    arrays_[0] = {.length = length, .offset = 0, .n_buffers = 2, .buffers = buffers_};
    arrays_[1] = {.length = length,
                  .null_count = null_row_ < 0 ? 0 : 1,
                  .offset = 1,
                  .n_buffers = 2,
                  .buffers = target_buffers_};
    return {.length = length,
            .n_buffers = 1,
            .n_children = 2,
            .buffers = buffers_,
            .children = array_pointers_,
            .release = [](ArrowArray* array) { array->release = nullptr; }};
  }

  const std::vector<std::vector<int32_t>> batches_;
  const int null_row_;
  size_t next_ = 0;
  uint8_t valid_ = 0xff;
  const void* buffers_[2] = {};
  const void* target_buffers_[2] = {};
  ArrowSchema columns_[4] = {};
  ArrowSchema* column_pointers_[4] = {&columns_[0], &columns_[1], &columns_[2], &columns_[3]};
  ArrowArray arrays_[2] = {};
  ArrowArray* array_pointers_[2] = {&arrays_[0], &arrays_[1]};
};

TEST_F(CApiTest, ArrowStreamsAreRead) {
  // Sources begin at the first value, targets at the second one: paths.
  Producer producer({{0, 1, 2}, {5}, {2, 3, 4}});
  ArrowArrayStream stream = producer.Stream();
  ExpectOk(edgemill_ingest_stream(&stream, path_.c_str(), Given(), &report_));
  EXPECT_EQ(report_->num_edges, 4u);
  EXPECT_EQ(producer.released, 1);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(Values<uint64_t>(Run(Open(), "bfs", {"--source=1"})),
            (std::vector<uint64_t>{kNone, 0, 1, 2, 3}));
}

TEST_F(CApiTest, ColumnsAreFoundByTheirTitles) {
  const auto places = [](const std::vector<const char*>& titles) {
    std::vector<size_t> found(titles.size());
    ExpectOk(edgemill_edge_columns(titles.data(), titles.size(), found.data()));
    return found;
  };
  EXPECT_EQ(places({"a", "b", "c"}), (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(places({"to", "FROM"}), (std::vector<size_t>{1, 0}));
  EXPECT_EQ(places({"weight", "dst", "src"}), (std::vector<size_t>{2, 1, 0}));
  for (const std::vector<const char*>& titles : std::vector<std::vector<const char*>>{
           {"a", "source"}, {"target", "a"}, {"weight", "a", "b"}, {"id", "from", "to"}}) {
    std::vector<size_t> found(3);
    ExpectError(edgemill_edge_columns(titles.data(), titles.size(), found.data()), EDGEMILL_USAGE,
                "give the columns in the order source, target, weight");
  }
  Producer turned({{0, 1, 2}, {5}, {2, 3, 4}});
  turned.names = {"to", "from", "", ""};
  ArrowArrayStream stream = turned.Stream();
  ExpectOk(edgemill_ingest_stream(&stream, path_.c_str(), Given(), nullptr));
  EXPECT_EQ(Values<uint64_t>(Run(Open(), "bfs", {"--source=4"})),
            (std::vector<uint64_t>{4, 3, 2, 1, 0}));
}

TEST_F(CApiTest, BadArrowStreamsAreRefused) {
  const auto refused = [&](Producer& producer, int32_t code, const std::string& text) {
    ArrowArrayStream stream = producer.Stream();
    ExpectError(edgemill_ingest_stream(&stream, path_.c_str(), Given(), nullptr), code, text);
    EXPECT_EQ(producer.released, 1);
    ExpectNothingIsLeft();
  };
  Producer null({{0, 1, 2}}, /*null_row=*/1);
  refused(null, EDGEMILL_BAD_DATA, "edge 1: the target is missing");
  Producer truths({{0, 1}});
  truths.format = "b";
  refused(truths, EDGEMILL_USAGE,
          "the column \"end\" have the Arrow type \"b\": give whole numbers");
  Producer texts({{0, 1}});  // without a text
  texts.format = "u";
  refused(texts, EDGEMILL_USAGE, "names have no text");
  Producer wide({{0, 1}});
  wide.num_columns = 4;
  refused(wide, EDGEMILL_USAGE, "has 4 columns: give two");
}

TEST_F(CApiTest, TheGreatestComeFirst) {
  ExpectOk(Ingest<int64_t>({10, 20, 30, 50}, {20, 30, 40, 60}));
  const auto graph = Open();
  const auto top = [&](const std::shared_ptr<edgemill_answer>& answer, uint64_t most) {
    std::vector<edgemill_top> entries(most);
    ExpectOk(edgemill_answer_top(answer.get(), entries.data(), &most));
    std::vector<std::pair<uint64_t, uint64_t>> pairs;
    for (uint64_t i = 0; i < most; ++i) pairs.emplace_back(entries[i].id, entries[i].whole);
    return pairs;
  };
  using Pairs = std::vector<std::pair<uint64_t, uint64_t>>;
  EXPECT_EQ(top(Run(graph, "bfs", {"--source=20"}), 2), (Pairs{{40, 2}, {30, 1}}));
  EXPECT_EQ(top(Run(graph, "cc"), 9), (Pairs{{10, 4}, {50, 2}}));
  const auto parents = Run(graph, "bfs", {"--source=20", "--parents"});
  uint64_t count = 1;
  edgemill_top one;
  ExpectError(edgemill_answer_top(parents.get(), &one, &count), EDGEMILL_USAGE, "have no order");
}

TEST_F(CApiTest, FunctionsAreCalledInTheCallersThread) {
  ExpectOk(Ingest<int32_t>({0, 1}, {1, 2}));
  struct Calls {
    std::thread::id thread = std::this_thread::get_id();
    int progress = 0, elsewhere = 0;
  } calls;
  Given given({"--iterations=4000000000", "--tolerance=0", "--device=cpu"});
  given.call.user = &calls;
  given.call.progress = [](void* user, const edgemill_progress*) {
    Calls& of = *static_cast<Calls*>(user);
    if (std::this_thread::get_id() != of.thread) ++of.elsewhere;
    return ++of.progress < 3 ? 1 : 0;
  };
  edgemill_answer* answer = nullptr;
  const auto graph = Open();
  ExpectError(edgemill_run(graph.get(), "pagerank", &given.call, &answer), EDGEMILL_CANCELLED, "");
  EXPECT_EQ(calls.progress, 3);
  EXPECT_EQ(calls.elsewhere, 0);
  Run(graph, "cc");  // the cancellation is over
}

TEST_F(CApiTest, AFunctionThatFailsEndsTheIngest) {
  const edgemill_edge_source source = {.next = [](void*, edgemill_edges*) { return 7; }};
  ExpectError(edgemill_ingest_edges(&source, path_.c_str(), nullptr, nullptr), EDGEMILL_CANCELLED,
              "has ended the ingest");
  ExpectNothingIsLeft();
}

TEST_F(CApiTest, AForkedProcessIsRefused) {
  ExpectOk(Ingest<int32_t>({0, 1}, {1, 2}));
  auto graph = Open();
  const pid_t child = fork();
  if (child == 0) {
    edgemill_answer* answer = nullptr;
    edgemill_error* const error = edgemill_run(graph.get(), "cc", nullptr, &answer);
    const bool right =
        error != nullptr && edgemill_error_code(error) == EDGEMILL_USAGE &&
        std::string(edgemill_error_message(error)).find("was forked") != std::string::npos;
    graph = nullptr;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  Run(graph, "cc");
}

}  // namespace
}  // namespace edgemill
