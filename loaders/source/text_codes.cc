#include "loaders/source/text_codes.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace edgemill {

namespace {

/// A text that a thread has looked up lately.
struct RecentText {
  uint64_t serial = 0;
  std::string text;
  uint32_t code = 0;
};

}  // namespace

uint64_t TextCodes::NextSerial() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

bool TextCodes::Find(std::string_view text, uint32_t* code) {
  // Most columns have few texts, which all threads would wait for each other to look up.
  thread_local std::array<RecentText, 64> recent;
  RecentText& kept = recent[Hash()(text) % recent.size()];
  if (kept.serial != serial_ || kept.text != text) {
    if (!FindShared(text, &kept.code)) return false;
    kept.serial = serial_;
    kept.text = text;
  }
  *code = kept.code;
  return true;
}

bool TextCodes::FindShared(std::string_view text, uint32_t* code) {
  MutexLock lock(mutex_);
  const auto found = codes_.find(text);
  if (found != codes_.end()) {
    *code = found->second;
    return true;
  }
  bytes_ += text.size() + kTextBytes;
  if (bytes_ > kMaxBytes) return false;
  *code = static_cast<uint32_t>(codes_.size());
  codes_.emplace(text, *code);
  return true;
}

bool TextCodes::full() const {
  MutexLock lock(mutex_);
  return bytes_ > kMaxBytes;
}

std::vector<std::string> TextCodes::Sorted() const {
  MutexLock lock(mutex_);
  std::vector<std::string> texts;
  texts.reserve(codes_.size());
  for (const auto& [text, code] : codes_) texts.push_back(text);
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<uint32_t> TextCodes::Ranks() const {
  const std::vector<std::string> sorted = Sorted();
  MutexLock lock(mutex_);
  std::vector<uint32_t> ranks(codes_.size());
  for (const auto& [text, code] : codes_) {
    ranks[code] = static_cast<uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), text) -
                                        sorted.begin());
  }
  return ranks;
}

}  // namespace edgemill
