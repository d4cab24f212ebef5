#include "app/gui/pages/session/prompt_panel.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

constexpr qint64 kShow_ms = 200;

struct Axis {
  const char* name;
  double per_SI;
  int decimals;
  const char* unit;
};
constexpr std::array kAxes{Axis{"Fx", 1, 2, "N"},      Axis{"Fy", 1, 2, "N"},
                           Axis{"Fz", 1, 2, "N"},      Axis{"Tx", 1e3, 1, "N·mm"},
                           Axis{"Ty", 1e3, 1, "N·mm"}, Axis{"Tz", 1e3, 1, "N·mm"}};

}  // namespace

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
  value_->setAccessibleName(tr("Answer to the rig"));
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
  axes_ = new QLabel(this);
  axes_->setObjectName(QStringLiteral("promptAxes"));
  axes_->setAccessibleName(tr("Force sensor, not tared"));
  column->addWidget(axes_);
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
  value_->setAccessibleName(text(question.text));
  value_->clear();
  wrong_->hide();
  axes_->clear();
  before_SI_.reset();
  most_SI_ = {};
  shown_.invalidate();
}

void PromptPanel::see(const rig::LiveFrame& live) {
  if (live.force_ns == 0) return;
  if (!before_SI_) before_SI_ = live.wrench_SI;
  for (std::size_t i = 0; i < most_SI_.size(); ++i)
    most_SI_[i] = std::max(most_SI_[i], std::abs(live.wrench_SI[i] - (*before_SI_)[i]));
  if (shown_.isValid() && shown_.elapsed() < kShow_ms) return;
  shown_.start();
  const auto right = [](const QString& words) {
    return QStringLiteral("<td align=\"right\" style=\"padding-left:12px\">%1</td>").arg(words);
  };
  QString rows = QStringLiteral("<tr><td></td>%1%2%3</tr>")
                     .arg(right(tr("now")), right(tr("change")), right(tr("at most")));
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    const auto& axis = kAxes[i];
    if (live.wrench_SI[i] == 0 && most_SI_[i] == 0) continue;  // not one of this sensor's
    const auto cell = [&](double value_SI) {
      return right(fixed(value_SI * axis.per_SI, axis.decimals));
    };
    rows += QStringLiteral("<tr><td>%1</td>%2%3%4<td style=\"padding-left:6px\">%5</td></tr>")
                .arg(QLatin1String(axis.name), cell(live.wrench_SI[i]),
                     cell(live.wrench_SI[i] - (*before_SI_)[i]), cell(most_SI_[i]),
                     QString::fromUtf8(axis.unit));
  }
  axes_->setText(QStringLiteral("<table>%1</table>").arg(rows));
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
