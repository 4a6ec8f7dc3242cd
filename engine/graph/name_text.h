// Vertices' names in files and in messages.
#pragma once

#include <string>
#include <string_view>

namespace edgemill {

/// Appends `name` as a field of a text file: as it is, or in double quotes as in CSV (RFC 4180:
/// quotes in it are doubled) where it would not be read back as one field or as a name. That is so
/// for a name with a blank, tab, comma, semicolon, double quote or control character in it, for one
/// that begins as a comment or byte-order mark does, and for inf.
void AppendNameField(std::string_view name, std::string* text);

/// `name` for a terminal: control characters as \n, \x1b or \u009b, a backslash as it is; of a
/// long name the beginning, and "...".
std::string ShownName(std::string_view name);

/// The same in double quotes, for messages.
std::string QuotedName(std::string_view name);

}  // namespace edgemill
