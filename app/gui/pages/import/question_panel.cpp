#include "app/gui/pages/import/question_panel.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

#include "app/gui/text/message.hpp"
#include "app/gui/text/shell_words.hpp"

namespace tactelier::gui {

QuestionPanel::QuestionPanel(QWidget* parent) : Panel(tr("Not in the table"), parent) {
  setCaption(tr("leave open what you don't know"));
}

void QuestionPanel::ask(const std::vector<GuessQuestion>& questions) {
  std::erase_if(fields_, [&](const Field& known) {
    const bool stays =
        !known.field->text().isEmpty() ||
        std::ranges::find(questions, known.key, &GuessQuestion::key) != questions.end();
    if (!stays) known.row->deleteLater();
    return !stays;
  });
  for (const auto& question : questions)
    if (std::ranges::find(fields_, question.key, &Field::key) == fields_.end()) add(question);
  setVisible(!fields_.empty());
}

void QuestionPanel::add(const GuessQuestion& question) {
  auto* row = new QWidget(this);
  auto* column = new QVBoxLayout(row);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* words = new QLabel(text(question.text), row);
  words->setWordWrap(true);
  auto* field = new QLineEdit(row);
  field->setObjectName(QStringLiteral("answer_") + text(question.key));
  field->setAccessibleName(text(question.text));
  field->setPlaceholderText(tr("open: %1").arg(text(question.otherwise)));
  field->setToolTip(tr("%1\nLeft open: %2.\n--%3")
                        .arg(text(question.text), text(question.otherwise), text(question.key)));
  words->setBuddy(field);
  column->addWidget(words);
  column->addWidget(field);
  body()->addWidget(row);
  fields_.push_back({question.key, row, field});
  connect(field, &QLineEdit::textChanged, this, &QuestionPanel::changed);
}

void QuestionPanel::forget() {
  for (const auto& known : fields_) known.row->deleteLater();
  fields_.clear();
  hide();
}

Result<GuessAnswers> QuestionPanel::answers() const {
  GuessAnswers answers;
  for (const auto& known : fields_) {
    const auto typed = known.field->text().trimmed().toStdString();
    if (typed.empty()) continue;
    if (const auto taken = take_answer(known.key, typed, answers); !taken)
      return fail(taken.error());
  }
  return answers;
}

QString QuestionPanel::options() const {
  QStringList words;
  for (const auto& known : fields_)
    if (const auto typed = known.field->text().trimmed(); !typed.isEmpty())
      words << QStringLiteral("--%1 %2").arg(text(known.key), shellWord(typed));
  return words.join(QChar(' '));
}

QWidget* QuestionPanel::first() const { return fields_.empty() ? nullptr : fields_.front().field; }

}  // namespace tactelier::gui
