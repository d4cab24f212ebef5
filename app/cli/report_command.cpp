// report

#include "app/cli/commands.hpp"
#include "app/workflow/report/make_report.hpp"
#include "app/workflow/report/paper_folder.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "reports/document/data_writer.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

Result<void> write(const ReportArguments& arguments, const ReportDocument& document) {
  const auto paper = arguments.paper == "letter" ? PaperSize::kLetter : PaperSize::kA4;
  if (!arguments.data.empty())
    if (auto written = write_text_file(arguments.data, report_data(document)); !written)
      return written;
  for (const auto& output : arguments.outputs) {
    const auto bytes = report_bytes(document, output, paper);
    if (!bytes) return tactelier::fail(bytes.error());
    if (auto written = write_text_file(output, *bytes); !written) return written;
  }
  return {};
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
  if (arguments.outputs.empty() && arguments.kit.empty())
    return console.fail({ErrorCode::kUsage, "give -o FILE.html or FILE.pdf, or --paper DIR"});
  for (const auto& output : arguments.outputs)
    if (auto known = report_kind(output); !known) return console.fail(known.error());
  if (auto free = may_write_data(arguments); !free) return console.fail(free.error());
  const auto model = read_model(arguments.model);
  if (!model) return console.fail(model.error());
  const auto name = std::filesystem::path(arguments.model).filename().string();
  const std::vector<std::filesystem::path> files(arguments.files.begin(), arguments.files.end());
  const auto made = make_report(*model, name, files, console.job());
  if (!made) return console.fail(made.error());
  if (auto written = write(arguments, made->document); !written)
    return console.fail(written.error());
  if (!arguments.kit.empty())
    if (auto written = write_paper_folder(arguments.kit, *model, made->document, console.job());
        !written)
      return console.fail(written.error());
  const bool kit_alone = arguments.outputs.empty();
  console.print(fmt::format(
      "{}: {} of {}, {} chapters\n",
      kit_alone ? arguments.kit : fmt::format("{}", fmt::join(arguments.outputs, ", ")),
      kit_alone ? "paper kit" : "report", made->document.title, made->document.chapters.size()));
  const auto or_none = [](const std::string& path) {
    return path.empty() ? json(nullptr) : json(path);
  };
  return console.finish({{"file", or_none(kit_alone ? "" : arguments.outputs.front())},
                         {"files", arguments.outputs},
                         {"paper", or_none(arguments.kit)},
                         {"data", or_none(arguments.data)},
                         {"title", made->document.title},
                         {"chapters", chapters_json(made->document)}},
                        made->warnings);
}

}  // namespace tactelier::cli
