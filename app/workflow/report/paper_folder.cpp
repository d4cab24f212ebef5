#include "app/workflow/report/paper_folder.hpp"

#include "libcalib/partial_file.hpp"
#include "libcalib/text_file.hpp"
#include "reports/document/paper_kit.hpp"

namespace tactelier {

Result<void> write_paper_folder(const std::filesystem::path& folder, const SensorModel& model,
                                const ReportDocument& document, const Job& job) {
  auto partial = PartialPath::begin(folder, false);
  if (!partial) return fail(partial.error());
  const auto files = paper_kit(model, document, job);
  if (!files) return fail(files.error());
  std::error_code error;
  std::filesystem::create_directories(partial->path() / "figures", error);
  for (const auto& file : *files)
    if (auto written = write_text_file(partial->path() / file.name, file.bytes); !written)
      return written;
  return partial->keep();
}

}  // namespace tactelier
