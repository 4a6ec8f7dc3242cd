// Figures of the papers as tables of cells, and as plots.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/papers/paper_figure.h"
#include "bench/papers/paper_runs.h"

namespace edgemill::bench {

/// A number as it is shown, or another text.
struct FigureCell {
  std::string text;
  std::optional<double> value;
};

/// A row for each algorithm, or for each iteration or page of one.
struct FigureTable {
  std::string title;                // the algorithm, where rows are not; else empty
  std::vector<std::string> header;  // with units
  std::vector<std::vector<FigureCell>> rows;
};

/// The tables of a figure that is not left out: one, or one for each algorithm. A cell is "-" where
/// its run is missing. Tables and rows without a number are not there.
std::vector<FigureTable> TablesOf(const PaperFigure& figure, const PaperRuns& runs);

/// An SVG with a chart for each table, and `notes` below: the columns with the unit of the first,
/// by iteration. Empty where rows are no iterations.
std::string PlotOf(const PaperFigure& figure, const std::vector<FigureTable>& tables,
                   const std::vector<std::string>& notes);

}  // namespace edgemill::bench
