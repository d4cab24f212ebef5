#include "app/gui/pages/station/verdict_card.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "app/gui/text/message.hpp"
#include "app/gui/theme/icons.hpp"

namespace tactelier::gui {

VerdictCard::VerdictCard(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("verdict"));
  const auto label = [this](const char* name) {
    auto* made = new QLabel(this);
    made->setObjectName(QLatin1String(name));
    made->setWordWrap(true);
    return made;
  };
  shape_ = new QLabel(this);
  word_ = new QLabel(this);
  word_->setObjectName(QStringLiteral("verdictWord"));
  serial_ = new QLabel(this);
  serial_->setObjectName(QStringLiteral("verdictSerial"));
  reasons_ = label("verdictReasons");
  reasons_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  todo_ = label("verdictTodo");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(24, 8, 24, 8);
  row->setSpacing(24);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addStretch(1);
  for (auto* part : {serial_, word_, todo_, reasons_}) words->addWidget(part);
  words->addStretch(1);
  row->addWidget(shape_);
  row->addLayout(words, 1);
  // In a low window the words move together before the page scrolls.
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
  connect(&theme(), &Theme::changed, this, &VerdictCard::restyle);
  clear();
}

void VerdictCard::show(const StationLabel& label) {
  QStringList reasons;
  for (const auto& part : text(label.why).split(QStringLiteral("; "), Qt::SkipEmptyParts))
    reasons << part;
  put(text(label.serial), verdictLook(label), reasons);
}

void VerdictCard::showNotMeasured(const QString& serial, const QString& why) {
  put(serial, notMeasuredLook(), {why});
}

void VerdictCard::clear() {
  look_.reset();
  serial_->clear();
  word_->setText(tr("No verdict yet"));
  todo_->setText(tr("It will stand here, large, once the first sensor is measured."));
  reasons_->clear();
  setAccessibleName(tr("Verdict: none yet"));
  restyle();
}

void VerdictCard::put(const QString& serial, const VerdictLook& look, const QStringList& reasons) {
  look_ = look;
  serial_->setText(serial);
  word_->setText(look.word);
  todo_->setText(look.todo);
  reasons_->setText(reasons.join(QChar('\n')));
  setAccessibleName(QStringLiteral("%1 %2. %3 %4")
                        .arg(serial, look.word, look.todo, reasons.join(QStringLiteral("; "))));
  QAccessibleEvent said(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&said);
  restyle();
}

void VerdictCard::restyle() {
  const bool any = look_.has_value();
  const auto ink = theme().color(any ? Token::kAccentText : Token::kText2);
  for (auto* part : {serial_, word_, todo_, reasons_}) {
    auto palette = part->palette();
    palette.setColor(QPalette::WindowText, ink);
    part->setPalette(palette);
    part->setVisible(!part->text().isEmpty());
  }
  auto huge = theme().font(Type::kMode);
  huge.setPixelSize(theme().px(any ? 48 : 18));
  word_->setFont(huge);
  serial_->setFont(theme().font(Type::kForce));
  todo_->setFont(theme().font(Type::kTitle));
  reasons_->setFont(theme().font(Type::kText));
  setMinimumHeight(theme().px(200));
  shape_->setVisible(any);
  if (any) shape_->setPixmap(iconPixmap(look_->icon, theme().px(96), ink));
  update();
}

void VerdictCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const auto frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(theme().color(look_ ? look_->color : Token::kBorder));
  painter.setBrush(theme().color(look_ ? look_->color : Token::kSurface));
  painter.drawRoundedRect(frame, 4, 4);
}

}  // namespace tactelier::gui
