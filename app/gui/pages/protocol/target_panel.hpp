#pragma once
// How well numbers are to be known: presses then choose themselves while they are recorded until
// they are. What that is expected to take on the rig stands below.

#include <QTimer>
#include <array>
#include <memory>
#include <optional>

#include "app/gui/state/protocol_choice.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/workflow/adaptive_recording.hpp"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace tactelier::gui {

class AppState;
class ProtocolDraft;

class TargetPanel : public Panel {
  Q_OBJECT
 public:
  /// `draft` knows the rig.
  TargetPanel(AppState& state, ProtocolDraft& draft, QWidget* parent = nullptr);

  AdaptiveWish wish() const;
  ProtocolChoice::Choice choice() const;
  /// Something is wanted, and it can be foreseen what that takes.
  bool usable() const { return foresight_ != nullptr; }
  bool pending() const { return job_ != 0 || later_.isActive(); }
  const std::shared_ptr<const AdaptiveForesight>& foresight() const { return foresight_; }
  void setShown(bool shown);

 signals:
  void foreseen();

 private:
  struct Row {
    const char* name;  // as --until has it
    QCheckBox* wanted = nullptr;
    QSlider* slider = nullptr;
    QDoubleSpinBox* percent = nullptr;
  };
  void addRow(class QGridLayout* grid, std::size_t at, const QString& what, const QString& tip,
              double usual_percent, bool usual);
  void changeIt();
  void work();
  void refresh();

  AppState& state_;
  ProtocolDraft& draft_;
  std::array<Row, 5> rows_{{{"gain"}, {"sigma"}, {"k"}, {"damping"}, {"relaxation"}}};
  QSpinBox* minutes_;
  QLabel* expected_;
  QLabel* begins_;
  QLabel* reasons_;
  QTimer later_;
  std::shared_ptr<const AdaptiveForesight> foresight_;
  QString trouble_;
  bool shown_ = false, stale_ = true;
  int job_ = 0;
};

}  // namespace tactelier::gui
