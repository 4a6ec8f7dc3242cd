#include "common/cpu_quota.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "common/strings.h"

namespace edgemill {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

bool Contains(const std::vector<std::string>& parts, std::string_view wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

/// The words of a small file; none when it cannot be read.
std::vector<std::string> WordsOf(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> words;
  for (std::string word; file >> word;) words.push_back(word);
  return words;
}

/// A hierarchy of control groups that may limit processors.
struct Hierarchy {
  bool unified;            // version 2
  std::string mount_root;  // the group that is mounted
  std::string mount_point;
};

/// What /proc/self/mountinfo names. A line: ids, device, root, mount point, options, "-", type,
/// source, and, of version 1, controllers.
std::vector<Hierarchy> MountedHierarchies(const std::string& root) {
  std::vector<Hierarchy> hierarchies;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> words = Split(line, ' ');
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.end() - dash < 4 || dash - words.begin() < 6) continue;
    const bool unified = dash[1] == "cgroup2";
    if (!unified && (dash[1] != "cgroup" || !Contains(Split(dash[3], ','), "cpu"))) continue;
    hierarchies.push_back({unified, words[3], words[4]});
  }
  return hierarchies;
}

/// This process's group in a hierarchy of version 2 or of version 1's "cpu". A line of
/// /proc/self/cgroup: number, controllers, path.
std::string GroupOf(const std::string& root, bool unified) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? line.starts_with("0::") : Contains(Split(controllers, ','), "cpu")) {
      return line.substr(second + 1);
    }
  }
  return "/";
}

/// The quota of the group in `directory`, in processors.
std::optional<uint64_t> QuotaOf(const std::string& directory, bool unified) {
  std::vector<std::string> words;  // time in a period, the period
  if (unified) {
    words = WordsOf(directory + "/cpu.max");
  } else {
    words = WordsOf(directory + "/cpu.cfs_quota_us");
    const std::vector<std::string> period = WordsOf(directory + "/cpu.cfs_period_us");
    words.insert(words.end(), period.begin(), period.end());
  }
  uint64_t quota = 0, period = 0;
  // No quota reads "max" or "-1".
  if (words.size() != 2 || !ParseNumber(words[0], &quota) || !ParseNumber(words[1], &period)) {
    return std::nullopt;
  }
  if (quota == 0 || period == 0) return std::nullopt;
  return (quota - 1) / period + 1;
}

}  // namespace

std::optional<uint64_t> CpuQuotaProcessors(const std::string& root) {
  std::optional<uint64_t> least;
  for (const Hierarchy& hierarchy : MountedHierarchies(root)) {
    // A container sees its own group, or one above it, at the mount point.
    const std::string above = hierarchy.mount_root == "/" ? "" : hierarchy.mount_root;
    std::string group = GroupOf(root, hierarchy.unified);
    group = group.starts_with(above + "/") ? group.substr(above.size()) : "";
    while (true) {
      const std::optional<uint64_t> quota =
          QuotaOf(StrCat(root, hierarchy.mount_point, group), hierarchy.unified);
      if (quota.has_value()) least = std::min(least.value_or(*quota), *quota);
      if (group.empty()) break;
      group.erase(group.rfind('/'));
    }
  }
  return least;
}

}  // namespace edgemill
