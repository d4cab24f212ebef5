#include "app/gui/pages/export/draw_choice.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <limits>

namespace tactelier::gui {
namespace {

constexpr int kMaxDraws = 10000;  // as the command line

}  // namespace

DrawChoice::DrawChoice(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  const auto add = [&](const QString& words, QSpinBox* box, const char* name) {
    auto* label = new QLabel(words, this);
    label->setBuddy(box);
    box->setObjectName(QLatin1String(name));
    row->addWidget(label);
    row->addWidget(box, 1);
    connect(box, &QSpinBox::valueChanged, this, &DrawChoice::changed);
  };
  count_ = new QSpinBox(this);
  count_->setRange(0, kMaxDraws);
  count_->setSpecialValueText(tr("none"));
  count_->setAccessibleName(tr("Random draws"));
  count_->setToolTip(
      tr("Random draws. So many files, each of a model drawn from the fit's covariance: FILE_1, "
         "FILE_2 … 0–%1, default none: the model as fitted.\n--randomize N")
          .arg(kMaxDraws));
  seed_ = new QSpinBox(this);
  seed_->setRange(0, std::numeric_limits<int>::max());
  seed_->setValue(1);
  seed_->setEnabled(false);
  seed_->setToolTip(tr("Of the draws: the same seed gives the same files. Default 1.\n--seed N"));
  add(tr("D&raws"), count_, "drawCount");
  add(tr("See&d"), seed_, "drawSeed");
  connect(this, &DrawChoice::changed, this, [this] { seed_->setEnabled(count_->value() > 0); });
}

DrawRequest DrawChoice::draws() const {
  return {count_->value(), static_cast<std::uint64_t>(seed_->value())};
}

QString DrawChoice::asOptions() const {
  if (count_->value() == 0) return {};
  return QStringLiteral(" --randomize %1 --seed %2").arg(count_->value()).arg(seed_->value());
}

}  // namespace tactelier::gui
