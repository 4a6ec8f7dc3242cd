#include "cli/plugins.h"

#include <dlfcn.h>

#include <string_view>

#include "common/os/file.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

/// Each plugin has this text, with its version after it: edgemill/package/plugin.cc.in. The file is
/// searched for it, because loading a file runs its code.
constexpr std::string_view kMark = "edgemill plugin for version ";
constexpr size_t kMostPluginBytes = size_t{1} << 30;

Status LoadPlugin(const std::string& path) {
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  if (!exists) return MissingError(StrCat(path, ": there is no such plugin: check the name"));
  ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(path, kMostPluginBytes));
  const size_t mark = bytes.find(kMark);
  if (mark == std::string::npos || !bytes.starts_with("\177ELF")) {
    return BadDataError(StrCat(path, ": not a plugin: build it by edgemill_add_plugin"));
  }
  const std::string version = bytes.c_str() + mark + kMark.size();
  if (version != EDGEMILL_VERSION) {
    return BadDataError(StrCat(path, ": built for Edgemill ", version, ", and this is ",
                               EDGEMILL_VERSION, ": build it again"));
  }
  // A name without a slash would be looked up in the system's folders.
  const std::string named = path.find('/') == std::string::npos ? StrCat("./", path) : path;
  if (dlopen(named.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return OkStatus();
  return BadDataError(StrCat("the plugin cannot be loaded: ", dlerror()));
}

}  // namespace

Status LoadPlugins(const std::vector<std::string>& arguments) {
  constexpr std::string_view kOption = "--plugin";
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    if (argument.starts_with("--plugin=")) {
      RETURN_IF_ERROR(LoadPlugin(argument.substr(kOption.size() + 1)));
    } else if (argument == kOption && i + 1 < arguments.size()) {
      RETURN_IF_ERROR(LoadPlugin(arguments[++i]));
    }
  }
  return OkStatus();
}

void DeclarePlugins(OptionSet& options, std::vector<std::string>* paths) {
  options.Texts("--plugin", paths, "FILE",
                "more algorithms, from a file that edgemill_add_plugin built (repeatable)");
  options.Reads("--plugin");
}

}  // namespace edgemill::cli
