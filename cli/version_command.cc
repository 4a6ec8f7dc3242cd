#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/display/json_text.h"
#include "common/strings.h"
#include "storage/format/block_format.h"

namespace edgemill::cli {
namespace {

class VersionCommand : public Command {
 public:
  void Declare(OptionSet& /*options*/) override {}
  SharedChoices shared() const override {
    return {.memory = false, .threads = false, .data_help = ""};
  }
  Status Run(const OptionSet& /*options*/, Session& session) override {
    constexpr std::string_view kVersion = EDGEMILL_VERSION;
    constexpr std::string_view kCuda = EDGEMILL_CUDA;
    const nlohmann::ordered_json json = {{"command", "version"},
                                         {"version", kVersion},
                                         {"block_format", kBlockVersion},
                                         {"compiler", __VERSION__},
                                         {"cuda_toolkit", kCuda}};
    session.SetJson(JsonText(json));
    return session.Print(StrCat("edgemill ", kVersion, "\nblock format ", kBlockVersion,
                                "\ncompiler ", __VERSION__, "\nCUDA toolkit ",
                                kCuda.empty() ? "none found when built" : kCuda, "\n"));
  }
};

}  // namespace

std::unique_ptr<Command> MakeVersionCommand() { return std::make_unique<VersionCommand>(); }

}  // namespace edgemill::cli
