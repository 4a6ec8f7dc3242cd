// The threads that write full pages to a space's files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "common/status.h"
#include "loaders/spill/page_pool.h"
#include "loaders/spill/spill_files.h"

namespace edgemill {

/// How many threads write, and how much memory they take.
struct WriterPlan {
  /// Plans up to `wanted` writers, at least one, for about a quarter of `memory_bytes` at most.
  static WriterPlan For(size_t wanted, uint64_t memory_bytes, uint64_t page_bytes);
  /// The least memory of one writer.
  static uint64_t LeastBytes(uint64_t page_bytes);

  size_t writers = 1;
  uint64_t sorting_bytes = 0;  // of each writer, to pack a page: two pages
  uint64_t gather_bytes = 0;   // of each writer: bytes that are written at once
  uint64_t each_bytes() const { return sorting_bytes + gather_bytes; }
  uint64_t bytes() const { return writers * each_bytes(); }
};

/// Threads that write full pages until the object is destroyed.
class PageWriters {
 public:
  PageWriters(PagePool& pool, SpillFiles& files) : pool_(pool), files_(files) {}
  ~PageWriters();
  PageWriters(const PageWriters&) = delete;
  PageWriters& operator=(const PageWriters&) = delete;

  /// Starts the writers of `plan`. Called once, with the plan's bytes in `memory`. Returns an error
  /// if no writer can be started.
  Status Start(const WriterPlan& plan, std::span<std::byte> memory);

 private:
  struct Memory {
    std::span<std::byte> sorting;
    std::span<std::byte> gathered;
  };
  void WriteLoop(const Memory& memory);
  /// Writes the pages of a run one after the other, packed where the stream's form says so. Notes
  /// their places in their table.
  Status Write(const PageRun& run, const Memory& memory);

  PagePool& pool_;
  SpillFiles& files_;
  std::vector<std::thread> threads_;
};

}  // namespace edgemill
