#pragma once
// tactelier export

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/job.hpp"
#include "reports/export/exporter.hpp"

namespace tactelier {

struct ExportRequest {
  std::filesystem::path model;  // empty with a model that is at hand
  std::string format;
  std::vector<std::string> assumptions;  // "PATH=VALUE", in SI units
};

/// The texts to be written, with what was left out; warnings of the model's own check included.
Result<Exported> export_model(const ExportRequest& request);
/// The same of a model that is at hand.
Result<Exported> export_model(SensorModel model, const ExportRequest& request);

/// Whether write_export() will find the places of all files but the main one free. Fails as it
/// does.
Result<void> may_write_sidecars(const Exported& exported, const std::filesystem::path& file,
                                bool replace);
/// Writes the main file to `file` and the others beside it; returns all of them, the main one
/// first. Fails with kUsage where one of the others is there already, unless `replace`, or would
/// take the main one's name; nothing is written then.
Result<std::vector<std::filesystem::path>> write_export(const Exported& exported,
                                                        const std::filesystem::path& file,
                                                        bool replace);

/// Domain randomisation by one model's own uncertainty: redrawn_model() (draw_model.hpp), `count`
/// times, each exported. The same seed gives the same files.
struct DrawRequest {
  int count = 0;
  std::uint64_t seed = 1;
};
struct DrawnExport {
  std::filesystem::path file;  // "pad_03.xml" of "pad.xml"
  Exported exported;
};
/// Fails as export_model() and redrawn_model() do; every draw can be written, or none is given.
Result<std::vector<DrawnExport>> export_draws(const ExportRequest& request,
                                              const DrawRequest& draws,
                                              const std::filesystem::path& file);
/// The same of a model that is at hand; kCancelled when stopped.
Result<std::vector<DrawnExport>> export_draws(SensorModel model, const ExportRequest& request,
                                              const DrawRequest& draws,
                                              const std::filesystem::path& file,
                                              const Job& job = {});
/// All or none: every file that is in the way is found before the first is written. Returns all of
/// them. Fails as write_export() does.
Result<std::vector<std::filesystem::path>> write_draws(const std::vector<DrawnExport>& draws,
                                                       bool replace);

struct FormatPreview {
  const Exporter* format = nullptr;
  Result<Exported> exported;  // what export_model() gives; refused: why it can't be written
};

struct ExportPreviews {
  SensorModel model;                   // with the assumptions
  std::vector<FormatPreview> formats;  // as in exporters()
};

/// Every format at once, for looking before writing. Fails when an assumption can't be taken.
Result<ExportPreviews> preview_exports(const SensorModel& model,
                                       const std::vector<std::string>& assumptions);

}  // namespace tactelier
