#include "app/gui/pages/compare/press_bar.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>

#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/elided_label.hpp"

namespace tactelier::gui {
namespace {

QToolButton* stepButton(const char* name, const QString& image, const QString& words,
                        QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setObjectName(QLatin1String(name));
  button->setProperty("look", "control");
  setThemedIcon(button, image);
  button->setAccessibleName(words);
  button->setToolTip(words);
  return button;
}

}  // namespace

PressBar::PressBar(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  back_ = stepButton("compareBack", QStringLiteral("left"), tr("The image press before"), this);
  on_ = stepButton("compareOn", QStringLiteral("right"), tr("The next image press"), this);
  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setObjectName(QStringLiteral("compareSlider"));
  slider_->setAccessibleName(tr("Image press shown"));
  slider_->setToolTip(tr("Image press shown. Arrows: one on or back; Page up and down: five."));
  slider_->setPageStep(5);
  words_ = new ElidedLabel(this);
  words_->setObjectName(QStringLiteral("comparePress"));
  row->addWidget(back_);
  row->addWidget(slider_, 2);
  row->addWidget(on_);
  row->addWidget(words_, 3);
  connect(slider_, &QSlider::valueChanged, this, &PressBar::placeChosen);
  connect(back_, &QToolButton::clicked, this, [this] { step(-1); });
  connect(on_, &QToolButton::clicked, this, [this] { step(1); });
  setCount(0);
}

void PressBar::setCount(int count) {
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, std::max(0, count - 1));
  setEnabled(count > 0);
  if (count == 0) words_->clear();
}

void PressBar::setPlace(int place, const QString& words) {
  const QSignalBlocker quiet(slider_);
  slider_->setValue(place);
  back_->setEnabled(place > slider_->minimum());
  on_->setEnabled(place < slider_->maximum());
  words_->setText(words);
  slider_->setAccessibleDescription(words);
}

void PressBar::step(int by) { slider_->setValue(slider_->value() + by); }

}  // namespace tactelier::gui
