#include "loaders/stream/stream_lines.h"

#include <cstddef>
#include <string>
#include <vector>

#include "common/strings.h"

namespace edgemill {

Status ForEachLine(InputStream& input, std::string_view advice,
                   const std::function<Status(uint64_t number, std::string_view line)>& parse) {
  constexpr size_t kLongestLine = size_t{1} << 20;
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  uint64_t number = 1;
  std::string begun;  // a line whose end may come with the next block
  const auto append = [&](std::string_view part) -> Status {
    if (begun.size() + part.size() > kLongestLine) {
      return BadDataError(StrCat(input.name(), ":", number, ": longer than 1 MiB: ", advice));
    }
    begun += part;
    return OkStatus();
  };
  const auto end_line = [&]() -> Status {
    std::string_view line = begun;
    if (number == 1 && line.starts_with(kMark)) line.remove_prefix(kMark.size());
    RETURN_IF_ERROR(parse(number, line));
    ++number;
    begun.clear();
    return OkStatus();
  };
  std::vector<std::byte> block(InputStream::kBlockBytes);
  for (size_t filled = block.size(); filled == block.size();) {
    RETURN_IF_ERROR(input.Read(block, &filled));
    std::string_view text(reinterpret_cast<const char*>(block.data()), filled);
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      RETURN_IF_ERROR(append(text.substr(0, end)));
      text.remove_prefix(end + 1);
      RETURN_IF_ERROR(end_line());
    }
    RETURN_IF_ERROR(append(text));
  }
  return begun.empty() ? OkStatus() : end_line();
}

}  // namespace edgemill
