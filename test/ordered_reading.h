// What tests of ordered texts (GraphML, Pajek) share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "test/graphs/packed_text.h"
#include "test/reader_testing.h"

namespace edgemill {

/// Edges between names: source, target, and the weight or 0.
using NamedEdges = std::vector<std::tuple<std::string, std::string, double>>;

/// The edges of test/data/networkx and test/data/scipy.
inline const std::vector<ReadEdge> kSampleEdges = {{0, 1, 2},   {0, 2, 1.5}, {1, 3, -4},
                                                   {2, 3, .25}, {3, 3, 7},   {4, 0, 3}};

inline std::string TestFile(const std::string& name) { return EDGEMILL_TEST_DATA "/" + name; }

inline NamedEdges NamedEdgesOf(const ReadAll& all) {
  EXPECT_TRUE(all.info.named) << all.status.message();
  NamedEdges edges;
  for (const ReadEdge& edge : all.edges) {
    const auto source = all.names.find(edge.source);
    const auto target = all.names.find(edge.target);
    const bool known = source != all.names.end() && target != all.names.end();
    EXPECT_TRUE(known);
    if (known) edges.emplace_back(source->second, target->second, edge.weight);
  }
  return edges;
}

inline bool HasNote(const EdgeSourceInfo& info, std::string_view text) {
  for (const std::string& note : info.notes) {
    if (note.find(text) != std::string::npos) return true;
  }
  ADD_FAILURE() << "no note says " << text << " among " << info.notes.size();
  for (const std::string& note : info.notes) ADD_FAILURE() << note;
  return false;
}

/// Cuts `text` everywhere, and flips each of its bits: an error names the file and is of bad data,
/// and what is read is the same in one part and in small parts.
inline void ExpectSafeWhenDamaged(const std::string& text, const std::string& name,
                                  const TemporaryDirectory& directory) {
  const auto check = [&](const std::string& damaged) {
    const std::string path = directory.Write(name, damaged);
    ReadOptions options;
    const ReadAll whole = Read({path}, options);
    if (!whole.status.ok()) {
      EXPECT_EQ(whole.status.message().find(path), 0u) << whole.status.message();
      const bool is_known =
          whole.status.code() == Code::kBadData || whole.status.code() == Code::kUsage;
      EXPECT_TRUE(is_known) << whole.status.message();
    }
    options.chunk_bytes = 5;
    const ReadAll parts = Read({path}, options);
    EXPECT_EQ(parts.status.message(), whole.status.message());
    if (!whole.status.ok()) return;
    EXPECT_EQ(parts.edges, whole.edges);
  };
  int cut_errors = 0;
  for (size_t size = 0; size < text.size(); ++size) {
    check(text.substr(0, size));
    cut_errors += !Read({directory / name}).status.ok();
  }
  EXPECT_GT(cut_errors, 0);
  for (size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string damaged = text;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    check(damaged);
  }
}

/// Reads `text` in parts, on several threads, compressed, and resumed after several parts.
inline void ExpectSameInParts(const std::string& text, const std::string& name,
                              const std::vector<ReadEdge>& want,
                              const TemporaryDirectory& directory) {
  const std::string path = directory.Write(name, text);
  const ReadAll whole = Read({path});
  ASSERT_TRUE(whole.status.ok()) << whole.status.message();
  EXPECT_EQ(whole.edges, want);
  ReadOptions options;
  options.chunk_bytes = 10'000;
  const ReadAll parts = Read({path}, options, 4);
  EXPECT_EQ(parts.edges, want);
  EXPECT_EQ(parts.vertices, whole.vertices);
  ASSERT_GT(parts.num_chunks, 10u);
  for (const Packer& packer : kPackers) {
    const std::string packed = directory.Write(name + packer.suffix, packer.pack(text));
    EXPECT_EQ(Read({packed}, options, 3).edges, want) << packer.suffix;
    EXPECT_EQ(ReadResumed({packed}, options, 5, 2).edges, want) << packer.suffix;
  }
  for (uint64_t stop = 1; stop < parts.num_chunks; stop += parts.num_chunks / 7) {
    const ReadAll resumed = ReadResumed({path}, options, stop, 3);
    EXPECT_EQ(resumed.edges, want) << resumed.status.message();
    EXPECT_EQ(resumed.vertices, whole.vertices);
  }
}

}  // namespace edgemill
