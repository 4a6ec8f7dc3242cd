#include "bench/trials/kept_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "common/check.h"

namespace edgemill::bench {

Status PassingRegistrar::Attach(MemoryRegistrar* registrar) {
  CHECK(registrar_ == nullptr);
  registrar_ = registrar;
  if (registrar_ == nullptr) return OkStatus();
  for (const std::span<std::byte> memory : memory_) {
    RETURN_IF_ERROR(registrar_->Register(memory));
    ++num_registered_;
  }
  return OkStatus();
}

void PassingRegistrar::Detach() noexcept {
  for (size_t i = 0; i < num_registered_; ++i) registrar_->Unregister(memory_[i]);
  num_registered_ = 0;
  registrar_ = nullptr;
}

Status PassingRegistrar::Register(std::span<std::byte> memory) {
  if (registrar_ != nullptr) {
    CHECK_EQ(num_registered_, memory_.size());  // Attach registered them
    RETURN_IF_ERROR(registrar_->Register(memory));
    ++num_registered_;
  }
  memory_.push_back(memory);
  return OkStatus();
}

void PassingRegistrar::Unregister(std::span<std::byte> memory) noexcept {
  const auto at = std::find_if(memory_.begin(), memory_.end(),
                               [&](const auto& other) { return other.data() == memory.data(); });
  CHECK(at != memory_.end());
  if (static_cast<size_t>(at - memory_.begin()) < num_registered_) {
    registrar_->Unregister(memory);
    --num_registered_;
  }
  memory_.erase(at);
}

/// The kept reader, for one run. Its destructor makes it free for the next one.
class KeptReader::Lent final : public BorrowedReader {
 public:
  Lent(KeptReader& owner, MemoryReservation reservation)
      : BorrowedReader(*owner.reader_), owner_(owner), reservation_(std::move(reservation)) {
    owner_.is_lent_ = true;
  }
  ~Lent() override {
    owner_.registrar_.Detach();
    owner_.is_lent_ = false;
  }

 private:
  KeptReader& owner_;
  const MemoryReservation reservation_;
};

BlockReaderOptions KeptReader::WithOwnRegistrar(const BlockReaderOptions& options) {
  BlockReaderOptions own = options;
  if (own.registrar != nullptr) own.registrar = &registrar_;
  return own;
}

Status KeptReader::Make(const GraphStore& store, const BlockReaderOptions& options,
                        uint64_t budget_bytes) {
  reader_.reset();  // before the next one takes as much memory
  options_ = options;
  counted_.emplace(budget_bytes);
  const uint64_t before = counted_->available_bytes();
  ASSIGN_OR_RETURN(reader_, BlockReader::Create(store, options_, *counted_));
  bytes_ = before - counted_->available_bytes();
  return OkStatus();
}

StatusOr<std::unique_ptr<BlockReader>> KeptReader::Lend(const GraphStore& store,
                                                        const BlockReaderOptions& options,
                                                        MemoryBudget& budget) {
  CHECK(!is_lent_);
  BlockReaderOptions asked = WithOwnRegistrar(options);
  if (asked.cache_bytes == 0) {
    asked.cache_bytes = options_.cache_bytes;
    asked.registers_cache = options_.registers_cache;
    asked.registrar = options_.registrar;
  }
  if (reader_ == nullptr || asked != options_) {
    RETURN_IF_ERROR(Make(store, WithOwnRegistrar(options), budget.total_bytes()));
  }
  ASSIGN_OR_RETURN(MemoryReservation reservation,
                   budget.Reserve(bytes_, "the cache of blocks of earlier runs"));
  auto lent = std::make_unique<Lent>(*this, std::move(reservation));
  RETURN_IF_ERROR(registrar_.Attach(options.registrar));
  (void)lent->DrainBusySpans();  // those of earlier runs
  return std::unique_ptr<BlockReader>(std::move(lent));
}

}  // namespace edgemill::bench
