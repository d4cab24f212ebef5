#include "app/gui/widgets/page.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/action_button.hpp"
#include "app/gui/widgets/elided_label.hpp"

namespace tactelier::gui {

Page::Page(const PageContext& context, const QString& title, QWidget* parent)
    : QWidget(parent), context_(context) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  if (!title.isEmpty()) {
    auto* head = new QWidget(this);
    header_ = new QHBoxLayout(head);
    header_->setContentsMargins(12, 0, 12, 0);
    header_->setSpacing(8);
    title_ = new QLabel(title, head);
    state_text_ = new ElidedLabel(head);
    state_text_->setProperty("look", "caption");
    state_text_->setObjectName(QStringLiteral("pageState"));
    header_->addWidget(title_);
    header_->addSpacing(8);
    header_->addWidget(state_text_, 1);
    head_ = head;
    head->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // fitHeader() says how narrow
    column->addWidget(head);
    const auto size = [this, head] {
      head->setFixedHeight(theme().px(48));
      title_->setFont(theme().font(Type::kTitle));
    };
    size();
    connect(&theme(), &Theme::changed, this, size);
  }
  auto* rest = new QWidget(this);
  body_ = new QVBoxLayout(rest);
  body_->setContentsMargins(12, title.isEmpty() ? 12 : 0, 12, 12);
  body_->setSpacing(12);
  column->addWidget(rest, 1);
}

void Page::setHeaderState(const QString& text) {
  if (state_text_ == nullptr || state_text_->text() == text) return;
  state_text_->setText(text);
  fitHeader();
}

QPushButton* Page::addHeaderAction(QAction* action, const QString& icon, bool primary) {
  auto* button = new ActionButton(action, icon, primary, this);
  header_->addWidget(button);
  header_buttons_.push_back(button);
  connect(action, &QAction::changed, this, &Page::fitHeader);
  return button;
}

void Page::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitHeader();
}

/// The state's words go before the buttons' keys and words, the buttons themselves never.
void Page::fitHeader() {
  if (header_ == nullptr) return;
  using Says = ActionButton::Says;
  const int words = state_text_->fontMetrics().horizontalAdvance(state_text_->text());
  for (const auto says : {Says::kWordsAndKey, Says::kWords, Says::kIcon}) {
    for (auto* button : header_buttons_) button->say(says);
    header_->invalidate();
    const int narrowest = header_->minimumSize().width();
    head_->setMinimumWidth(says == Says::kIcon ? narrowest : 0);
    if (narrowest + words <= width()) return;
  }
}

void Page::addHeaderWidget(QWidget* widget) { header_->addWidget(widget); }

QWidget* Page::headerFocus() const {
  return header_buttons_.empty() ? nullptr : header_buttons_.front();
}

}  // namespace tactelier::gui
