#include "app/workflow/fit_prediction.hpp"

#include "app/workflow/compare_images.hpp"
#include "app/workflow/open_session.hpp"
#include "libcalib/session/image_press.hpp"

namespace tactelier {
namespace {

constexpr auto kMethod = "psf";

/// "centroid", "m" -> "prediction_centroid_m".
std::string figure_name(const ImageMetricInfo& info, std::string_view kind = "") {
  const auto unit = info.unit == "%" ? std::string_view("percent") : info.unit;
  return fmt::format("prediction_{}{}{}{}", kind, info.name, unit.empty() ? "" : "_", unit);
}

Result<bool> holds_images(const std::filesystem::path& path, const Job& job) {
  const auto opened = OpenSession::open(path, job);
  if (!opened) return fail(opened.error());
  const auto presses = image_presses(opened->session().events());
  if (!presses) return fail(presses.error(), opened->name());
  return !presses->empty();
}

}  // namespace

Result<std::optional<FitPrediction>> predict_held_out(
    const SensorModel& model, std::span<const std::filesystem::path> sessions, const Job& job) {
  CompareRequest request;
  request.methods = {kMethod};
  for (const auto& path : sessions) {
    const auto held = holds_images(path, job);
    if (!held) return fail(held.error());
    if (*held) request.sessions.push_back(path);
  }
  if (request.sessions.empty()) return std::optional<FitPrediction>();
  auto report = compare_with_sessions(model, request, job);
  if (report) return FitPrediction{std::move(*report), ""};
  if (report.error().code == ErrorCode::kCancelled) return fail(report.error());
  return FitPrediction{{}, report.error().message};
}

void note_prediction(const CompareReport& report, SensorModel& model) {
  auto& figures = model.quality[kMethod].figures;
  figures["prediction_images"] = static_cast<double>(report.images.size());
  for (const auto& [metric, summary] : report.summary.at(kMethod)) {
    const auto& info = image_metrics()[static_cast<std::size_t>(metric)];
    figures[figure_name(info)] = summary.median;
    figures[figure_name(info, "p95_")] = summary.p95;
    if (const auto& own = at(report.floor, metric)) figures[figure_name(info, "floor_")] = *own;
  }
}

}  // namespace tactelier
