#pragma once
// What a fit may be told beside its recordings and stages, as `tactelier fit --help` has it.

#include <QDialog>
#include <map>
#include <string>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace tactelier::gui {

class FitChoice;
struct FitSettings;

class FitOptionsDialog : public QDialog {
  Q_OBJECT
 public:
  /// `choice` outlives it; is changed by the button alone.
  explicit FitOptionsDialog(FitChoice& choice, QWidget* parent = nullptr);

 private:
  void addNumbers(QFormLayout* form);
  void addRequired(QFormLayout* form);
  void fill(const FitSettings& settings);
  FitSettings shown() const;

  FitChoice& choice_;
  QDoubleSpinBox* holdout_;
  QComboBox* sensor_;
  QSpinBox* seed_;
  QSpinBox* threads_;
  std::map<std::string, QCheckBox*> required_;  // by stage
};

}  // namespace tactelier::gui
