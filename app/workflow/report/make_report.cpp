#include "app/workflow/report/make_report.hpp"

#include <algorithm>

#include "app/workflow/open_session.hpp"
#include "app/workflow/report/force_use.hpp"
#include "app/workflow/report/image_chapter.hpp"
#include "app/workflow/report/press_errors.hpp"
#include "app/workflow/report/report_files.hpp"
#include "app/workflow/utc_day.hpp"
#include "fitting/views/preparation.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/session/image_press.hpp"
#include "reports/document/html_writer.hpp"

namespace tactelier {
namespace {

/// A recording with its presses and clocks, and whether the fit used it.
struct Recording {
  FitSession session;
  SessionClocks clocks;
  bool seen = false;
};

/// Presses that an option of the fit left out stand in provenance beside the edits.
void exclude_as_fitted(const SessionProvenance& provenance, FitSession& session) {
  for (auto& press : session.presses)
    if (std::find(provenance.edits.begin(), provenance.edits.end(),
                  fmt::format("exclude press {} (option)", press.number)) != provenance.edits.end())
      press.excluded = true;
}

Result<Recording> recording_of(const OpenSession& opened, const SensorModel& model,
                               const Job& job) {
  const auto& session = opened.session();
  if (session.metadata().sensor.tactels() != model.sensor.tactels())
    return fail(ErrorCode::kInvalidInput,
                "{} is of another sensor than the model: {} tactels, the model has {}",
                opened.name(), session.metadata().sensor.tactels(), model.sensor.tactels());
  const auto& serial = session.metadata().sensor_serial;
  if (!serial.empty() && !model.serial.empty() && serial != model.serial)
    return fail(ErrorCode::kInvalidInput, "{} is of sensor {}, the model of {}", opened.name(),
                serial, model.serial);
  auto metadata = session.metadata();
  metadata.sensor = model.sensor;
  auto all = presses(session.events(), session.edits(), metadata);
  if (!all) return fail(all.error(), opened.name());
  const auto hash = session.content_hash();
  if (!hash) return fail(hash.error(), opened.name());
  Recording recording{{&session, std::move(*all), {}, opened.name()}, {}, false};
  for (const auto& known : model.provenance.sessions)
    if (known.content_hash == *hash) {
      recording.seen = true;
      recording.session.name = known.file;
      exclude_as_fitted(known, recording.session);
    }
  auto clocks = session_clocks(recording.session, job);
  if (!clocks) return fail(clocks.error());
  recording.clocks = std::move(*clocks);
  return recording;
}

/// A recording without presses on tactels has no errors to tell.
Result<std::vector<ResponseCurve>> curves_of(const std::vector<FitSession>& sessions,
                                             const std::vector<SessionClocks>& clocks,
                                             const SensorModel& model, const Job& job) {
  auto curves = response_curves(sessions, clocks, model, job);
  if (!curves && curves.error().code == ErrorCode::kUnidentifiable)
    return std::vector<ResponseCurve>();
  return curves;
}

Result<void> add_seen(std::vector<Recording>& recordings, const Job& job, ReportInput& input) {
  for (auto& recording : recordings) {
    if (!recording.seen) continue;
    input.sessions.push_back(std::move(recording.session));
    input.clocks.push_back(std::move(recording.clocks));
  }
  if (input.sessions.empty()) return {};
  auto looked = looking_context(input.sessions, input.clocks, input.model, job);
  if (!looked && looked.error().code != ErrorCode::kUnidentifiable) return fail(looked.error());
  if (looked) input.looked = std::move(*looked);
  auto curves = curves_of(input.sessions, input.clocks, input.model, job);
  if (!curves) return fail(curves.error());
  input.responses = std::move(*curves);
  for (std::size_t s = 0; s < input.sessions.size(); ++s)
    if (auto errors = press_errors(input.model, input.responses, s, input.sessions[s].name, true))
      input.errors.push_back(*errors);
  return {};
}

Result<void> add_unseen(const Recording& recording, const Job& job, ReportInput& input) {
  const auto curves = curves_of({recording.session}, {recording.clocks}, input.model, job);
  if (!curves) return fail(curves.error());
  if (auto errors = press_errors(input.model, *curves, 0, recording.session.name, false))
    input.errors.push_back(*errors);
  return {};
}

/// Of what the model was fitted from, what was not given.
void warn_of_absent(const SensorModel& model, const ReportInput& input, Warnings& warnings) {
  for (const auto& known : model.provenance.sessions)
    if (std::none_of(input.sessions.begin(), input.sessions.end(),
                     [&](const FitSession& session) { return session.name == known.file; }))
      warnings.push_back({"NO-DATA",
                          "the recording was not given: its data are not drawn beside the fit",
                          known.file});
}

Result<void> check_same_sensor(const std::string& name, const SensorModel& other,
                               const ReportInput& input) {
  const auto& model = input.model;
  if (other.sensor.tactels() != model.sensor.tactels())
    return fail(ErrorCode::kInvalidInput, "{} is of another sensor: {} tactels, the model has {}",
                name, other.sensor.tactels(), model.sensor.tactels());
  if (!other.serial.empty() && !model.serial.empty() && other.serial != model.serial)
    return fail(ErrorCode::kInvalidInput, "{} is of sensor {}, the model of {}", name, other.serial,
                model.serial);
  if (model_hash(other) == input.model_hash)
    return fail(ErrorCode::kInvalidInput,
                "{} is the reported model itself: give another one of the sensor to compare with",
                name);
  return {};
}

/// The latest first; those without a date behind.
Result<void> add_models(std::vector<std::pair<std::string, SensorModel>> models,
                        ReportInput& input) {
  for (auto& [name, model] : models) {
    if (auto same = check_same_sensor(name, model, input); !same) return same;
    const auto day = day_of(model.created);
    input.others.push_back({name, std::move(model), day});
  }
  std::ranges::stable_sort(input.others, std::ranges::greater(), &OtherModel::day);
  return {};
}

Result<void> add_records(const std::vector<NamedRecord>& records, ReportInput& input) {
  for (const auto& record : records)
    if (auto about = check_is_about(record, input.model, input.model_hash); !about) return about;
  if (!records.empty()) input.further.push_back(verification_chapter(records));
  return {};
}

Result<void> add_images(const std::vector<OpenSession>& opened,
                        const std::vector<std::filesystem::path>& sessions, const Job& job,
                        ReportInput& input) {
  std::vector<std::filesystem::path> with_images;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const auto images = image_presses(opened[i].session().events());
    if (images && !images->empty()) with_images.push_back(sessions[i]);
  }
  auto chapter = image_chapter(input.model, with_images, job);
  if (!chapter) return fail(chapter.error());
  if (*chapter) input.further.push_back(std::move(**chapter));
  return {};
}

}  // namespace

Result<MadeReport> make_report(const SensorModel& model, const std::string& name,
                               std::span<const std::filesystem::path> files, const Job& job) {
  ReportInput input;
  input.model = model;
  input.day = day_of(model.created);
  input.model_name = name;
  input.model_hash = model_hash(model);
  MadeReport made;
  auto sorted = sort_report_files(files);
  if (!sorted) return fail(sorted.error());
  const auto& sessions = sorted->sessions;
  if (auto added = add_models(std::move(sorted->models), input); !added) return fail(added.error());
  std::vector<OpenSession> opened;
  std::vector<Recording> recordings;
  for (const auto& path : sessions) {
    auto session = OpenSession::open(path, job);
    if (!session) return fail(session.error());
    opened.push_back(std::move(*session));
  }
  for (const auto& session : opened) {
    auto recording = recording_of(session, model, job);
    if (!recording) return fail(recording.error());
    if (!recording->seen)
      if (auto added = add_unseen(*recording, job, input); !added) return fail(added.error());
    recordings.push_back(std::move(*recording));
    made.warnings.insert(made.warnings.end(), session.warnings().begin(), session.warnings().end());
  }
  if (auto added = add_seen(recordings, job, input); !added) return fail(added.error());
  if (auto added = add_images(opened, sessions, job, input); !added) return fail(added.error());
  if (auto added = add_records(sorted->records, input); !added) return fail(added.error());
  input.use = force_use(model);
  input.array_use = array_force_use(model);
  warn_of_absent(model, input, made.warnings);
  auto document = make_document(input, job);
  if (!document) return fail(document.error());
  made.document = std::move(*document);
  return made;
}

Result<ReportKind> report_kind(const std::filesystem::path& file) {
  const auto extension = file.extension();
  if (extension == ".html" || extension == ".htm") return ReportKind::kHtml;
  if (extension == ".pdf") return ReportKind::kPdf;
  return fail(ErrorCode::kUsage, "'{}': a report ends in .html or .pdf", file.filename().string());
}

Result<std::string> report_bytes(const ReportDocument& document, const std::filesystem::path& file,
                                 PaperSize paper) {
  const auto kind = report_kind(file);
  if (!kind) return fail(kind.error());
  if (*kind == ReportKind::kHtml) return html(document);
  return pdf(document, paper);
}

}  // namespace tactelier
