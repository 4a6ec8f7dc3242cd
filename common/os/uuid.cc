#include "common/os/uuid.h"

#include <sys/random.h>

#include <cstring>

#include "common/check.h"
#include "common/random.h"

namespace edgemill {
namespace {

void MarkVersion4(Uuid& uuid) {
  uuid.bytes[6] = static_cast<uint8_t>((uuid.bytes[6] & 0x0f) | 0x40);
  uuid.bytes[8] = static_cast<uint8_t>((uuid.bytes[8] & 0x3f) | 0x80);
}

}  // namespace

Uuid Uuid::Generate() {
  Uuid uuid;
  CHECK_EQ(getrandom(uuid.bytes.data(), uuid.bytes.size(), 0), 16);
  MarkVersion4(uuid);
  return uuid;
}

Uuid Uuid::Derive(uint64_t salt) const {
  uint64_t words[2];
  std::memcpy(words, bytes.data(), 16);
  words[0] = Mix64(words[0] ^ Mix64(salt));
  words[1] = Mix64(words[1] ^ words[0]);
  Uuid uuid;
  std::memcpy(uuid.bytes.data(), words, 16);
  MarkVersion4(uuid);
  return uuid;
}

StatusOr<Uuid> Uuid::Parse(std::string_view text) {
  const auto bad = [&] {
    return UsageError(StrCat(
        "'", text, "' is not a UUID: write it as 8-4-4-4-12 hexadecimal digits with dashes"));
  };
  if (text.size() != 36) return bad();
  Uuid uuid;
  size_t digits = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (text[i] != '-') return bad();
      continue;
    }
    uint8_t digit = 0;
    if (std::from_chars(&text[i], &text[i] + 1, digit, 16).ptr != &text[i] + 1) return bad();
    uint8_t& byte = uuid.bytes[digits++ / 2];
    byte = static_cast<uint8_t>(byte << 4 | digit);
  }
  return uuid;
}

std::string Uuid::ToString() const {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

}  // namespace edgemill
