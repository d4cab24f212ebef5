#pragma once
// The virtual bench's own controls on the Bench page: how fast it lives, and what goes wrong with
// its devices on demand (docs/virtual-bench.md 3), so that somebody sees a fault before a rig has
// one.

#include <QFrame>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace tactelier::gui {

class BenchDevices;

class VirtualBenchBar : public QFrame {
  Q_OBJECT
 public:
  /// `devices` outlives the bar.
  explicit VirtualBenchBar(BenchDevices& devices, QWidget* parent = nullptr);

 private:
  QWidget* addGroup(const QString& title, QWidget* control);
  void buildFaults();
  void refresh();
  /// Seconds or times, as the chosen fault takes them.
  void showAmount();
  void makeFault();

  BenchDevices& devices_;
  QWidget* flow_ = nullptr;
  QComboBox* speed_;
  QComboBox* device_ = nullptr;
  QComboBox* kind_ = nullptr;
  QDoubleSpinBox* amount_ = nullptr;
  QPushButton* make_ = nullptr;
  QPushButton* mend_ = nullptr;
};

}  // namespace tactelier::gui
