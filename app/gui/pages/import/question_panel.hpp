#pragma once
// What no table says, as fields: why it is asked, and what holds without an answer.

#include <vector>

#include "app/gui/widgets/panel.hpp"
#include "libcalib/import/guess/guess_map.hpp"

class QGridLayout;
class QLineEdit;

namespace tactelier::gui {

class QuestionPanel : public Panel {
  Q_OBJECT
 public:
  explicit QuestionPanel(QWidget* parent = nullptr);
  /// Fields that are there keep what was typed; those that were answered stay.
  void ask(const std::vector<GuessQuestion>& questions);
  void forget();
  /// Fails with the answer that is none.
  Result<GuessAnswers> answers() const;
  /// "--pitch 3.4 --indenter 'cylinder 5'".
  QString options() const;
  QWidget* first() const;

 signals:
  void changed();

 private:
  struct Field {
    std::string key;
    QWidget* row;
    QLineEdit* field;
  };
  void add(const GuessQuestion& question);

  std::vector<Field> fields_;
};

}  // namespace tactelier::gui
