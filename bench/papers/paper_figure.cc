#include "bench/papers/paper_figure.h"

#include <iterator>

namespace edgemill::bench {

std::vector<PaperFigure> Joined(std::vector<std::vector<PaperFigure>> parts) {
  std::vector<PaperFigure> all;
  for (std::vector<PaperFigure>& part : parts) {
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  return all;
}

const std::vector<PaperFigure>& PaperFigures() {
  static const std::vector<PaperFigure> figures = Joined(
      {GaraphFigures(), MultigraphFigures(), SubwayFigures(), HytgraphFigures(), EmogiFigures()});
  return figures;
}

}  // namespace edgemill::bench
