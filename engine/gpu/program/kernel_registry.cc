#include <algorithm>
#include <string>
#include <vector>

#include "engine/gpu/program/program_launchers.h"

namespace edgemill {
namespace {

/// Returns a type's name without some namespaces. Compilers name anonymous namespaces differently,
/// and the namespace of views depends on whether views are checked.
std::string KeyOf(std::string_view name) {
  std::string key(name);
  const auto remove = [&](std::string_view begin, std::string_view end) {
    for (size_t at = key.find(begin); at != std::string::npos; at = key.find(begin, at)) {
      key.erase(at, key.find(end, at) + end.size() - at);
    }
  };
  remove("{anonymous}", "::");
  remove("(anonymous namespace)", "::");
  remove("_GLOBAL__N__", "::");
  remove("plain_views", "::");
  remove("checked_views", "::");
  return key;
}

struct EdgeProgramEntry {
  std::string_view file;
  std::string program;
  EdgeProgramLaunchers kernels;
};
struct FunctionEntry {
  std::string_view file;
  std::string function;
  FunctionUse use;
  FunctionKernels kernels;
};

// The vectors are in functions because registrations run before main, in any order.
std::vector<EdgeProgramEntry>& EdgePrograms() {
  static std::vector<EdgeProgramEntry> entries;
  return entries;
}
std::vector<FunctionEntry>& Functions() {
  static std::vector<FunctionEntry> entries;
  return entries;
}

}  // namespace

const EdgeProgramLaunchers* FindEdgeProgram(std::string_view file, std::string_view program) {
  const std::string key = KeyOf(program);
  for (const EdgeProgramEntry& entry : EdgePrograms()) {
    if (entry.file == file && entry.program == key) return &entry.kernels;
  }
  return nullptr;
}

const FunctionKernels* FindFunction(std::string_view file, std::string_view function,
                                    FunctionUse use) {
  const std::string key = KeyOf(function);
  for (const FunctionEntry& entry : Functions()) {
    if (entry.file == file && entry.function == key && entry.use == use) {
      return &entry.kernels;
    }
  }
  return nullptr;
}

bool HasKernels(std::string_view file) {
  const auto is_of_file = [&](const auto& entry) { return entry.file == file; };
  return std::any_of(EdgePrograms().begin(), EdgePrograms().end(), is_of_file) ||
         std::any_of(Functions().begin(), Functions().end(), is_of_file);
}

KernelRegistration::KernelRegistration(std::string_view file, std::string_view program,
                                       const EdgeProgramLaunchers& kernels) {
  EdgePrograms().push_back({file, KeyOf(program), kernels});
}

KernelRegistration::KernelRegistration(std::string_view file, std::string_view function,
                                       FunctionUse use, const FunctionKernels& kernels) {
  Functions().push_back({file, KeyOf(function), use, kernels});
}

}  // namespace edgemill
