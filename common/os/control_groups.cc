#include "common/os/control_groups.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>
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

/// The number in a file of one word; nothing for "max" and where there is none.
std::optional<uint64_t> NumberIn(const std::string& path) {
  const std::vector<std::string> words = WordsOf(path);
  uint64_t number = 0;
  if (words.size() != 1 || !ParseNumber(words[0], &number)) return std::nullopt;
  return number;
}

std::optional<uint64_t> Least(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  if (a.has_value() && b.has_value()) return std::min(*a, *b);
  return a.has_value() ? a : b;
}

/// A path of /proc/self/mountinfo, in which white space and backslashes are octal: "\040".
std::string Unescape(std::string_view text) {
  std::string path;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view digits = text.substr(i + 1, text[i] == '\\' ? 3 : 0);
    const bool octal =
        digits.size() == 3 && digits.find_first_not_of("01234567") == std::string_view::npos;
    if (!octal) {
      path += text[i];
      continue;
    }
    path += static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0'));
    i += digits.size();
  }
  return path;
}

/// A mounted hierarchy of control groups.
struct Hierarchy {
  bool unified;            // version 2
  std::string mount_root;  // the group that is mounted
  std::string mount_point;
};

/// The hierarchies of version 2 and of version 1's `controller` that /proc/self/mountinfo names, or
/// the usual ones. A line: ids, device, root, mount point, options, "-", type, source, and, of
/// version 1, controllers.
std::vector<Hierarchy> MountedHierarchies(const std::string& root, std::string_view controller) {
  std::ifstream file(root + "/proc/self/mountinfo");
  if (!file.is_open()) {
    return {{true, "/", "/sys/fs/cgroup"}, {false, "/", StrCat("/sys/fs/cgroup/", controller)}};
  }
  std::vector<Hierarchy> hierarchies;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> words = Split(line, ' ');
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.end() - dash < 4 || dash - words.begin() < 6) continue;
    const bool unified = dash[1] == "cgroup2";
    if (!unified && (dash[1] != "cgroup" || !Contains(Split(dash[3], ','), controller))) continue;
    hierarchies.push_back({unified, Unescape(words[3]), Unescape(words[4])});
  }
  return hierarchies;
}

/// This process's group in a hierarchy of version 2 or of version 1's `controller`. A line of
/// /proc/self/cgroup: number, controllers, path.
std::string GroupOf(const std::string& root, bool unified, std::string_view controller) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? line.starts_with("0::") : Contains(Split(controllers, ','), controller)) {
      return line.substr(second + 1);
    }
  }
  return "/";
}

/// This process's group, below the mount point; empty for the group that is mounted. That group
/// also stands for one outside of it, as a namespace of control groups may show: "/../..".
std::string GroupBelowMount(const std::string& root, const Hierarchy& hierarchy,
                            std::string_view controller) {
  const std::string above = hierarchy.mount_root == "/" ? "" : hierarchy.mount_root;
  const std::string group = GroupOf(root, hierarchy.unified, controller);
  if (!group.starts_with(above + "/")) return "";
  const std::string below = group.substr(above.size());
  return StrCat(below, "/").find("/../") == std::string::npos ? below : "";
}

/// The least limit that `limit_of` finds in this process's group of `controller` and its ancestors.
/// `limit_of` gets a group's directory, and whether the group is of version 2.
template <typename LimitOf>
std::optional<uint64_t> LeastOfGroups(const std::string& root, std::string_view controller,
                                      LimitOf limit_of) {
  std::optional<uint64_t> least;
  for (const Hierarchy& hierarchy : MountedHierarchies(root, controller)) {
    std::string group = GroupBelowMount(root, hierarchy, controller);
    while (true) {
      least = Least(least, limit_of(StrCat(root, hierarchy.mount_point, group), hierarchy.unified));
      if (group.empty()) break;
      group.erase(group.rfind('/'));
    }
  }
  return least;
}

/// The quota of a group, in processors.
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
  // A group without a quota has "max" or "-1".
  if (words.size() != 2 || !ParseNumber(words[0], &quota) || !ParseNumber(words[1], &period)) {
    return std::nullopt;
  }
  if (quota == 0 || period == 0) return std::nullopt;
  return (quota - 1) / period + 1;
}

/// Bytes of page cache in a group and the groups below it. Files in memory are not among them.
uint64_t PageCacheOf(const std::string& directory, bool unified) {
  const std::string_view prefix = unified ? "" : "total_";
  const std::vector<std::string> words = WordsOf(directory + "/memory.stat");  // name, value, ...
  uint64_t bytes = 0;
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    uint64_t value = 0;
    if ((words[i] == StrCat(prefix, "active_file") ||
         words[i] == StrCat(prefix, "inactive_file")) &&
        ParseNumber(words[i + 1], &value)) {
      bytes += value;
    }
  }
  return bytes;
}

/// A group's limit of memory. Above memory.high the kernel slows a group down until it has given
/// memory back.
std::optional<uint64_t> LimitOf(const std::string& directory, bool unified) {
  return unified ? Least(NumberIn(directory + "/memory.max"), NumberIn(directory + "/memory.high"))
                 : NumberIn(directory + "/memory.limit_in_bytes");
}

/// What a group's limit leaves.
std::optional<uint64_t> FreeBytesOf(const std::string& directory, bool unified) {
  const std::optional<uint64_t> limit = LimitOf(directory, unified);
  if (!limit.has_value()) return std::nullopt;
  const uint64_t charged =
      NumberIn(directory + (unified ? "/memory.current" : "/memory.usage_in_bytes")).value_or(0);
  const uint64_t in_use = charged - std::min(charged, PageCacheOf(directory, unified));
  return *limit - std::min(*limit, in_use);
}

}  // namespace

std::optional<uint64_t> CpuQuotaProcessors(const std::string& root) {
  return LeastOfGroups(root, "cpu", QuotaOf);
}

std::optional<uint64_t> ControlGroupLimitBytes(const std::string& root) {
  return LeastOfGroups(root, "memory", LimitOf);
}

std::optional<uint64_t> ControlGroupFreeBytes(const std::string& root) {
  return LeastOfGroups(root, "memory", FreeBytesOf);
}

}  // namespace edgemill
