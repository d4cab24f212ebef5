#include "app/gui/pages/export/export_proof.hpp"

#include <algorithm>

#include "app/gui/text/message.hpp"
#include "app/workflow/verify_export.hpp"

namespace tactelier::gui {
namespace {

bool among(const std::vector<std::string>& formats, std::string_view format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::vector<Sidecar> recordFiles(const VerificationRecord& record) {
  return {{record.name() + ".txt", to_text(verification_sections(record))},
          {record.name() + ".json", to_json(record)}};
}

}  // namespace

ExportProof::Place ExportProof::place(std::string_view format) {
  if (among(verifiable_formats(), format)) return Place::kHere;
  return among(scripted_formats(), format) ? Place::kElsewhere : Place::kNowhere;
}

ExportProof::ExportProof(AppState& state, QObject* parent) : QObject(parent), state_(state) {}

void ExportProof::follow(std::shared_ptr<const ExportPreviews> previews) {
  if (previews == previews_) return;
  previews_ = std::move(previews);
  files_.clear();
  if (job_ != 0) state_.jobs().cancel(job_);
  job_ = 0;
}

const std::vector<Sidecar>& ExportProof::files(std::string_view format) const {
  static const std::vector<Sidecar> none;
  const auto known = files_.find(format);
  return known == files_.end() ? none : known->second;
}

void ExportProof::start(const FormatPreview& preview) {
  if (previews_ == nullptr || !preview.exported || running()) return;
  const auto where = place(preview.format->id());
  if (where == Place::kHere) press(*preview.format);
  if (where == Place::kElsewhere) addScript(*preview.format);
}

void ExportProof::press(const Exporter& format) {
  const std::string id(format.id());
  VerifyRequest request{state_.modelDocument().file().toStdString(), id, {}, {}};
  auto job = std::make_shared<int>(0);
  *job = state_.jobs().run<VerificationRecord>(
      tr("Verify %1").arg(text(id)), Lane::kWork, this,
      [previews = previews_, request](const Job& work) {
        return verify_export(previews->model, request, work);
      },
      [this, job, id](Result<VerificationRecord> record) {
        if (job_ != *job) return;  // of another model, or without other assumptions
        job_ = 0;
        if (!record) tellFailure(record.error());
        if (record) {
          files_[id] = recordFiles(*record);
          state_.notifications().notify(
              record->passed() ? Message::Level::kInfo : Message::Level::kBad,
              record->passed()
                  ? tr("The exported pad does in its target what the model says")
                  : tr("The exported pad does not do in its target what the model says"),
              tr("The record is among the files of the preview; Export writes it with them."), {});
          emit found(text(files_[id].front().name));
        }
        emit changed();
      });
  job_ = *job;
  emit changed();
}

void ExportProof::addScript(const Exporter& format) {
  auto script = verify_script(previews_->model, format.id(), "tactelier " TACTELIER_VERSION);
  if (!script) return tellFailure(script.error());
  const auto name = verify_script_name(format.id());
  files_[std::string(format.id())] = {{name, std::move(*script)}};
  emit found(text(name));
  emit changed();
}

void ExportProof::tellFailure(const Error& error) {
  if (error.code == ErrorCode::kCancelled) return;
  state_.notifications().notify(Message::Level::kBad, text(error.message), {}, {});
}

}  // namespace tactelier::gui
