// Reads JSON that other programs wrote, and says in words what is wrong with it.
//
// These are templates on nlohmann's document type, because only source files include its header.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/file.h"
#include "common/status.h"

namespace edgemill::bench {

/// The place after the first `num_bytes` of `text`, such as "line 2, byte 7".
std::string PlaceAfter(std::string_view text, size_t num_bytes);

/// Reads the JSON object in the file at `path`. Returns MissingError when there is no file, and
/// BadDataError when it holds no JSON object. The messages end with `what_to_give`, as in "a.json:
/// line 2, byte 7: is not JSON: give ...".
template <typename Json>
StatusOr<Json> ReadJsonObject(const std::string& path, std::string_view what_to_give) {
  constexpr size_t kMaxBytes = size_t{64} << 20;  // a longer file is neither result nor report
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  if (!exists) return MissingError(StrCat(path, ": there is no such file: ", what_to_give));
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMaxBytes));
  const auto wrong = [&](std::string_view what) {
    return BadDataError(StrCat(path, ": ", what, ": ", what_to_give));
  };
  try {
    Json json = Json::parse(text);
    if (!json.is_object()) return wrong("is not a JSON object");
    return json;
  } catch (const typename Json::parse_error& error) {  // thrown only by nlohmann's library
    // error.byte also counts the byte at which parsing stopped.
    const size_t before = error.byte == 0 ? 0 : error.byte - 1;
    return wrong(StrCat(PlaceAfter(text, before), ": is not JSON"));
  } catch (const typename Json::out_of_range&) {
    return wrong("holds a number that is too large");
  }
}

/// Reads fields of objects, and remembers what is wrong with the first bad field. This field and
/// all fields after it read as empty or 0.
template <typename Json>
class JsonFields {
 public:
  std::string Text(const Json& object, std::string_view key) {
    return Get<std::string>(object, key, &Json::is_string, "is not text");
  }
  double Number(const Json& object, std::string_view key) {
    return Get<double>(object, key, &Json::is_number, "is not a number");
  }
  uint64_t Count(const Json& object, std::string_view key) {
    return Get<uint64_t>(object, key, &Json::is_number_unsigned, "is not a count");
  }
  bool Flag(const Json& object, std::string_view key) {
    return Get<bool>(object, key, &Json::is_boolean, "is neither true nor false");
  }
  Json Object(const Json& object, std::string_view key) {
    return Get<Json>(object, key, &Json::is_object, "is not an object");
  }
  Json Array(const Json& object, std::string_view key) {
    return Get<Json>(object, key, &Json::is_array, "is not a list");
  }
  std::vector<double> Numbers(const Json& object, std::string_view key) {
    return Items<double>(object, key, &Json::is_number, "holds what is not a number");
  }
  std::vector<std::string> Texts(const Json& object, std::string_view key) {
    return Items<std::string>(object, key, &Json::is_string, "holds what is not text");
  }

  /// What is wrong, such as "has no \"graph\""; empty when nothing is wrong.
  const std::string& fault() const { return fault_; }

 private:
  using IsType = bool (Json::*)() const noexcept;

  /// Returns the field, if there is one and its type `is` right. Otherwise records the fault.
  template <typename Value>
  Value Get(const Json& object, std::string_view key, IsType is, std::string_view fault) {
    if (!fault_.empty()) return Value();
    const auto found = object.find(std::string(key));  // the end if `object` is not an object
    if (found == object.end()) {
      fault_ = StrCat("has no \"", key, "\"");
    } else if (!((*found).*is)()) {
      fault_ = StrCat("\"", key, "\" ", fault);
    } else {
      return found->template get<Value>();
    }
    return Value();
  }

  template <typename Item>
  std::vector<Item> Items(const Json& object, std::string_view key, IsType is,
                          std::string_view fault) {
    std::vector<Item> items;
    for (const Json& item : Array(object, key)) {
      if (!(item.*is)()) {
        fault_ = StrCat("\"", key, "\" ", fault);
        return {};
      }
      items.push_back(item.template get<Item>());
    }
    return items;
  }

  std::string fault_;
};

}  // namespace edgemill::bench
