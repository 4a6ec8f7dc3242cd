#include "cli/truss/truss_file.h"

#include <string_view>
#include <utility>

#include "cli/walks/walk_file.h"
#include "common/strings.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/graph/names/name_text.h"
#include "engine/output/external_ids.h"
#include "engine/output/output_file.h"
#include "engine/output/parquet_table.h"

namespace edgemill::cli {
namespace {

/// A row group that is being made, its bytes, and a page of it.
constexpr uint64_t kParquetBytes = 4 * ParquetTable::kGroupBytes;

/// Ids or names of the ends of edges.
class EdgeEnds {
 public:
  static uint64_t SizeBytes(const GraphStore& store) {
    return ExternalIds::SizeBytes(store) + LoadedNames::SizeBytes(store);
  }
  static StatusOr<EdgeEnds> Load(const GraphStore& store, BlockReader& reader, const Means& means) {
    EdgeEnds ends;
    ASSIGN_OR_RETURN(ends.ids_, ExternalIds::Load(store, reader, means.threads, means.budget));
    if (HasNames(store)) {
      ASSIGN_OR_RETURN(ends.names_, LoadedNames::Load(store, reader, means.threads, means.budget));
    }
    return ends;
  }

  bool are_names() const { return !names_.empty(); }
  /// The ids of both ends, the lesser first. Where vertices have names, their ranks.
  std::pair<ExternalId, ExternalId> Of(const EdgeTruss& edge) const {
    return std::minmax({ids_.Of(edge.one), ids_.Of(edge.other)});
  }
  std::string NameOf(ExternalId id) const { return names_.Of(id); }
  void Append(ExternalId id, std::string* text) const {
    if (are_names()) return AppendNameField(NameOf(id), text);
    *text += StrCat(id);
  }

 private:
  ExternalIds ids_;
  LoadedNames names_;
};

Status WriteText(const EdgeTrusses& trusses, const TrussOutput& output, const EdgeEnds& ends,
                 const Means& means) {
  ASSIGN_OR_RETURN(LineFile file, LineFile::Open(output.path, means));
  if (output.format == ResultFormat::kComma) RETURN_IF_ERROR(file.Write("source,target,truss\n"));
  const char between = FieldEnd(output.format);
  RETURN_IF_ERROR(trusses.ForEachPart([&](const TrussPart& part) -> Status {
    if (file.reader_left()) return OkStatus();
    const auto append = [&](uint64_t i, uint64_t begin, uint64_t end, std::string* text) {
      for (; begin < end && !LineFile::IsFull(*text); ++begin) {
        const EdgeTruss edge = part.edge(i, begin);
        if (edge.truss < output.least) continue;
        const auto [source, target] = ends.Of(edge);
        ends.Append(source, text);
        *text += between;
        ends.Append(target, text);
        *text += between;
        *text += StrCat(edge.truss);
        *text += '\n';
      }
      return begin;
    };
    return file.WriteLines({.count = part.num_vertices(),
                            .num_parts = [&](uint64_t i) { return part.num_edges(i); },
                            .append = append});
  }));
  return file.Finish();
}

Status WriteParquet(const EdgeTrusses& trusses, const TrussOutput& output, const EdgeEnds& ends,
                    const Means& means) {
  ASSIGN_OR_RETURN(const MemoryReservation memory,
                   means.budget.Reserve(kParquetBytes, "rows of a Parquet file"));
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Open(output.path));
  const auto type = ends.are_names() ? ParquetTable::Type::kText : ParquetTable::Type::kWhole;
  ParquetTable table({{"source", type}, {"target", type}, {"truss", ParquetTable::Type::kWhole}});
  const auto add_end = [&](size_t column, ExternalId id) {
    if (ends.are_names()) {
      table.AddText(column, ends.NameOf(id));
    } else {
      table.AddWhole(column, id);
    }
  };
  RETURN_IF_ERROR(file.Write(table.Start()));
  RETURN_IF_ERROR(trusses.ForEachPart([&](const TrussPart& part) -> Status {
    for (uint64_t i = 0; i < part.num_vertices(); ++i) {
      for (uint64_t number = 0; number < part.num_edges(i); ++number) {
        const EdgeTruss edge = part.edge(i, number);
        if (edge.truss < output.least) continue;
        const auto [source, target] = ends.Of(edge);
        add_end(0, source);
        add_end(1, target);
        table.AddWhole(2, edge.truss);
        if (table.EndRow()) RETURN_IF_ERROR(file.Write(table.TakeGroup()));
      }
    }
    return OkStatus();
  }));
  RETURN_IF_ERROR(file.Write(table.TakeGroup()));
  RETURN_IF_ERROR(file.Write(table.Finish()));
  return file.Finish();
}

}  // namespace

uint64_t TrussFileBytes(const GraphStore& store, ResultFormat format, int threads) {
  return EdgeEnds::SizeBytes(store) +
         (format == ResultFormat::kParquet ? kParquetBytes : LineFile::MemoryBytes(threads));
}

Status WriteTrusses(const EdgeTrusses& trusses, const TrussOutput& output, const GraphStore& store,
                    BlockReader& reader, const Means& means) {
  ASSIGN_OR_RETURN(const EdgeEnds ends, EdgeEnds::Load(store, reader, means));
  if (output.format == ResultFormat::kParquet) return WriteParquet(trusses, output, ends, means);
  return WriteText(trusses, output, ends, means);
}

}  // namespace edgemill::cli
