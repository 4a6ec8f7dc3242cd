#include "cli/display/surroundings.h"

#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {

std::vector<std::pair<std::string, std::string>> Surroundings(
    const bench::BenchmarkResult& result) {
  const bench::Machine& machine = result.machine;
  std::vector<std::pair<std::string, std::string>> all = {
      {"machine", StrCat(machine.cpu.empty() ? "unknown processor" : machine.cpu, ", ",
                         machine.cores, machine.cores == 1 ? " core, " : " cores, ",
                         FormatBytes(machine.memory_bytes), " of memory, Linux ", machine.kernel)}};
  for (const bench::Disk& disk : machine.disks) {
    std::string text = StrCat(ShownText(disk.path), ": ", disk.file_system);
    if (!disk.device.empty()) text += StrCat(" on ", disk.device);
    if (!disk.model.empty()) text += StrCat(", ", disk.model);
    if (disk.rotational) text += ", rotational";
    all.emplace_back("disk", StrCat(text, ", ", FormatBytes(disk.bytes)));
  }
  for (const auto& [name, value] : result.settings) {
    uint64_t bytes = 0;
    if (name == "memory_bytes" && ParseNumber(value, &bytes)) {
      all.emplace_back("memory", StrCat("--memory ", FormatBytes(bytes)));
    }
  }
  all.emplace_back("commit", StrCat(result.commit, ", ", result.time));
  return all;
}

std::vector<std::string> SurroundingLines(const bench::BenchmarkResult& result) {
  std::vector<std::string> lines;
  for (const auto& [name, text] : Surroundings(result)) lines.push_back(StrCat(name, ": ", text));
  return lines;
}

std::string SurroundingsText(const bench::BenchmarkResult& result, std::string_view prefix) {
  std::string lines;
  for (const auto& [name, text] : Surroundings(result)) {
    lines += StrCat(prefix, name, std::string(9 - name.size(), ' '), text, "\n");
  }
  return lines;
}

}  // namespace edgemill::cli
