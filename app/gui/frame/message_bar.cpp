#include "app/gui/frame/message_bar.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "app/gui/theme/icons.hpp"

namespace tactelier::gui {
namespace {

QLabel* line(QWidget* parent, const char* name) {
  auto* label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("messageBar"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 8);
  row->setSpacing(12);
  icon_ = new QLabel(this);
  row->addWidget(icon_, 0, Qt::AlignTop);
  auto* lines = new QVBoxLayout;
  lines->setSpacing(2);
  happened_ = line(this, "messageHappened");
  safe_ = line(this, "messageSafe");
  todo_ = line(this, "messageTodo");
  lines->addWidget(happened_);
  lines->addWidget(safe_);
  lines->addWidget(todo_);
  row->addLayout(lines, 1);
  more_ = new QLabel(this);
  row->addWidget(more_, 0, Qt::AlignTop);
  auto* all = new QPushButton(tr("Event log"), this);
  all->setObjectName(QStringLiteral("messageLog"));
  all->setToolTip(tr("All messages, also those that were dismissed."));
  row->addWidget(all, 0, Qt::AlignTop);
  connect(all, &QPushButton::clicked, this, &MessageBar::logWanted);
  close_ = new QPushButton(tr("Dismiss"), this);
  close_->setObjectName(QStringLiteral("messageDismiss"));
  close_->setToolTip(tr("Takes this message away; older ones come back to the front."));
  row->addWidget(close_, 0, Qt::AlignTop);
  connect(close_, &QPushButton::clicked, this, &MessageBar::dismiss);
  connect(&theme(), &Theme::changed, this, &MessageBar::refresh);
  hide();
}

void MessageBar::add(const Message& message) {
  messages_.removeIf([&](const Message& earlier) {
    return earlier == message || (!message.about.isEmpty() && earlier.about == message.about);
  });
  messages_.prepend(message);
  refresh();
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void MessageBar::settle(const QString& matter) {
  messages_.removeIf([&](const Message& message) { return message.matter == matter; });
  refresh();
}

void MessageBar::dismiss() {
  if (!messages_.isEmpty()) messages_.removeFirst();
  refresh();
}

void MessageBar::refresh() {
  setVisible(!messages_.isEmpty());
  if (messages_.isEmpty()) return;
  const auto& message = messages_.first();
  struct Look {
    const char* frame;
    const char* icon;
    Token token;
  };
  const Look look = message.level == Message::Level::kBad ? Look{"noticeBad", "fault", Token::kBad}
                    : message.level == Message::Level::kLook
                        ? Look{"notice", "warn", Token::kWarn}
                        : Look{"noticeInfo", "info", Token::kAccent};
  setProperty("look", look.frame);
  style()->unpolish(this);
  style()->polish(this);
  icon_->setPixmap(iconPixmap(QLatin1String(look.icon), theme().px(20), theme().color(look.token)));
  happened_->setText(message.happened);
  happened_->setFont(theme().font(Type::kBold));
  safe_->setText(message.safe);
  safe_->setVisible(!message.safe.isEmpty());
  todo_->setText(message.todo);
  todo_->setVisible(!message.todo.isEmpty());
  more_->setVisible(messages_.size() > 1);
  more_->setText(tr("+%n more", nullptr, static_cast<int>(messages_.size()) - 1));
  setAccessibleName(message.happened + QLatin1Char(' ') + message.safe + QLatin1Char(' ') +
                    message.todo);
}

}  // namespace tactelier::gui
