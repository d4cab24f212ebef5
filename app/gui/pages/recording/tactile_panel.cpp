#include "app/gui/pages/recording/tactile_panel.hpp"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/gui/pages/recording/time_bar.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {

TactilePanel::TactilePanel(Jobs& jobs, QWidget* parent)
    : Panel(tr("Tactile image"), parent), loader_(jobs) {
  map_ = new TactileMapView(this);
  map_->setObjectName(QStringLiteral("tactileMap"));
  map_->setShowNumbers(true);
  unit_ = new NewtonSwitch(this);
  unit_->setObjectName(QStringLiteral("recordedUnit"));
  addTool(unit_);
  time_bar_ = new TimeBar(this);
  readout_ = new QLabel(this);
  readout_->setObjectName(QStringLiteral("tactelReadout"));
  legend_ = new QLabel(this);
  legend_->setProperty("look", "caption");
  legend_->setWordWrap(true);
  body()->addWidget(new TableTwin(map_, this), 1);
  body()->addWidget(time_bar_);
  body()->addWidget(readout_);
  body()->addWidget(legend_);
  connect(unit_, &NewtonSwitch::changed, this, &TactilePanel::showUnit);
  connect(&loader_, &FrameLoader::frameReady, this, &TactilePanel::showFrame);
  connect(&loader_, &FrameLoader::damageMet, this, &TactilePanel::damageMet);
  connect(time_bar_, &TimeBar::timeChanged, this, [this](double time_s) {
    loader_.request(time_s);
    emit timeChanged(time_s);
  });
  connect(map_, &TactileMapView::tactelHovered, this, &TactilePanel::showReadout);
  connect(map_, &TactileMapView::tactelChosen, this, &TactilePanel::showReadout);
}

void TactilePanel::setRecording(RecordingPtr recording) {
  recording_ = std::move(recording);
  extremes_.clear();
  counts_.clear();
  loader_.setRecording(recording_);
  const auto sensor = recording_ ? recording_->metadata().sensor : SensorDescription{};
  map_->setSensor(sensor);
  unit_->setReadings(sensor, recording_ ? recording_->metadata().sensor_serial : "");
  setCaption(!recording_ ? QString()
             : loader_.available()
                 ? tr("%n tactels", nullptr, recording_->metadata().sensor.tactels())
                 : tr("no tactile stream"));
  time_bar_->setRange(recording_ ? recording_->begin_s() : 0, recording_ ? recording_->end_s() : 0,
                      loader_.period_s());
  loader_.request(time_bar_->time_s());
  showReadout();
  showLegend();
}

void TactilePanel::setExtremes(const std::vector<TactelExtremes>& extremes) {
  extremes_ = extremes;
  showUnit();
}

void TactilePanel::setModel(std::shared_ptr<const SensorModel> model) {
  unit_->setModel(std::move(model));
}

/// Bar and numbers of the whole recording in the unit that is chosen, and the frame in it.
void TactilePanel::showUnit() {
  std::vector<double> lows, highs;
  for (const auto& tactel : extremes_) {
    lows.push_back(tactel.min);
    highs.push_back(tactel.max);
  }
  const auto adc = recording_ ? recording_->metadata().sensor.adc : Adc{};
  if (unit_->newtons()) {
    const bool falls = recording_ && recording_->metadata().sensor.falling;
    auto forces_N = extremes_.empty() ? counts_ : falls ? lows : highs;
    std::vector<TactelMark> marks(forces_N.size());
    unit_->convert(forces_N, marks);
    double high_N = 0;
    for (const double force_N : forces_N) high_N = std::fmax(high_N, force_N);
    NewtonSwitch::scale(*map_, high_N);
  } else {
    double low = INFINITY, high = -INFINITY;
    for (const double count : lows) low = std::fmin(low, count);
    for (const double count : highs) high = std::fmax(high, count);
    const bool known = std::isfinite(low) && high > low;
    const double span = high - low;
    const int decimals = !known || span >= 100 ? 0 : span >= 10 ? 1 : span >= 1 ? 2 : 3;
    map_->setScale(known ? low : adc.min.value_or(0), known ? high : adc.max.value_or(1),
                   tr("counts"));
    map_->setNumbers([decimals](double value) { return fixed(value, decimals); });
  }
  showFrame(time_bar_->time_s(), counts_);
  showLegend();
}

void TactilePanel::showFrame(double, const std::vector<double>& counts) {
  counts_ = counts;
  auto values = counts_;
  std::vector<TactelMark> marks(values.size(), TactelMark::kNone);
  double full = INFINITY;
  if (recording_) full = recording_->metadata().sensor.adc.max.value_or(INFINITY);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < extremes_.size() && extremes_[i].dead)
      marks[i] = TactelMark::kDead;
    else if (i < extremes_.size() && extremes_[i].stuck)
      marks[i] = TactelMark::kStuck;
    else if (values[i] >= full)
      marks[i] = TactelMark::kSaturated;
  }
  if (unit_->newtons()) unit_->convert(values, marks);
  map_->setValues(std::move(values));
  map_->setMarks(std::move(marks));
  showReadout();
}

void TactilePanel::showReadout() {
  const auto tactel = map_->hovered() ? map_->hovered() : map_->cursorTactel();
  readout_->setText(tactel ? map_->describe(*tactel)
                           : tr("Point at a tactel, or choose one with the arrow keys."));
}

void TactilePanel::showLegend() {
  QStringList dead;
  QStringList stuck;
  for (std::size_t i = 0; i < extremes_.size(); ++i) {
    if (extremes_[i].dead) dead << QString::number(i);
    if (extremes_[i].stuck) stuck << QString::number(i);
  }
  QStringList words;
  if (!dead.isEmpty()) words << tr("× dead (%1)").arg(dead.join(QStringLiteral(", ")));
  if (!stuck.isEmpty()) words << tr("▬ stuck (%1)").arg(stuck.join(QStringLiteral(", ")));
  if (!extremes_.empty() && words.isEmpty()) words << tr("no dead or stuck tactels");
  words << tr("◥ saturated");
  if (unit_->newtons()) words << tr("▨ no newtons") << tr("empty: below the threshold");
  words << tr("orange frame: pressed");
  if (unit_->newtons()) words << unit_->words();
  legend_->setText(words.join(QStringLiteral("   ")));
}

void TactilePanel::setTime(double time_s) {
  time_bar_->setTime(time_s);
  loader_.request(time_bar_->time_s());
}

double TactilePanel::time_s() const { return time_bar_->time_s(); }

}  // namespace tactelier::gui
