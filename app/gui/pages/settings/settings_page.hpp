#pragma once
// What one can set: appearance, start, folder, operator, files of the rig, sounds. Each change is
// applied and kept at once; the defaults come back with one button, and go again with the same.

#include <QVariantMap>

#include "app/gui/widgets/page.hpp"

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace tactelier::gui {

class Panel;
class Segmented;

class SettingsPage : public Page {
  Q_OBJECT
 public:
  SettingsPage(const PageContext& context, QWidget* parent);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString whyNoCommand() const override;

 private:
  enum class Choose { kNothing, kFolder, kJson };
  Panel* buildAppearance();
  Panel* buildFiles();
  Panel* buildRecording();
  /// A row of a panel's grid: label, control, and where wanted a button that asks for a path.
  static void addRow(QGridLayout* grid, const QString& label, QWidget* control,
                     QWidget* button = nullptr);
  QLineEdit* field(QGridLayout* grid, const QString& label, const char* name, const QString& tip,
                   Choose choose);
  QCheckBox* check(QGridLayout* grid, const QString& words, const char* name, const QString& tip);
  void ask(QLineEdit* field, const QString& title, Choose choose);
  void takeFolder();
  void refresh();
  void reset();

  QAction* reset_;
  QVariantMap before_;  // what a reset took away; empty: nothing to give back
  QString folder_before_;
  bool resetting_ = false;
  Segmented* theme_ = nullptr;
  QSpinBox* scale_ = nullptr;
  QCheckBox* banner_ = nullptr;
  QCheckBox* welcome_ = nullptr;
  QCheckBox* sounds_ = nullptr;
  QLineEdit* folder_ = nullptr;
  QLabel* folder_words_ = nullptr;
  QLabel* recent_words_ = nullptr;
  QPushButton* forget_ = nullptr;
};

}  // namespace tactelier::gui
