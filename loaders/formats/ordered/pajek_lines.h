// The lines of Pajek's networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace edgemill {

/// What a line that begins with '*' begins.
enum class PajekSection {
  kNone,       // no such line
  kUnknown,    // one that is not read
  kNetwork,    // the name of a network follows
  kVertices,   // lines "number label x y z ..."
  kArcs,       // lines "source target weight"
  kEdges,      // the same, in both directions
  kArcsList,   // lines "source target target ..."
  kEdgesList,  // the same, in both directions
  kMatrix,
  kOther,  // a part of a project that is no network, such as a partition; it is skipped
};
/// The section that `line` begins, whatever the case of its letters.
PajekSection PajekSectionOf(std::string_view line);
/// Whether its lines are edges, and whether these are of both directions.
bool HasPajekEdges(PajekSection section);
bool IsPajekUndirected(PajekSection section);

/// Whether a line of `section` has a weight in its third column.
bool HasPajekWeight(PajekSection section, std::string_view line);

/// The next word of `line` from `*at` on, or the text in double quotes. Moves `*at` behind it.
/// Empty at the end. Sets `*open_quote` for a quote that does not end on the line.
std::string_view NextPajekWord(std::string_view line, size_t* at, bool* open_quote);

/// Whether the line says nothing: it is blank or a comment.
bool IsPajekBlank(std::string_view line);

}  // namespace edgemill
