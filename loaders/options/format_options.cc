#include "loaders/options/format_options.h"

#include <algorithm>
#include <array>

namespace edgemill {
namespace {

constexpr uint32_t FormatBit(EdgeFormat format) { return uint32_t{1} << static_cast<int>(format); }

constexpr uint32_t kCsvOnly = FormatBit(EdgeFormat::kCsv);
/// Columns with names and types, which DuckDB reads.
constexpr uint32_t kTables = FormatBit(EdgeFormat::kParquet) | FormatBit(EdgeFormat::kQuery);
constexpr uint32_t kBinary =
    FormatBit(EdgeFormat::kPairs32) | FormatBit(EdgeFormat::kPairs64) |
    FormatBit(EdgeFormat::kSerialized) | FormatBit(EdgeFormat::kSerializedWeighted) |
    FormatBit(EdgeFormat::kGalois) | FormatBit(EdgeFormat::kBv) | FormatBit(EdgeFormat::kNpz);
/// Formats in which no line stands for an edge: binary ones, and rows of numbers as text.
constexpr uint32_t kRows = kBinary | FormatBit(EdgeFormat::kLigra);
/// Texts that one thread reads in order.
constexpr uint32_t kOrdered = FormatBit(EdgeFormat::kGraphml) | FormatBit(EdgeFormat::kPajek);
/// Formats in which an edge may be without a weight that others have.
constexpr uint32_t kWeights = kCsvOnly | kTables | FormatBit(EdgeFormat::kEdgeList) |
                              FormatBit(EdgeFormat::kWeightedList) |
                              FormatBit(EdgeFormat::kGraphml);
/// Formats that say by themselves which lines are comments.
constexpr uint32_t kOwnComments = FormatBit(EdgeFormat::kKonect) |
                                  FormatBit(EdgeFormat::kMatrixMarket) |
                                  FormatBit(EdgeFormat::kDimacs) | FormatBit(EdgeFormat::kMetis) |
                                  FormatBit(EdgeFormat::kTriples);
/// Formats whose fields may be in quotes.
constexpr uint32_t kQuotes =
    kCsvOnly | FormatBit(EdgeFormat::kEdgeList) | FormatBit(EdgeFormat::kWeightedList);

constexpr std::array kOptions = {
    FormatOption{"--csv-columns",
                 [](const ReadOptions& options) { return !options.csv_columns.empty(); },
                 kCsvOnly | kTables, true},
    FormatOption{"--column",
                 [](const ReadOptions& options) { return !options.edge_columns.empty(); },
                 kCsvOnly | kTables, true},
    FormatOption{"--header",
                 [](const ReadOptions& options) { return options.header != HeaderMode::kAuto; },
                 kCsvOnly, true},
    FormatOption{"--delimiter",
                 [](const ReadOptions& options) { return !options.delimiter.empty(); }, kCsvOnly,
                 true},
    FormatOption{"--quote",
                 [](const ReadOptions& options) { return options.quote != QuoteMode::kAuto; },
                 kQuotes, false},
    FormatOption{"--skip-lines", [](const ReadOptions& options) { return options.skip_lines > 0; },
                 ~(kBinary | kTables | kOrdered), false},
    FormatOption{"--comment", [](const ReadOptions& options) { return !options.comment.empty(); },
                 ~(kRows | kOwnComments | kTables | kOrdered), false},
    FormatOption{"--decimal", [](const ReadOptions& options) { return options.decimal_comma; },
                 kCsvOnly | kTables, false},
    FormatOption{
        "--empty-weight",
        [](const ReadOptions& options) { return options.empty_weight != EmptyWeight::kError; },
        kWeights, false},
    FormatOption{"--bad-lines",
                 [](const ReadOptions& options) { return options.max_bad_lines > 0; }, ~kRows,
                 false},
};

}  // namespace

bool FormatOption::ActsOn(EdgeFormat format) const { return (formats & FormatBit(format)) != 0; }

std::span<const FormatOption> FormatOptions() { return kOptions; }

bool AsksForCsv(const ReadOptions& options) {
  return std::any_of(kOptions.begin(), kOptions.end(), [&](const FormatOption& option) {
    return option.asks_for_csv && option.given(options);
  });
}

Status CheckFormatOptions(EdgeFormat format, const std::string& name, const ReadOptions& options) {
  for (const FormatOption& option : kOptions) {
    if (!option.given(options) || option.ActsOn(format)) continue;
    return UsageError(StrCat(name, ": ", option.name, " cannot act on format ",
                             EdgeFormatName(format), ": leave it out",
                             option.asks_for_csv ? ", or say --format csv" : ""));
  }
  return OkStatus();
}

}  // namespace edgemill
