// Values as a string of bytes, in which ingest keeps its state in the journal.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/status.h"

namespace edgemill {

/// A struct that lists its fields once, for writing and reading. It has a static function template
/// `ListFields(visitor, self)` that calls `visitor.Fields(self.first, self.second, ...)`.
template <typename T, typename Visitor>
concept HasFields = requires(Visitor& visitor, T& value) {
  std::remove_const_t<T>::ListFields(visitor, value);
};

/// Appends values to a string of bytes, little-endian.
class StateWriter {
 public:
  template <typename T>
  void Put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  template <typename T>
  void PutArray(std::span<const T> values) {
    Put<uint64_t>(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void PutText(std::string_view text) { PutArray(std::span<const char>(text)); }
  /// Appends fields one after the other: values, values that may be unset, texts, arrays of these,
  /// and structs that have ListFields.
  template <typename... T>
  void Fields(const T&... values) {
    (Field(values), ...);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  template <typename T>
  void Field(const T& value) {
    if constexpr (HasFields<const T, StateWriter>) {
      T::ListFields(*this, value);
    } else {
      Put(value);
    }
  }
  template <typename T>
  void Field(const std::optional<T>& value) {
    Fields(value.has_value(), value.value_or(T{}));
  }
  void Field(const std::string& text) { PutText(text); }
  template <typename T>
  void Field(const std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      PutArray(std::span<const T>(values));
    } else {
      Put<uint64_t>(values.size());
      for (const T& value : values) Field(value);
    }
  }

  std::string bytes_;
};

/// Reads the values of a StateWriter in the same order. After the first missing value, all values
/// are zero and ok() is false.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T Get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (Has(sizeof(T))) {
      std::memcpy(&value, rest_.data(), sizeof(T));
      rest_.remove_prefix(sizeof(T));
    }
    return value;
  }
  template <typename T>
  std::vector<T> GetArray() {
    const uint64_t size = Get<uint64_t>();
    std::vector<T> values;
    if (size <= rest_.size() / sizeof(T) && Has(size * sizeof(T))) {
      values.resize(size);
      if (size > 0) std::memcpy(values.data(), rest_.data(), size * sizeof(T));
      rest_.remove_prefix(size * sizeof(T));
    } else {
      ok_ = false;
    }
    return values;
  }
  std::string GetText() {
    const std::vector<char> text = GetArray<char>();
    return std::string(text.data(), text.size());
  }
  /// Reads what StateWriter::Fields wrote for the same list of fields.
  template <typename... T>
  void Fields(T&... values) {
    (Field(values), ...);
  }
  /// Ok when every value was there and nothing is left.
  Status Finish() const {
    if (ok_ && rest_.empty()) return OkStatus();
    return BadDataError(
        "the kept state is damaged or of another version: ingest again with --replace");
  }
  bool ok() const { return ok_; }

 private:
  template <typename T>
  void Field(T& value) {
    if constexpr (HasFields<T, StateReader>) {
      T::ListFields(*this, value);
    } else {
      value = Get<T>();
    }
  }
  template <typename T>
  void Field(std::optional<T>& value) {
    const bool has_value = Get<bool>();
    const T read = Get<T>();
    value = has_value ? std::optional<T>(read) : std::nullopt;
  }
  void Field(std::string& text) { text = GetText(); }
  template <typename T>
  void Field(std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      values = GetArray<T>();
    } else {
      const uint64_t size = Get<uint64_t>();
      for (uint64_t i = 0; i < size && ok_; ++i) Field(values.emplace_back());
    }
  }
  bool Has(uint64_t size) {
    if (size > rest_.size()) ok_ = false;
    return ok_;
  }
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace edgemill
