// report

#include "app/cli/commands.hpp"
#include "app/workflow/report/make_report.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "reports/document/data_writer.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

Result<void> write(const ReportArguments& arguments, const ReportDocument& document) {
  const auto paper = arguments.paper == "letter" ? PaperSize::kLetter : PaperSize::kA4;
  const auto bytes = report_bytes(document, arguments.output, paper);
  if (!bytes) return tactelier::fail(bytes.error());
  if (!arguments.data.empty())
    if (auto written = write_text_file(arguments.data, report_data(document)); !written)
      return written;
  return write_text_file(arguments.output, *bytes);
}

/// Before the work begins.
Result<void> may_write_data(const ReportArguments& arguments) {
  std::error_code unknown;
  if (arguments.data.empty() || arguments.replace) return {};
  if (!std::filesystem::exists(std::filesystem::symlink_status(arguments.data, unknown))) return {};
  return tactelier::fail(ErrorCode::kUsage, "'{}' is there already; --force replaces it",
                         arguments.data);
}

json chapters_json(const ReportDocument& document) {
  auto chapters = json::array();
  for (const auto& chapter : document.chapters)
    chapters.push_back({{"id", chapter.id}, {"title", chapter.title}});
  return chapters;
}

}  // namespace

int run_report(Console& console, const ReportArguments& arguments) {
  if (auto known = report_kind(arguments.output); !known) return console.fail(known.error());
  if (auto free = may_write_data(arguments); !free) return console.fail(free.error());
  const auto model = read_model(arguments.model);
  if (!model) return console.fail(model.error());
  const auto name = std::filesystem::path(arguments.model).filename().string();
  const std::vector<std::filesystem::path> sessions(arguments.sessions.begin(),
                                                    arguments.sessions.end());
  const auto made = make_report(*model, name, sessions, console.job());
  if (!made) return console.fail(made.error());
  if (auto written = write(arguments, made->document); !written)
    return console.fail(written.error());
  console.print(fmt::format("{}: report of {}, {} chapters\n", arguments.output,
                            made->document.title, made->document.chapters.size()));
  return console.finish(
      {{"file", arguments.output},
       {"data", arguments.data.empty() ? json(nullptr) : json(arguments.data)},
       {"title", made->document.title},
       {"chapters", chapters_json(made->document)}},
      made->warnings);
}

}  // namespace tactelier::cli
