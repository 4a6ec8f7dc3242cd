// Writes vertices' names to text files.
#pragma once

#include <string>
#include <string_view>

namespace edgemill {

/// Appends `name` as a field of a text file: as it is, or in double quotes as in CSV (RFC 4180:
/// quotes in it are doubled). It is quoted where it would not be read back as one field or as a
/// name. That is so for a name that has a blank, tab, comma, semicolon, double quote or control
/// character. It is also so for one that begins as a comment or byte-order mark does, and for inf.
void AppendNameField(std::string_view name, std::string* text);

}  // namespace edgemill
