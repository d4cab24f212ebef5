#include "app/gui/widgets/newton_switch.hpp"

#include <cmath>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"

namespace tactelier::gui {

NewtonSwitch::NewtonSwitch(QWidget* parent)
    : Segmented(tr("Unit of the tactile image"), {tr("Counts"), tr("Newtons")}, parent) {
  connect(this, &Segmented::chosen, this, &NewtonSwitch::changed);
  renew();
}

void NewtonSwitch::setReadings(const SensorDescription& sensor, const std::string& serial) {
  sensor_ = sensor;
  serial_ = serial;
  renew();
}

void NewtonSwitch::setModel(std::shared_ptr<const SensorModel> model) {
  model_ = std::move(model);
  renew();
}

void NewtonSwitch::renew() {
  newtons_.reset();
  auto why = tr("Off: no model is open. Open one, or fit the recording.");
  if (sensor_.arrays.empty()) {
    why = tr("Off: there are no readings to show.");
  } else if (model_ != nullptr) {
    const auto fits = fits_array(*model_, sensor_, "this array").and_then([&] {
      return fits_serial(*model_, serial_);
    });
    if (fits) newtons_ = std::make_unique<ArrayNewtons>(*model_);
    if (!fits) why = tr("Off: %1.").arg(text(fits.error().message));
    if (newtons_ && newtons_->calibrated() == 0) {
      newtons_.reset();
      why = tr("Off: the open model has gain and offset of no tactel.");
    }
  }
  setChoiceEnabled(1, newtons_ != nullptr,
                   newtons_ ? tr("Force on the calibration indenter over each tactel's centre that "
                                 "gives its reading, from the model's zero on. `tactelier apply`")
                            : why);
  if (!newtons_) setCurrent(0);
  emit changed();
}

void NewtonSwitch::convert(std::vector<double>& readings, std::vector<TactelMark>& marks) const {
  for (std::size_t i = 0; i < std::min(readings.size(), newtons_->tactels()); ++i) {
    const auto force = newtons_->tactel(i, readings[i]);
    readings[i] = force.force_N.value_or(std::nan(""));
    if (marks[i] == TactelMark::kDead || marks[i] == TactelMark::kStuck) continue;
    marks[i] = force.flag == ReadingFlag::kSaturated      ? TactelMark::kSaturated
               : force.flag == ReadingFlag::kBelow        ? TactelMark::kBelow
               : force.flag == ReadingFlag::kUncalibrated ? TactelMark::kNotIdentified
                                                          : TactelMark::kNone;
  }
}

QString NewtonSwitch::words() const {
  return tr("newtons of %1 of %2 tactels, on the model's zero")
      .arg(newtons_->calibrated())
      .arg(newtons_->tactels());
}

void NewtonSwitch::scale(TactileMapView& map, double high_N) {
  const int decimals = high_N >= 100 ? 0 : high_N >= 10 ? 1 : high_N >= 1 ? 2 : 3;
  map.setScale(0, high_N > 0 ? high_N : 1, QStringLiteral("N"));
  map.setNumbers([decimals](double value) { return fixed(value, decimals); });
}

}  // namespace tactelier::gui
