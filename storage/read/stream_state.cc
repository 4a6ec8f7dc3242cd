#include "storage/read/stream_state.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "common/check.h"

namespace edgemill {

StreamBlocks::StreamBlocks(std::span<const ColumnKind> of_columns, std::vector<uint64_t> of_numbers)
    : num_columns(static_cast<uint8_t>(of_columns.size())), numbers(std::move(of_numbers)) {
  CHECK(num_columns >= 1 && num_columns <= columns.size());
  CHECK(std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) ==
        numbers.end());  // rising, so that neighbours can be read together
  std::copy(of_columns.begin(), of_columns.end(), columns.begin());
  sources.resize(numbers.size() * num_columns, BlockSource::kDisk);
}

bool StreamBlocks::cached(uint32_t index) const {
  for (uint8_t column = 0; column < num_columns; ++column) {
    if (source(index, column) != BlockSource::kCache) return false;
  }
  return true;
}

std::optional<uint32_t> StreamState::PopIndex() {
  std::optional<uint32_t> index;
  if (!ready.empty()) {
    index = ready.front();
    ready.pop_front();
  } else if (cached.left > 0) {
    while (!blocks.cached(cached.next)) ++cached.next;
    index = cached.next++;
    --cached.left;
  }
  if (!index.has_value()) return index;
  CHECK_GT(blocks_left, 0u);  // each block is handed out once
  if (--blocks_left == 0) changed.NotifyAll();
  return index;
}

void StreamState::Arrive(ReadInFlight& read) {
  CHECK(read.done && read.stream == this);
  for (const ReadPart& part : read.plan.parts) {
    const auto [found, is_new] = pending.try_emplace(part.index);
    PendingBlock& block = found->second;
    if (is_new) {
      for (uint8_t column = 0; column < blocks.num_columns; ++column) {
        block.missing += blocks.source(part.index, column) != BlockSource::kCache;
      }
    }
    CHECK(block.missing > 0 && block.reads[part.column] == nullptr);  // a column comes once
    block.reads[part.column] = &read;
    block.parts[part.column] = &part;
    if (--block.missing > 0) continue;
    ready.push_back(part.index);
    if (ready.size() <= waiting_threads) changed.NotifyOne();
  }
}

void StreamState::UndoArrive(const ReadInFlight& read) {
  CHECK(read.done && !read.touched);
  for (const ReadPart& part : read.plan.parts) {
    PendingBlock& block = pending[part.index];
    if (block.missing++ == 0) std::erase(ready, part.index);
    block.reads[part.column] = nullptr;
    block.parts[part.column] = nullptr;
  }
}

void StreamState::Fail(Status status) {
  if (error.ok()) error = std::move(status);
  changed.NotifyAll();
}

}  // namespace edgemill
