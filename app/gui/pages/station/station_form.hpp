#pragma once
// What a station works by, filled in once by whoever looks after it: folder, catalogue, what must
// be right, which codes are taken.

#include <QStringList>

#include "app/gui/widgets/panel.hpp"
#include "app/workflow/station/station.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QSettings;
class QToolButton;

namespace tactelier::gui {

class AppState;
class RigLink;

class StationForm : public Panel {
  Q_OBJECT
 public:
  /// Both outlive the form.
  StationForm(AppState& state, const RigLink& rig, QWidget* parent = nullptr);
  /// What a station can't begin without; "" when nothing is missing.
  QString missing() const;
  /// With nothing missing. Fails with what can't be read.
  Result<StationSettings> settings() const;
  QString asCommand() const;
  QLineEdit* folder() const { return folder_; }
  void saveState(QSettings& settings) const;
  void restoreState(QSettings& settings);
  /// The rig that is connected, or that there is none.
  void refresh();

 signals:
  void changed();

 private:
  enum class Choose { kNothing, kFolder, kCatalogue, kText };
  QLineEdit* field(const QString& label, const char* name, const QString& tip, Choose choose);
  void buildProtocol();
  void buildParameters();
  void readCatalogue();
  void choose(QLineEdit* field, const QString& label, Choose what);
  std::vector<std::pair<QString, QLineEdit*>> kept() const;

  AppState& state_;
  const RigLink& rig_;
  QLabel* rig_words_;
  QLineEdit* folder_;
  QLineEdit* catalogue_;
  QLineEdit* parameters_;
  QToolButton* add_;
  QMenu* known_parameters_;
  QComboBox* protocol_;
  QLineEdit* operator_;
  QLineEdit* serials_;
  QCheckBox* known_;
  QLineEdit* notes_;
  int reading_ = 0;
};

}  // namespace tactelier::gui
