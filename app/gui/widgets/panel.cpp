#include "app/gui/widgets/panel.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/elided_label.hpp"

namespace tactelier::gui {

Panel::Panel(const QString& title, QWidget* parent) : QFrame(parent) {
  setProperty("look", "panel");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  head_ = new QFrame(this);
  head_->setProperty("look", "panelHead");
  head_row_ = new QHBoxLayout(head_);
  head_row_->setContentsMargins(12, 0, 8, 0);
  head_row_->setSpacing(8);
  title_ = new QLabel(head_);
  caption_ = new ElidedLabel(head_);
  caption_->setProperty("look", "caption");
  head_row_->addWidget(title_);
  head_row_->addWidget(caption_, 1);
  column->addWidget(head_);
  body_ = new QVBoxLayout;
  body_->setSpacing(8);
  setBodyMargins(12);
  column->addLayout(body_, 1);
  setTitle(title);
  const auto size = [this] {
    head_->setFixedHeight(theme().px(34));
    title_->setFont(theme().font(Type::kBold));
  };
  size();
  connect(&theme(), &Theme::changed, this, size);
}

void Panel::setTitle(const QString& title) {
  title_->setText(title);
  setAccessibleName(title);
}

void Panel::setCaption(const QString& caption) { caption_->setText(caption); }

void Panel::addTool(QWidget* tool) { head_row_->addWidget(tool); }

void Panel::setHeadShown(bool shown) { head_->setVisible(shown); }

void Panel::setBodyMargins(int margin) {
  body_->setContentsMargins(margin, margin, margin, margin);
}

}  // namespace tactelier::gui
