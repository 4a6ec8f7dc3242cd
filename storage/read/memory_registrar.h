// Registers the memory of blocks with a device that reads it directly.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "common/status.h"

namespace edgemill {

/// Registers large memory before its use, because storage itself knows no devices.
class MemoryRegistrar {
 public:
  virtual ~MemoryRegistrar() = default;
  /// Makes `memory`, which stays where it is until Unregister, readable by the device. May touch
  /// all of it, but keeps what it holds. An error fails the operation that needs the memory.
  virtual Status Register(std::span<std::byte> memory) = 0;
  virtual void Unregister(std::span<std::byte> memory) noexcept = 0;
};

/// Memory registered with a registrar; a null registrar registers nothing. The destructor
/// unregisters it. Move-only.
class RegisteredMemory {
 public:
  RegisteredMemory() = default;
  static StatusOr<RegisteredMemory> Register(MemoryRegistrar* registrar,
                                             std::span<std::byte> memory) {
    RegisteredMemory registered;
    if (registrar == nullptr || memory.empty()) return registered;
    RETURN_IF_ERROR(registrar->Register(memory));
    registered.registrar_ = registrar;
    registered.memory_ = memory;
    return registered;
  }
  ~RegisteredMemory() {
    if (registrar_ != nullptr) registrar_->Unregister(memory_);
  }
  RegisteredMemory(RegisteredMemory&& other) noexcept { *this = std::move(other); }
  RegisteredMemory& operator=(RegisteredMemory&& other) noexcept {
    std::swap(registrar_, other.registrar_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  bool registered() const { return registrar_ != nullptr; }

 private:
  MemoryRegistrar* registrar_ = nullptr;
  std::span<std::byte> memory_;
};

}  // namespace edgemill
