#include "engine/device/transfer.h"

namespace edgemill {

std::string_view TransferName(Transfer transfer) {
  switch (transfer) {
    case Transfer::kAuto:
      return "auto";
    case Transfer::kResident:
      return "resident";
    case Transfer::kFilter:
      return "filter";
    case Transfer::kCompaction:
      return "compaction";
    case Transfer::kZeroCopy:
      return "zero-copy";
    case Transfer::kManaged:
      return "managed";
    case Transfer::kSubCsr:
      return "subcsr";
  }
  return "unknown";
}

std::string_view BlockPriorityName(BlockPriority priority) {
  switch (priority) {
    case BlockPriority::kNone:
      return "none";
    case BlockPriority::kHub:
      return "hub";
    case BlockPriority::kDelta:
      return "delta";
  }
  return "unknown";
}

}  // namespace edgemill
