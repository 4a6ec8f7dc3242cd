// The messages of errors and warnings: where they are made, and rules of their words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "test/tidy/rules.h"

namespace edgemill::tidy {

/// A message, or a part of one that another function completes.
struct Message {
  std::string text;   // what is not literal stands in braces: "{path}: no graph"
  std::string place;  // "cli/session.cc:12"
  std::string code;   // of the exit: "usage"; "" where the text alone does not say
};

/// The messages of `texts` (by path, without tests), sorted by text. Found are
/// - what the functions of common/status.h are given, "fprintf(stderr" and what is added to lists
///   of warnings,
/// - what functions are given that pass a parameter on to these,
/// - what functions return whose result is a part of a message.
std::vector<Message> FindMessages(const std::map<std::string, std::string>& texts);

/// Checks the words of messages: messages.cc lists the rules.
void CheckMessages(const std::vector<Message>& messages, Faults* faults);

}  // namespace edgemill::tidy
