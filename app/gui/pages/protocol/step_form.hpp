#pragma once
// One step of a protocol as a form: a field for each key that its kind takes
// (data/schemas/protocol.schema.json), empty where the step doesn't say.

#include <QWidget>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/gui/pages/protocol/step_fields.hpp"
#include "libcalib/result.hpp"

class QGridLayout;
class QLabel;

namespace tactelier::gui {

class StepForm : public QWidget {
  Q_OBJECT
 public:
  using Json = nlohmann::ordered_json;

  explicit StepForm(QWidget* parent = nullptr);
  /// `number`: from 1, of the list.
  void show(int number, const Json& step);
  void clear();

 signals:
  /// `what`: of Undo, "speed of step 3".
  void edited(const tactelier::gui::StepForm::Json& step, const QString& what);

 private:
  void build();
  QWidget* editorOf(const StepField& field);
  void fill();
  void take(const StepField& field, const QString& typed);

  int number_ = 0;
  Json step_;
  std::string kind_;  // that the fields are of
  std::vector<StepField> fields_;
  std::vector<QWidget*> editors_;
  QLabel* title_;
  QLabel* words_;
  QWidget* grid_holder_ = nullptr;
  QLabel* trouble_;
};

/// What a field holds, as it is typed: "0.5, 1, 2"; "" where the step doesn't say.
QString fieldText(const StepField& field, const StepForm::Json& step);
/// The step with what was typed into a field; "" takes the key away. Fails with kUsage, naming the
/// field, on what is no number, no list, no JSON.
Result<StepForm::Json> withField(const StepField& field, StepForm::Json step, const QString& typed);

}  // namespace tactelier::gui
