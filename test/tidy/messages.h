// The messages of errors and warnings: where they are made, and rules for their words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "test/tidy/rules.h"

namespace edgemill::tidy {

/// A message, or a part of one that another function completes.
struct Message {
  std::string text;   // parts that are not literal are in braces: "{path}: no graph"
  std::string place;  // "cli/session.cc:12"
  std::string code;   // the exit code's name, such as "usage"; "" if it is not known
};

/// Finds the messages in `texts`, which maps paths to texts, without tests. Sorts them by text.
/// These are messages:
/// - arguments of the functions of common/status.h and of "fprintf(stderr", and what is added to
///   lists of warnings,
/// - arguments of functions that pass a parameter on to those functions,
/// - results of functions that are parts of messages.
std::vector<Message> FindMessages(const std::map<std::string, std::string>& texts);

/// Checks the words of messages by the rules in messages.cc.
void CheckMessages(const std::vector<Message>& messages, Faults* faults);

}  // namespace edgemill::tidy
