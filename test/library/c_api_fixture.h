// What tests of the C interface share: calls with arguments, errors, and a graph of arrays.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "edgemill/c_api.h"
#include "test/temporary_directory.h"

namespace edgemill {

inline constexpr uint64_t kNone = ~uint64_t{0};

/// A call with these arguments.
struct Given {
  explicit Given(std::vector<const char*> texts = {}) : arguments(std::move(texts)) {
    arguments.push_back("--memory=128MiB");
    arguments.push_back("--threads=2");
    call = {.arguments = arguments.data(), .num_arguments = arguments.size()};
  }
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;
  operator const edgemill_call*() const { return &call; }  // NOLINT

  std::vector<const char*> arguments;
  edgemill_call call;
};

/// Takes an error, and checks its code and that its message contains `text`.
inline void ExpectError(edgemill_error* error, int32_t code, const std::string& text) {
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(edgemill_error_code(error), code);
  EXPECT_NE(std::string(edgemill_error_message(error)).find(text), std::string::npos)
      << edgemill_error_message(error);
  edgemill_error_free(error);
}

inline void ExpectOk(edgemill_error* error) {
  EXPECT_EQ(error, nullptr) << edgemill_error_message(error);
  edgemill_error_free(error);
}

template <typename T>
constexpr const char* kFormatOf = nullptr;
template <>
constexpr const char* kFormatOf<int32_t> = "i";
template <>
constexpr const char* kFormatOf<int64_t> = "l";
template <>
constexpr const char* kFormatOf<uint64_t> = "L";
template <>
constexpr const char* kFormatOf<double> = "g";

template <typename T>
edgemill_array ArrayOf(const std::vector<T>& values) {
  return {.values = values.data(), .format = kFormatOf<T>};
}

class CApiTest : public testing::Test {
 protected:
  ~CApiTest() override { edgemill_ingest_report_free(report_); }

  /// Makes the graph of these edges, once.
  template <typename T>
  edgemill_error* Ingest(const std::vector<T>& sources, const std::vector<T>& targets,
                         const std::vector<double>& weights = {},
                         const edgemill_call* call = nullptr) {
    struct Once {
      edgemill_edges edges;
      bool is_given = false;
    } once{{sources.size(), ArrayOf(sources), ArrayOf(targets), {}}};
    if (!weights.empty()) once.edges.weights = ArrayOf(weights);
    const edgemill_edge_source source = {
        .user = &once, .weighted = !weights.empty(), .next = [](void* user, edgemill_edges* edges) {
          Once& given = *static_cast<Once*>(user);
          if (!std::exchange(given.is_given, true)) *edges = given.edges;
          return 0;
        }};
    const Given usual;
    edgemill_ingest_report_free(std::exchange(report_, nullptr));
    return edgemill_ingest_edges(&source, path_.c_str(), call == nullptr ? usual : call, &report_);
  }

  std::shared_ptr<edgemill_graph> Open() {
    edgemill_graph* graph = nullptr;
    ExpectOk(edgemill_graph_open(path_.c_str(), Given(), &graph));
    return {graph, edgemill_graph_close};
  }

  std::shared_ptr<edgemill_answer> Run(const std::shared_ptr<edgemill_graph>& graph,
                                       const char* algorithm,
                                       std::vector<const char*> arguments = {}) {
    arguments.push_back("--device=cpu");
    edgemill_answer* answer = nullptr;
    ExpectOk(edgemill_run(graph.get(), algorithm, Given(std::move(arguments)), &answer));
    return {answer, edgemill_answer_free};
  }

  template <typename T>
  static std::vector<T> Values(const std::shared_ptr<edgemill_answer>& answer) {
    const edgemill_answer_info& info = *edgemill_answer_describe(answer.get());
    const auto* const values = static_cast<const T*>(info.values);
    return {values, values + info.num_vertices * info.num_headings};
  }

  void ExpectNothingIsLeft() { EXPECT_FALSE(std::filesystem::exists(path_)); }

  TemporaryDirectory directory_;
  const std::string path_ = directory_ / "graph.mill";
  const edgemill_ingest_report* report_ = nullptr;
};

}  // namespace edgemill
