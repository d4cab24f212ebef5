#include "app/gui/pages/export/export_draft.hpp"

#include <algorithm>

#include "app/gui/text/quantity_input.hpp"
#include "app/gui/text/shell_words.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier::gui {
ExportDraft::ExportDraft(AppState& state, QObject* parent) : QObject(parent), state_(state) {
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &ExportDraft::followModel);
  followModel();
}

void ExportDraft::followModel() {
  if (state_.model() == model_) {
    emit changed();  // saved, or outdated
    return;
  }
  // An assumption is about one sensor: a refit keeps it, another file doesn't.
  if (!state_.modelDocument().file().isEmpty()) assumptions_.clear();
  model_ = state_.model();
  refresh();
}

void ExportDraft::refresh() {
  if (job_ != 0) state_.jobs().cancel(job_);
  job_ = 0;
  if (model_ == nullptr) {
    previews_.reset();
    emit changed();
    return;
  }
  using Shared = std::shared_ptr<const ExportPreviews>;
  std::vector<std::string> assignments;
  for (const auto& assumption : assumptions_) assignments.push_back(assumption.assignment());
  auto id = std::make_shared<int>(0);
  *id = state_.jobs().run<Shared>(
      tr("Prepare export"), Lane::kQuiet, this,
      [model = model_, assignments](const Job&) -> Result<Shared> {
        auto previews = preview_exports(*model, assignments);
        if (!previews) return fail(previews.error());
        return std::make_shared<const ExportPreviews>(std::move(*previews));
      },
      [this, id](Result<Shared> previews) {
        if (job_ != *id) return;  // a newer one is on its way
        job_ = 0;
        problem_ = previews ? QString() : text(previews.error().message);
        previews_ = previews ? std::move(*previews) : nullptr;
        emit changed();
      });
  job_ = *id;
  emit changed();
}

Result<void> ExportDraft::assume(const std::string& path, const QString& typed) {
  if (model_ == nullptr) return fail(ErrorCode::kUsage, "there is no model to assume it for");
  const auto now = assumable(*model_, path);
  if (!now) return fail(now.error());
  const auto value = parseQuantity(typed, now->unit);
  if (!value) return fail(value.error());
  ExportAssumption added{path, fmt::format("{}", *value)};
  auto copy = *model_;
  if (auto taken = tactelier::assume(copy, added.assignment(), "user"); !taken)
    return fail(taken.error());
  std::erase_if(assumptions_, [&](const auto& earlier) { return earlier.path == path; });
  assumptions_.push_back(std::move(added));
  refresh();
  return {};
}

void ExportDraft::takeBack(const std::string& path) {
  if (std::erase_if(assumptions_, [&](const auto& one) { return one.path == path; }) > 0) refresh();
}

QString ExportDraft::command(const std::string& format, const QString& file) const {
  if (state_.modelDocument().file().isEmpty()) return {};
  auto words = QStringLiteral("tactelier export %1 --to %2 -o %3")
                   .arg(shellWord(state_.modelDocument().file()), text(format), shellWord(file));
  for (const auto& assumption : assumptions_)
    words += QStringLiteral(" --assume ") + shellWord(text(assumption.assignment()));
  return words;
}

}  // namespace tactelier::gui
