#pragma once
// What the Export page is about to write: the open model, the user's assumptions, and every format
// as it would come out. Worked out again on a worker whenever one of them changes.

#include <QObject>
#include <memory>
#include <string>
#include <vector>

#include "app/gui/item_models/assumption_model.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/workflow/export_model.hpp"

namespace tactelier::gui {

class ExportDraft : public QObject {
  Q_OBJECT
 public:
  explicit ExportDraft(AppState& state, QObject* parent = nullptr);

  /// nullptr without a model, and until the first one has been worked out.
  const std::shared_ptr<const ExportPreviews>& previews() const { return previews_; }
  /// A newer one is on its way; what is shown is not what would be written.
  bool pending() const { return job_ != 0; }
  /// Why there is none: an assumption that the model has no place for any more.
  const QString& problem() const { return problem_; }

  /// As it is open, without the assumptions.
  const ModelPtr& model() const { return model_; }

  const std::vector<ExportAssumption>& assumptions() const { return assumptions_; }
  /// `typed` with or without a unit. Replaces an earlier assumption on the same path.
  Result<void> assume(const std::string& path, const QString& typed);
  void takeBack(const std::string& path);

  /// The command line that writes the same bytes; "" as long as the model has no file.
  QString command(const std::string& format, const QString& file) const;

 signals:
  void changed();

 private:
  void followModel();
  void refresh();

  AppState& state_;
  ModelPtr model_;
  std::vector<ExportAssumption> assumptions_;
  std::shared_ptr<const ExportPreviews> previews_;
  QString problem_;
  int job_ = 0;
};

}  // namespace tactelier::gui
