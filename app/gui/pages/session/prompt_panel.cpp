#include "app/gui/pages/session/prompt_panel.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

PromptPanel::PromptPanel(RigLink& rig, QWidget* parent) : QWidget(parent), rig_(rig) {
  setObjectName(QStringLiteral("promptPanel"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("promptText"));
  words_->setWordWrap(true);
  words_->setFont(theme().font(Type::kTitle));
  key_ = new QLabel(this);
  key_->setProperty("look", "caption");
  value_ = new QLineEdit(this);
  value_->setObjectName(QStringLiteral("promptValue"));
  wrong_ = new QLabel(tr("A number, with a point: 1.25"), this);
  wrong_->setProperty("look", "bad");
  go_ = new QPushButton(tr("Continue"), this);
  go_->setObjectName(QStringLiteral("promptContinue"));
  go_->setProperty("look", "primary");
  go_->setToolTip(tr("It is done: the rig goes on. Hands off first."));
  auto* row = new QHBoxLayout;
  row->addWidget(key_);
  row->addWidget(value_, 1);
  row->addWidget(go_);
  column->addWidget(words_);
  column->addLayout(row);
  column->addWidget(wrong_);
  column->addStretch(1);
  connect(go_, &QPushButton::clicked, this, &PromptPanel::answer);
  connect(value_, &QLineEdit::returnPressed, this, &PromptPanel::answer);
}

void PromptPanel::show(const rig::messages::Question& question) {
  question_ = question;
  words_->setText(text(question.text));
  const bool reads = !question.answer_key.empty();
  key_->setText(text(question.answer_key));
  key_->setVisible(reads);
  value_->setVisible(reads);
  value_->setAccessibleName(text(question.answer_key));
  value_->clear();
  wrong_->hide();
}

QWidget* PromptPanel::field() const {
  return question_.answer_key.empty() ? static_cast<QWidget*>(go_) : value_;
}

void PromptPanel::answer() {
  if (question_.answer_key.empty()) return rig_.answer(std::nullopt);
  bool number = false;
  const double value = QLocale::c().toDouble(value_->text().trimmed(), &number);
  value_->setProperty("wrong", !number);
  value_->style()->unpolish(value_);
  value_->style()->polish(value_);
  wrong_->setVisible(!number);
  if (number) rig_.answer(value);
}

}  // namespace tactelier::gui
