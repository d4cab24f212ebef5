#include "app/workflow/refresh_model.hpp"

#include <fmt/format.h>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/same_arrays.hpp"
#include "fitting/refresh/refreshed_model.hpp"

namespace tactelier {
namespace {

constexpr double kMisfit = 3;  // chi2 per dof from which the model does not describe the presses

Result<void> check_same(const SensorModel& earlier, const SensorModel& now) {
  if (!same_arrays(earlier.sensor, now.sensor))
    return fail(ErrorCode::kInvalidInput,
                "the recording is of a sensor of another layout than the model's");
  if (!earlier.serial.empty() && !now.serial.empty() && earlier.serial != now.serial)
    return fail(ErrorCode::kInvalidInput, "the recording is of sensor {}, the model of {}",
                now.serial, earlier.serial);
  return {};
}

}  // namespace

Result<RefreshedModel> refresh_model(const SensorModel& earlier,
                                     const std::filesystem::path& session,
                                     const refresh::ChangeSettings& settings, const Job& job) {
  std::optional<Result<refresh::GainChanges>> changes;
  FitRequest request;
  request.sessions = {session};
  request.stages = {"response"};
  request.options.on_stage = [&](std::string_view stage, const FitContext& so_far) {
    if (stage != "response") return;
    const auto same = check_same(earlier, so_far.model);
    changes = same ? refresh::gain_changes(so_far, earlier, settings)
                   : Result<refresh::GainChanges>(fail(same.error()));
  };
  auto fitted = fit_sessions(request, job);
  if (!fitted) return fail(fitted.error());
  if (!changes)
    return fail(ErrorCode::kUnidentifiable, "{} holds nothing that gains show in",
                session.filename().string());
  if (!*changes) return fail(changes->error());
  RefreshedModel result{refresh::refreshed(earlier, **changes),
                        std::move(**changes),
                        std::move(fitted->model.presses),
                        {}};
  const auto words = refresh::words_of(result.changes);
  auto& model = result.model;
  model.created = fitted->model.created;
  model.tool = fitted->model.tool;
  for (const auto& one : fitted->model.provenance.sessions) {
    model.provenance.options["refreshed"] = fmt::format("by {}: {}", one.file, words);
    model.provenance.sessions.push_back(one);
  }
  if (const auto missed = result.changes.not_seen(); !missed.empty())
    result.warnings.push_back(
        {"RF-03",
         fmt::format("{} tactels were pressed too little to say whether they changed: record "
                     "`record --refresh`, which presses what is still open.",
                     missed.size()),
         fmt::format("{}", fmt::join(missed, ", "))});
  if (result.changes.chi2_per_dof > kMisfit)
    result.warnings.push_back(
        {"RF-04",
         fmt::format("The model predicts these presses badly (chi2 per dof {:.2g}), and what is "
                     "said of gains is as uncertain: another tip, mounting or rubber shows as "
                     "that. Calibrate anew where it should be the same.",
                     result.changes.chi2_per_dof),
         session.filename().string()});
  return result;
}

}  // namespace tactelier
