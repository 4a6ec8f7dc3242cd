#include "engine/program/mode.h"

namespace edgemill {

std::string_view ModeName(Mode mode) {
  switch (mode) {
    case Mode::kAuto:
      return "auto";
    case Mode::kPull:
      return "pull";
    case Mode::kPush:
      return "push";
    case Mode::kNotifyPull:
      return "notify-pull";
  }
  return "unknown";
}

}  // namespace edgemill
