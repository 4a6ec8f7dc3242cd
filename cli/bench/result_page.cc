#include "cli/bench/result_page.h"

#include "cli/display/plot_path.h"
#include "cli/display/surroundings.h"
#include "common/page/html_page.h"
#include "common/strings.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {

Status PrintResult(const bench::BenchmarkResult& result, std::string_view tables,
                   Session& session) {
  session.SetJson(bench::ToJson(result));
  return session.Print(StrCat(tables, SurroundingsText(result)));
}

void PlotFlag::Declare(OptionSet& options, std::string_view what) {
  options.Text("--plot", &path_, "FILE",
               StrCat("draw ", what, ": as a page .html, or as a picture .svg"));
  options.WritesTo("--plot");
}

Status PlotFlag::Check(std::string_view command) const { return CheckPlotPath(command, path_); }

Status PlotFlag::Write(const ResultPage& shown, const bench::BenchmarkResult& result) const {
  if (path_.empty()) return OkStatus();
  if (path_.ends_with(".svg")) {
    return WriteTextOutput(path_, SvgFile(shown.title, shown.drawings, SurroundingLines(result)));
  }
  HtmlPage::Facts about = Surroundings(result);
  about.insert(about.begin(), {"command", result.command});
  HtmlPage page(shown.title, shown.lead, about);
  page.Charts(shown.drawings);
  for (const auto& [heading, table] : shown.tables) {
    page.Section(heading);
    page.Table(table);
  }
  if (!shown.remarks.empty()) page.Section("Remarks");
  for (const std::string& remark : shown.remarks) page.Paragraph(remark);
  if (!result.settings.empty()) {
    page.Section("Settings");
    page.AddFacts(result.settings);
  }
  return WriteTextOutput(path_, page.Text());
}

}  // namespace edgemill::cli
