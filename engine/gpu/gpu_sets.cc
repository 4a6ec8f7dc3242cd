#include "engine/gpu/gpu_sets.h"

#include <algorithm>
#include <vector>

#include "common/check.h"
#include "engine/plan/staging_memory.h"
#include "engine/program/sets/frontier.h"

namespace edgemill {
namespace {

/// The most members of a set that crosses the link as a list.
constexpr uint64_t kMaxListed = GpuControl::kMaxMembers;

}  // namespace

Status GpuSets::Upload(const VertexSet& set) {
  uint32_t* const words = workspace_.arrays().sets.current;
  const bool is_there =
      set.deferred() != nullptr && set.deferred() == deferred_.members && words == deferred_.words;
  if (is_there) return OkStatus();
  RETURN_IF_ERROR(Claim(words));
  GpuStream& main = workspace_.main();
  const uint64_t bytes = DeviceSets::SetBytes(workspace_.graph().info());
  if (set.empty()) return main.Fill(words, 0, bytes);
  if (set.is_all()) {
    RETURN_IF_ERROR(main.Fill(words, 0xff, bytes));
    LaunchClearTail(words, set.size(), main.handle());
    return workspace_.gpu().AfterLaunch("clear the tail of a set");
  }
  CHECK_LT(set.size(), workspace_.graph().num_vertices());  // a set of all has no list
  const Frontier& members = *set.frontier();
  RETURN_IF_ERROR(home_.status());
  if (members.is_sparse() && set.size() <= kMaxListed) {
    RETURN_IF_ERROR(main.Fill(words, 0, bytes));
    ASSIGN_OR_RETURN(const std::byte* const list,
                     workspace_.control().Stage(std::as_bytes(members.members())));
    LaunchAddMembers(reinterpret_cast<const VertexId*>(list), static_cast<uint32_t>(set.size()),
                     words, main.handle());
    return workspace_.gpu().AfterLaunch("add members");
  }
  return home_.CopyToDevice(reinterpret_cast<std::byte*>(words), std::as_bytes(members.words()));
}

StatusOr<VertexSet> GpuSets::Download(uint64_t count) {
  const uint32_t* const words = workspace_.arrays().sets.current;
  CHECK_LE(count, workspace_.graph().num_vertices());
  if (count == 0) return pool_.None();
  if (count == workspace_.graph().num_vertices()) return pool_.All();
  ASSIGN_OR_RETURN(std::unique_ptr<Frontier> members, pool_.Acquire());
  if (count > kMaxListed) {
    const Deferred before = deferred_;  // of a set in other words
    if (before.members != nullptr) Fill(*before.members);
    deferred_ = {members.get(), words};
    return pool_.Defer(std::move(members), count, *this);
  }
  const auto list = ListMembers(words);
  if (!list.ok()) {
    pool_.Return(std::move(members));
    return list.status();
  }
  CHECK(list->has_value());
  CHECK_EQ((*list)->size(), count);
  for (const VertexId vertex : **list) members->Add(vertex);
  return pool_.Seal(std::move(members));
}

Status GpuSets::Claim(const uint32_t* words) {
  if (deferred_.members != nullptr && deferred_.words == words) Fill(*deferred_.members);
  return home_.status();
}

Status GpuSets::ClaimCleared(uint32_t* words) {
  RETURN_IF_ERROR(Claim(words));
  return workspace_.main().Fill(words, 0, DeviceSets::SetBytes(workspace_.graph().info()));
}

StatusOr<std::optional<std::span<const VertexId>>> GpuSets::ListMembers(const uint32_t* set) {
  return workspace_.control().ListMembers(
      set, workspace_.graph().num_vertices(),
      reinterpret_cast<uint32_t*>(&workspace_.arrays().counters->frontier));
}

StatusOr<uint64_t> GpuSets::ReadWords(const uint32_t* set, std::span<uint64_t> words) {
  CHECK_GE(words.size() * 64, workspace_.graph().num_vertices());
  ASSIGN_OR_RETURN(const auto list, ListMembers(set));
  if (!list.has_value()) {
    RETURN_IF_ERROR(
        home_.CopyToHost(std::as_writable_bytes(words), reinterpret_cast<const std::byte*>(set)));
    return words.size_bytes();
  }
  std::fill(words.begin(), words.end(), 0);
  for (const VertexId vertex : *list) words[vertex / 64] |= uint64_t{1} << vertex % 64;
  return list->size_bytes();
}

Status GpuSets::AddMembers(const IndexSet& members, uint32_t* set) {
  auto* const place = reinterpret_cast<std::byte*>(set);
  // The words at both ends may have other members too.
  const auto add = [&](uint64_t word) -> Status {
    uint64_t bits = 0;
    std::byte* const at = place + word * sizeof(bits);
    RETURN_IF_ERROR(workspace_.control().Read(std::as_writable_bytes(std::span(&bits, 1)), at));
    bits |= members.BitsOf(word);
    return workspace_.control().Write(at, std::as_bytes(std::span(&bits, 1)));
  };
  uint64_t begin = members.begin / 64, end = members.end_word();
  if (begin < end && members.begin % 64 != 0) RETURN_IF_ERROR(add(begin++));
  if (begin < end && members.end % 64 != 0) RETURN_IF_ERROR(add(--end));
  if (begin >= end) return OkStatus();
  return home_.CopyToDevice(place + begin * sizeof(uint64_t),
                            std::as_bytes(members.words.subspan(begin, end - begin)));
}

void GpuSets::Fill(Frontier& members) {
  if (&members != deferred_.members) return;  // the host has them already
  CHECK(deferred_.words != nullptr);
  const Status copied = home_.CopyToHost(std::as_writable_bytes(members.BeginAssign()),
                                         reinterpret_cast<const std::byte*>(deferred_.words));
  if (!copied.ok()) home_.RecordError(copied);
  members.EndAssign(pool_.threads());
  deferred_ = {};
}

void GpuSets::Forget(const Frontier& members) {
  if (&members == deferred_.members) deferred_ = {};
}

}  // namespace edgemill
