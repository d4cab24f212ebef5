#include "app/gui/state/other_model.hpp"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/gui/state/app_state.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier::gui {

const ParameterChange* ComparedModel::change(const std::string& path) const {
  const auto found = std::find_if(diff.changes.begin(), diff.changes.end(),
                                  [&](const auto& one) { return one.path == path; });
  return found == diff.changes.end() ? nullptr : &*found;
}

const TactelChanges* ComparedModel::tactels(const std::string& path) const {
  const auto found = std::find_if(of_tactels.begin(), of_tactels.end(),
                                  [&](const auto& sum) { return sum.path == path; });
  return found == of_tactels.end() ? nullptr : &*found;
}

OtherModel::OtherModel(AppState& state, QObject* parent) : QObject(parent), state_(state) {
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &OtherModel::compare);
}

void OtherModel::open(const QString& path) {
  const auto name = QFileInfo(path).fileName();
  state_.jobs().run<ModelPtr>(
      tr("Read %1").arg(name), Lane::kQuiet, this,
      [path](const Job&) -> Result<ModelPtr> {
        auto model = read_model(path.toStdString());
        if (!model) return fail(model.error());
        return std::make_shared<const SensorModel>(std::move(*model));
      },
      [this, name](Result<ModelPtr> model) {
        if (!model)
          return state_.notifications().failed(model.error(), tr("The open model is as it was."),
                                               tr("Choose a file that `tactelier fit` has made."));
        name_ = name;
        other_ = std::move(*model);
        compare();
      });
}

void OtherModel::compare() {
  const auto generation = ++generation_;
  if (other_ == nullptr || state_.model() == nullptr) {
    if (std::exchange(compared_, nullptr)) emit changed();
    return;
  }
  using Compared = std::shared_ptr<const ComparedModel>;
  state_.jobs().run<Compared>(
      {}, Lane::kQuiet, this,
      [name = name_, other = other_, model = state_.model()](const Job&) -> Result<Compared> {
        ComparedModel both{name, other, diff_models(*other, *model), {}};
        both.of_tactels = tactel_changes(both.diff);
        return std::make_shared<const ComparedModel>(std::move(both));
      },
      [this, generation](Result<Compared> compared) {
        if (generation != generation_ || !compared) return;
        compared_ = std::move(*compared);
        emit changed();
      });
}

}  // namespace tactelier::gui
