#pragma once
// What is to be recorded, and what that will do: protocol and file, its dry run beside it.

#include <memory>
#include <optional>

#include "app/gui/state/protocol_choice.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/workflow/rig_process.hpp"
#include "reports/protocol_guide.hpp"

class QComboBox;
class QLabel;
class QLineEdit;

namespace tactelier::gui {

class AppState;
class RigLink;
class Segmented;

class RecordForm : public Panel {
  Q_OBJECT
 public:
  RecordForm(AppState& state, const RigLink& rig, QWidget* parent = nullptr);
  /// As the command line would have it.
  RecordRequest request() const;
  /// The rig process's request.
  rig::messages::RecordOrder order() const;
  /// nullptr while it is worked out or when it failed.
  const RecordPreview* preview() const { return preview_.get(); }
  /// Why there is none.
  const QString& trouble() const { return trouble_; }
  /// Chooses the presses of what order() begins; nullptr for a protocol that is whole.
  const std::shared_ptr<AdaptiveRecording>& adaptive() const { return adaptive_; }
  /// As the Protocol page wants it.
  void choose(const ProtocolChoice::Choice& choice);
  /// Goes on with a recording that was cut off.
  void resume(const QString& file);
  void renew();
  /// Works the dry run out again.
  void refresh();

 signals:
  void changed();

 private:
  QLineEdit* field(const QString& label, const QString& name, const QString& tip);
  void showKind();
  /// Behind each protocol how long it takes on this rig, and what it is for as a tip.
  void showTimes(const std::vector<ProtocolGuide>& guides);
  void proposeName();
  QString target() const;
  std::optional<double> temperature_degC() const;

  AppState& state_;
  const RigLink& rig_;
  Segmented* kind_;
  QWidget* protocol_row_;
  QComboBox* protocol_;
  QLineEdit* file_;
  QLineEdit* operator_;
  QLineEdit* serial_;
  QLineEdit* notes_;
  QLineEdit* room_;  // its temperature
  QLabel* words_;
  int generation_ = 0;
  std::shared_ptr<const RecordPreview> preview_;
  std::shared_ptr<const Protocol> protocol_read_;
  std::shared_ptr<AdaptiveRecording> adaptive_;
  QString trouble_;
};

}  // namespace tactelier::gui
