#include "loaders/formats/npz/npz_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/cancel.h"
#include "loaders/formats/lines/number_parser.h"

namespace edgemill {
namespace {

constexpr uint64_t kLookElements = uint64_t{1} << 16;

template <typename T>
T LoadElement(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

/// The element at `at`; `*exact` becomes false if it is an integer beyond 2^53.
template <typename T>
double AsDouble(const std::byte* at, bool* exact) {
  const T value = LoadElement<T>(at);
  if constexpr (sizeof(T) == 8 && std::is_integral_v<T>) {
    constexpr auto kMost = static_cast<T>(kMaxExactInteger);
    bool fits = value <= kMost;
    if constexpr (std::is_signed_v<T>) fits = fits && value >= -kMost;
    *exact = *exact && fits;
  }
  return static_cast<double>(value);
}

double LoadValue(const NpyType& type, const std::byte* at, bool* exact) {
  const bool is_signed = type.kind == NpyType::Kind::kSigned;
  if (type.kind == NpyType::Kind::kReal) {
    return type.bytes == 4 ? static_cast<double>(LoadElement<float>(at)) : LoadElement<double>(at);
  }
  switch (type.bytes) {
    case 1:
      return is_signed ? AsDouble<int8_t>(at, exact) : AsDouble<uint8_t>(at, exact);
    case 2:
      return is_signed ? AsDouble<int16_t>(at, exact) : AsDouble<uint16_t>(at, exact);
    case 4:
      return is_signed ? AsDouble<int32_t>(at, exact) : AsDouble<uint32_t>(at, exact);
    default:
      return is_signed ? AsDouble<int64_t>(at, exact) : AsDouble<uint64_t>(at, exact);
  }
}

/// Whether all values are 1. Stops at the first that is not.
StatusOr<bool> AreOnes(NpyReader* data) {
  std::vector<std::byte> bytes;
  const size_t each = data->type().bytes;
  while (data->next() < data->size()) {
    RETURN_IF_ERROR(CheckCancelled());
    const uint64_t some = std::min(kLookElements, data->size() - data->next());
    RETURN_IF_ERROR(data->ReadPlain(some, &bytes));
    for (size_t at = 0; at < bytes.size(); at += each) {
      bool exact = true;
      if (LoadValue(data->type(), &bytes[at], &exact) != 1) return false;
    }
  }
  return true;
}

}  // namespace

StatusOr<NpzValueRule> DecideNpzValues(const InputStream& archive, const ZipMember& data,
                                       const ReadOptions& options,
                                       std::vector<std::string>* notes) {
  NpzValueRule rule{.integer_only = options.weights == WeightMode::kInt,
                    .rounded = options.weights == WeightMode::kFloat};
  if (options.weights == WeightMode::kNone) return rule;
  ASSIGN_OR_RETURN(const auto reader, NpyReader::Open(archive, data));
  if (reader->type().kind == NpyType::Kind::kText) {
    return reader->RefuseArray("text where values should be: --weights none leaves them out");
  }
  rule.integers = reader->type().kind != NpyType::Kind::kReal;
  rule.keeps_weights = options.weights != WeightMode::kAuto;
  if (rule.keeps_weights) return rule;
  if (reader->type().kind == NpyType::Kind::kBool) return rule;
  ASSIGN_OR_RETURN(const bool are_ones, AreOnes(reader.get()));
  rule.keeps_weights = !are_ones;
  // The values are not read again.
  if (are_ones) RETURN_IF_ERROR(reader->CheckEnd());
  if (are_ones && reader->size() > 0) {
    notes->push_back(StrCat(archive.name(),
                            ": all values are 1, so edges have no weights: --weights int keeps "
                            "them"));
  }
  return rule;
}

Status ReadNpzValues(const NpzValueRule& rule, NpyReader* data, std::span<double> into) {
  const uint64_t first = data->next();
  std::vector<std::byte> bytes;
  RETURN_IF_ERROR(data->ReadPlain(into.size(), &bytes));
  for (size_t i = 0; i < into.size(); ++i) {
    bool exact = true;
    into[i] = LoadValue(data->type(), bytes.data() + i * data->type().bytes, &exact);
    if (!exact && !rule.rounded) {
      return data->Refuse(first + i,
                          "an integer weight beyond 2^53: --weights float rounds it, --weights "
                          "none leaves weights out");
    }
    if (!std::isfinite(into[i])) {
      return data->Refuse(first + i,
                          StrCat("a weight that is ", std::isnan(into[i]) ? "NaN" : "infinite",
                                 ": --weights none leaves weights out"));
    }
    if (rule.integer_only && into[i] != std::floor(into[i])) {
      return data->Refuse(first + i,
                          "a weight that is not an integer: read it with --weights float");
    }
  }
  return OkStatus();
}

}  // namespace edgemill
