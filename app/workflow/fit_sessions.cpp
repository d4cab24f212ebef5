#include "app/workflow/fit_sessions.hpp"

#include <algorithm>

#include "app/workflow/fit_together.hpp"
#include "app/workflow/open_session.hpp"
#include "app/workflow/press_ranges.hpp"
#include "fitting/engine/purpose.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

struct Exclusion {
  std::string file;  // empty: the only session
  std::vector<PressRange> presses;
  std::string text;
};

/// "FILE:7", "FILE:2-41", "7".
Result<Exclusion> parse_exclusion(const std::string& text) {
  Exclusion exclusion;
  exclusion.text = text;
  const auto colon = text.rfind(':');
  if (colon != text.npos) exclusion.file = text.substr(0, colon);
  auto presses =
      parse_press_ranges(std::string_view(text).substr(colon == text.npos ? 0 : colon + 1));
  if (!presses)
    return fail(ErrorCode::kUsage,
                "--exclude {}: expected FILE:PRESS, FILE:FIRST-LAST or several of these behind "
                "commas, such as monday.tact:1-3,7",
                text);
  exclusion.presses = std::move(*presses);
  return exclusion;
}

bool same_file(const Exclusion& exclusion, const std::filesystem::path& path,
               const std::string& name) {
  return exclusion.file.empty() || exclusion.file == name ||
         std::filesystem::path(exclusion.file).lexically_normal() == path.lexically_normal();
}

Result<void> exclude(const Exclusion& exclusion, const FitRequest& request,
                     const std::vector<OpenSession>& opened, std::vector<FitSession>& sessions) {
  if (exclusion.file.empty() && sessions.size() > 1)
    return fail(ErrorCode::kUsage, "--exclude {}: say of which session, FILE:PRESS",
                exclusion.text);
  bool found = false;
  for (std::size_t s = 0; s < sessions.size(); ++s) {
    if (!same_file(exclusion, request.sessions[s], opened[s].name())) continue;
    for (auto& press : sessions[s].presses) {
      const auto holds = [&](const PressRange& range) { return range.holds(press.number); };
      if (!std::ranges::any_of(exclusion.presses, holds)) continue;
      press.excluded = true;
      sessions[s].exclusions.push_back(fmt::format("exclude press {} (option)", press.number));
      found = true;
    }
  }
  if (!found)
    return fail(ErrorCode::kUsage, "--exclude {}: no such press in the sessions given",
                exclusion.text);
  return {};
}

void collect_warnings(const SensorModel& model, const std::vector<OpenSession>& opened,
                      Warnings& warnings) {
  const auto serials = serial_warnings(opened);
  warnings.insert(warnings.end(), serials.begin(), serials.end());
  for (const auto& session : opened) {
    warnings.insert(warnings.end(), session.warnings().begin(), session.warnings().end());
    const auto damaged = damage_warnings(session.session(), session.name());
    warnings.insert(warnings.end(), damaged.begin(), damaged.end());
    if (!session.session().finished())
      warnings.push_back(
          {"unfinished", "the recording was cut off; fitted what is there", session.name()});
  }
  for (const auto& [stage, quality] : model.quality)
    warnings.insert(warnings.end(), quality.warnings.begin(), quality.warnings.end());
  for (const auto& warning : check_model(model))
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
      warnings.push_back(warning);
}

Result<void> add_prediction(const FitRequest& request, FitReport& report, const Job& job) {
  auto prediction = predict_held_out(report.model, request.sessions, job);
  if (!prediction) return fail(prediction.error());
  report.prediction = std::move(*prediction);
  if (!report.prediction || !report.prediction->report) return {};
  note_prediction(*report.prediction->report, report.model);
  for (const auto& warning : report.prediction->report->warnings)
    if (std::find(report.warnings.begin(), report.warnings.end(), warning) == report.warnings.end())
      report.warnings.push_back(warning);
  return {};
}

Result<void> check_stage_names(std::span<const std::string> names) {
  std::string known;
  for (const auto& stage : stages()) known += (known.empty() ? "" : ", ") + std::string(stage.id);
  for (const auto& name : names)
    if (std::none_of(stages().begin(), stages().end(),
                     [&](const Stage& stage) { return stage.id == name; }))
      return fail(ErrorCode::kUsage, "no stage '{}'; there are {}", name, known);
  return {};
}

}  // namespace

Result<FitReport> fit_sessions(const FitRequest& request, const Job& job) {
  if (auto ok = check_stage_names(request.required); !ok) return fail(ok.error());
  if (auto ok = check_stage_names(request.stages); !ok) return fail(ok.error());

  auto options = request.options;
  if (!request.sensor.empty()) {
    auto sensor = load_sensor(request.sensor);
    if (!sensor) return fail(sensor.error());
    options.sensor = std::move(*sensor);
  }
  std::vector<OpenSession> opened;
  for (const auto& path : request.sessions) {
    auto session = OpenSession::open(path, job);
    if (!session) return fail(session.error());
    opened.push_back(std::move(*session));
  }
  std::vector<FitSession> sessions;
  for (const auto& session : opened) {
    auto metadata = session.session().metadata();
    if (options.sensor) metadata.sensor = *options.sensor;
    auto all = presses(session.session().events(), session.session().edits(), metadata);
    if (!all) return fail(all.error(), session.name());
    sessions.push_back({&session.session(), std::move(*all), {}, session.name()});
  }
  for (const auto& text : request.excluded) {
    const auto exclusion = parse_exclusion(text);
    if (!exclusion) return fail(exclusion.error());
    if (auto done = exclude(*exclusion, request, opened, sessions); !done)
      return fail(done.error());
  }

  auto model = fit(std::move(sessions), request.stages, options, job);
  if (!model) return fail(model.error());
  FitReport report;
  report.model = std::move(*model);
  collect_warnings(report.model, opened, report.warnings);
  report.anything_identified = anything_identified(report.model);
  if (options.holdout > 0)
    if (auto done = add_prediction(request, report, job); !done) return fail(done.error());
  for (const auto& stage : request.required)
    if (auto unmet = unmet_requirement(report.model, stage)) report.unmet.push_back(*unmet);
  return report;
}

}  // namespace tactelier
