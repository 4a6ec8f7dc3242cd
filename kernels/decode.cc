#include "kernels/decode.h"

#include <string>
#include <string_view>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/decode.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file once an instruction set
#include <hwy/highway.h>

#include "kernels/decode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {

void Values(const PackedView& view, uint32_t group, uint32_t* values) {
  GroupValues(view, view.header(group), values);
}

void Prefix(const PackedView& view, uint32_t group, GroupPrefix* prefix) {
  GroupSums(view, group, prefix);
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(Values);
HWY_EXPORT(Prefix);

void DecodeGroupPrefix(const PackedView& view, uint32_t group, GroupPrefix* prefix) {
  HWY_DYNAMIC_DISPATCH(Prefix)(view, group, prefix);
}

void DecodeGroupValues(const PackedView& view, uint32_t group, uint32_t* values) {
  HWY_DYNAMIC_DISPATCH(Values)(view, group, values);
}

std::vector<std::string> DecodeTargets() {
  std::vector<std::string> names;
  hwy::SetSupportedTargetsForTest(0);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.push_back(hwy::TargetName(target));
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return names;
}

bool UseDecodeTarget(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name == hwy::TargetName(target)) hwy::SetSupportedTargetsForTest(target);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return name.empty() || hwy::TargetName(hwy::SupportedAndGeneratedTargets().front()) == name;
}

}  // namespace edgemill
#endif
