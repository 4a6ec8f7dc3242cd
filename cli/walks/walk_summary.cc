#include "cli/walks/walk_summary.h"

#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

std::string LineOf(std::string_view name, std::string_view value) {
  constexpr size_t kNameColumns = 16;
  std::string line(name);
  line.resize(kNameColumns, ' ');
  return StrCat(line, value, "\n");
}

}  // namespace

std::string WalkSummary::Text() const {
  const double rate = seconds > 0 ? static_cast<double>(num_parts) / seconds : 0;
  return StrCat(
      LineOf(made, FormatCount(num_made)), LineOf(parts, FormatCount(num_parts)),
      LineOf("time",
             StrCat(FormatFixed(seconds, 3), " s, ", FormatSignificant(rate), " ", parts, "/s")),
      LineOf("blocks read", StrCat(FormatCount(blocks_read), " of ", FormatCount(blocks), ", in ",
                                   FormatCount(batches), batches == 1 ? " batch" : " batches")));
}

}  // namespace edgemill::cli
