// The formats of ordered texts.
#pragma once

#include <memory>
#include <string_view>

#include "common/status.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/source/input_preview.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// Reads GraphML (http://graphml.graphdrawing.org): one <graph> of nodes and edges. The weight is
/// the data of edges whose attr.name is "weight". Sets `*preview` unless it is null. A graph whose
/// edges are partly directed gives each undirected edge in both directions: to find this out, a
/// file is looked through first. BadDataError for text that is not GraphML, and for nested graphs,
/// hyperedges and declarations of entities.
StatusOr<std::unique_ptr<Input>> MakeGraphmlInput(ReopeningStream stream,
                                                  const ReadOptions& options,
                                                  InputPreview* preview);
/// Whether a text that begins with `head` is GraphML.
bool IsGraphml(std::string_view head);

/// Reads networks of Pajek: *Vertices, then *Arcs, *Edges, *Arcslist and *Edgeslist. Vertices are
/// called by their labels if these are there, unless the options want numbers: then they have the
/// numbers 1 to N. Reserves memory for labels: BudgetError when there is too little. Arcs
/// and edges in one file are as directed and undirected edges in MakeGraphmlInput.
StatusOr<std::unique_ptr<Input>> MakePajekInput(const TextHead& head, ReopeningStream stream,
                                                const ReadOptions& options, InputPreview* preview);
/// Whether the first line that is no comment begins a section of Pajek.
bool IsPajek(const TextHead& head);
/// Whether it begins as no section does, although the file has the suffix of Pajek's.
bool IsNoPajek(const TextHead& head);

}  // namespace edgemill
