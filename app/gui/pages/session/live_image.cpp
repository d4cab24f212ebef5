#include "app/gui/pages/session/live_image.hpp"

#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/newton_switch.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "fitting/refresh/gain_changes.hpp"
#include "libcalib/sensor/normal_channel.hpp"

namespace tactelier::gui {
namespace {

constexpr double kLeastShear = 0.01;  // of the readings' range that makes a full arrow

QString refreshCaption(const adaptive::AdaptiveState& state) {
  if (state.targets.empty()) return {};
  auto words = LiveImage::tr("%1 of %2 looked at")
                   .arg(state.targets.front().reached)
                   .arg(state.targets.front().of);
  if (!state.changed.empty())
    words +=
        LiveImage::tr(", %n changed (framed)", nullptr, static_cast<int>(state.changed.size()));
  return words;
}

}  // namespace

LiveImage::LiveImage(QWidget* parent) : Panel(tr("Tactile image"), parent) {
  choice_ =
      new Segmented(tr("What the map shows"), {tr("Image"), tr("Coverage"), tr("Targets")}, this);
  choice_->setObjectName(QStringLiteral("imageOrCoverage"));
  unit_ = new NewtonSwitch(this);
  unit_->setObjectName(QStringLiteral("liveUnit"));
  shear_ = new QToolButton(this);
  shear_->setObjectName(QStringLiteral("liveShear"));
  shear_->setProperty("look", "segment");
  shear_->setProperty("edge", "only");
  shear_->setText(tr("Shear"));
  shear_->setAccessibleName(tr("Shear as arrows"));
  shear_->setFocusPolicy(Qt::TabFocus);
  shear_->setCheckable(true);
  shear_->setToolTip(
      tr("Arrows: how x and y have changed since this was switched on. Switch it on "
         "while nothing touches the pad."));
  shear_->hide();
  addTool(shear_);
  addTool(unit_);
  addTool(choice_);
  views_ = new QStackedWidget(this);
  map_ = makeMap("liveMap", tr("Tactile image"));
  covered_ = makeMap("coverageMap", tr("Coverage"));
  covered_->setColorMap(ColorMap::kCividis);
  standing_ = makeMap("standingMap", tr("Uncertainty of the gains"));
  standing_->setColorMap(ColorMap::kCividis);
  setChoosing(false);
  connect(shear_, &QToolButton::toggled, this, [this] {
    across_zero_.clear();
    showShear();
  });
  connect(choice_, &Segmented::chosen, this, &LiveImage::choose);
  connect(unit_, &NewtonSwitch::changed, this, [this] {
    high_N_ = 0;
    showImage();
  });
  readout_ = new ElidedLabel(this);
  readout_->setObjectName(QStringLiteral("liveReadout"));
  beside_ = new QHBoxLayout;
  beside_->setSpacing(12);
  beside_->addWidget(views_, 1);
  body()->addLayout(beside_, 1);
  go_ = new QPushButton(tr("Go to tactel  G"), this);
  go_->setObjectName(QStringLiteral("goToTactel"));
  connect(go_, &QPushButton::clicked, this, [this] {
    if (const auto tactel = chosen()) emit goWanted(*tactel);
  });
  foot_ = new QHBoxLayout;
  foot_->addWidget(readout_, 1);
  foot_->addWidget(go_);
  body()->addLayout(foot_);
  setGoOff({});
  read();
}

void LiveImage::take(QWidget* beside_map, QWidget* behind_go) {
  beside_->addWidget(beside_map, 0, Qt::AlignTop);
  foot_->addWidget(behind_go);
}

const TactileMapView* LiveImage::shownMap() const {
  const int view = views_->currentIndex();
  return view == 0 ? map_ : view == 1 ? covered_ : standing_;
}

std::optional<int> LiveImage::chosen() const { return shownMap()->cursorTactel(); }

void LiveImage::setGoOff(const QString& why) {
  go_off_ = why;
  showGo();
}

void LiveImage::showGo() {
  const auto tactel = chosen();
  go_->setEnabled(go_off_.isEmpty() && tactel);
  go_->setToolTip(!go_off_.isEmpty() ? go_off_
                  : tactel ? tr("Up to the safe height, then sideways over tactel %1 at the jog "
                                "speed. Nothing goes down.")
                                 .arg(*tactel)
                           : tr("Choose a tactel in the map."));
}

TactileMapView* LiveImage::makeMap(const char* name, const QString& told) {
  auto* map = new TactileMapView(this);
  const auto least = [map] { map->setMinimumHeight(theme().px(90)); };
  least();
  connect(&theme(), &Theme::changed, map, least);
  map->setObjectName(QLatin1String(name));
  map->setAccessibleName(told);
  map->setShowNumbers(true);
  map->setNumbers([](double value) { return fixed(value, 0); });
  views_->addWidget(new TableTwin(map, this));
  connect(map, &TactileMapView::tactelHovered, this, &LiveImage::read);
  connect(map, &TactileMapView::tactelChosen, this, [this](int tactel) {
    read();
    emit chose(tactel);
  });
  return map;
}

void LiveImage::choose(int view) {
  views_->setCurrentIndex(view);
  setTitle(view == 0   ? tr("Tactile image")
           : view == 1 ? tr("Coverage")
                       : tr("Uncertainty of the gains"));
  unit_->setVisible(view == 0);
  shear_->setVisible(view == 0 && sensor_.channels == 3);
  if (view == 0) showImage();
  if (view == 2) setCaption(standing_caption_);
  showCoverage();
  read();
}

void LiveImage::setSensor(const SensorDescription& sensor) {
  sensor_ = sensor;
  decimals_ = 0;
  least_.assign(static_cast<std::size_t>(sensor.tactels()), INFINITY);
  most_.assign(least_.size(), -INFINITY);
  map_->setSensor(sensor);
  map_->setScale(0, 1, tr("counts"));
  covered_->setSensor(sensor);
  standing_->setSensor(sensor);
  unit_->setReadings(sensor, "");
  shear_->setChecked(false);
  shear_->setVisible(sensor.channels == 3 && views_->currentIndex() == 0);
  beginRun();
  show({}, false);
}

void LiveImage::setModel(std::shared_ptr<const SensorModel> model) {
  unit_->setModel(std::move(model));
}

void LiveImage::show(const std::vector<float>& counts, bool fresh) {
  const auto channels = static_cast<std::size_t>(std::max(1, sensor_.channels));
  const auto tactels = static_cast<std::size_t>(sensor_.tactels());
  counts_.assign(tactels, std::nan(""));
  across_.clear();
  const bool whole = fresh && counts.size() >= tactels * channels && tactels > 0;
  for (std::size_t i = 0; whole && i < tactels; ++i) {
    counts_[i] = static_cast<double>(counts[i * channels + normal_channel(sensor_.channels)]);
    least_[i] = std::min(least_[i], counts_[i]);
    most_[i] = std::max(most_[i], counts_[i]);
    if (counts_[i] != std::floor(counts_[i])) decimals_ = 2;
    if (channels == 3) across_.emplace_back(counts[i * channels], counts[i * channels + 1]);
  }
  image_caption_ = whole ? QString() : tr("no tactile frames");
  showImage();
}

void LiveImage::showImage() {
  auto values = counts_;
  std::vector<TactelMark> marks(values.size(), TactelMark::kNone);
  const double full = sensor_.adc.max.value_or(INFINITY);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] >= full) marks[i] = TactelMark::kSaturated;
  if (unit_->newtons()) {
    unit_->convert(values, marks);
    for (const double force_N : values) high_N_ = std::fmax(high_N_, force_N);
    NewtonSwitch::scale(*map_, high_N_);
  } else if (const auto [low, high] = scale(); low <= high) {
    map_->setScale(low, std::max(high, low + 1), tr("counts"));
    map_->setNumbers([decimals = decimals_](double value) { return fixed(value, decimals); });
  }
  showShear();
  map_->setValues(std::move(values));
  map_->setMarks(std::move(marks));
  read();
}

/// Grows and never shrinks, so that colours stay comparable; tactels that never change, stuck or
/// dead, have no part in it while others do.
std::pair<double, double> LiveImage::scale() const {
  std::pair<double, double> moving{INFINITY, -INFINITY}, all = moving;
  for (std::size_t i = 0; i < least_.size(); ++i) {
    for (auto* range : {&all, &moving}) {
      if (range == &moving && !(most_[i] > least_[i])) continue;
      range->first = std::min(range->first, least_[i]);
      range->second = std::max(range->second, most_[i]);
    }
  }
  return moving.first <= moving.second ? moving : all;
}

/// Against the first frame since it was switched on: readings at rest may be anything.
void LiveImage::showShear() {
  std::vector<QPointF> shear;
  QString note;
  if (shear_->isChecked() && !across_.empty()) {
    if (across_zero_.empty()) {
      across_zero_ = across_;
      const auto& adc = sensor_.adc;
      most_across_ = adc.max ? kLeastShear * (*adc.max - adc.min.value_or(0)) : 1;
    }
    for (std::size_t i = 0; i < across_.size(); ++i) {
      shear.push_back(across_[i] - across_zero_[i]);
      most_across_ = std::max(most_across_, std::hypot(shear[i].x(), shear[i].y()));
    }
    note = tr("arrow of one cell: %1").arg(fixed(most_across_, decimals_));
  }
  map_->setShowNumbers(shear.empty());  // arrows and numbers hide each other
  map_->setShear(std::move(shear), most_across_);
  map_->setBarNote(note);
  if (views_->currentIndex() == 0) setCaption(image_caption_);
  read();
}

void LiveImage::beginRun() {
  coverage_.clear(sensor_);
  showCoverage();
}

void LiveImage::hear(const rig::messages::Press& press) {
  coverage_.hear(press);
  map_->setPressed(coverage_.pressed());
  showCoverage();
  read();
}

void LiveImage::addRecorded(const std::vector<Press>& presses) {
  coverage_.add(presses);
  showCoverage();
  read();
}

/// Gains from the least to the largest: from 0 on, all would have one colour.
void LiveImage::showCoverage() {
  const auto& tactels = coverage_.tactels();
  std::vector<double> values(tactels.size(), std::nan(""));
  std::vector<TactelMark> marks(tactels.size(), TactelMark::kNone);
  double low = INFINITY, high = -INFINITY;
  for (const auto& tactel : tactels)
    if (tactel.good > 0 && tactel.counts_per_N) {
      low = std::min(low, *tactel.counts_per_N);
      high = std::max(high, *tactel.counts_per_N);
    }
  if (low > high) low = 0, high = 1;
  if (high - low < 0.1 * high) low = 0.9 * high;
  for (std::size_t i = 0; i < tactels.size(); ++i) {
    const auto& tactel = tactels[i];
    // Pressed before a resume: done, its gain was not seen.
    if (tactel.good > 0) values[i] = tactel.counts_per_N.value_or(low);
    if (tactel.aborted > 0 && tactel.good == 0) marks[i] = TactelMark::kAborted;
    if (tactel.again > 0) marks[i] = TactelMark::kAgain;
  }
  covered_->setScale(low, high, tr("preliminary gain [counts/N]"));
  covered_->setValues(std::move(values));
  covered_->setMarks(std::move(marks));
  covered_->setPressed(coverage_.pressed());
  if (views_->currentIndex() == 1)
    setCaption(tr("%1 of %2 tactels pressed").arg(coverage_.done()).arg(tactels.size()));
}

void LiveImage::setChoosing(bool choosing) {
  choice_->setChoiceEnabled(2, choosing,
                            choosing ? QString()
                                     : tr("Only while a recording chooses its presses (Protocol "
                                          "page, Targets)."));
  standing_caption_ = tr("nothing is fitted yet");
  if (!choosing && choice_->current() == 2) {
    choice_->setCurrent(0);
    choose(0);
  }
  if (choosing) {
    standing_->setValues(
        std::vector<double>(static_cast<std::size_t>(sensor_.tactels()), std::nan("")));
    standing_->setLines({});
    choice_->setCurrent(2);
    choose(2);
  }
}

/// Half-width of each tactel's gain, dashed frames around the places that come next, and whole ones
/// around tactels that have changed.
void LiveImage::showStanding(const AdaptiveNews& news) {
  const auto tactels = static_cast<std::size_t>(sensor_.tactels());
  std::vector<double> values(tactels, std::nan(""));
  std::vector<TactelMark> marks(tactels, TactelMark::kNone);
  double target_percent = 2;
  for (const auto& standing : news.state.targets)
    if (standing.target.kind == adaptive::TargetKind::kGain) {
      target_percent = 100 * standing.target.relative;
      standing_caption_ =
          tr("%1 of %2 within ± %3 %").arg(standing.reached).arg(standing.of).arg(target_percent);
    }
  for (std::size_t i = 0; i < std::min(tactels, news.state.gain_half_width.size()); ++i)
    if (const auto& width = news.state.gain_half_width[i]) values[i] = 100 * *width;
  for (const int given_up : news.state.given_up)
    marks[static_cast<std::size_t>(given_up)] = TactelMark::kNotIdentified;
  if (news.state.refreshing) {
    standing_caption_ = refreshCaption(news.state);
    target_percent = std::max(target_percent, 50 * refresh::ChangeSettings{}.least);
  }
  standing_->setScale(0, 2 * target_percent, tr("± % (95 %)"));
  standing_->setNumbers([](double value) { return fixed(value, 1); });
  standing_->setValues(std::move(values));
  standing_->setMarks(std::move(marks));
  std::vector<MapLine> lines;
  for (const auto& [press, why] : news.next)
    lines.push_back(squareAround(press.x_m, press.y_m, true));
  for (const int tactel : news.state.changed) {
    const auto at_m = sensor_.position_m(tactel);
    lines.push_back(squareAround(at_m[0], at_m[1], false));
  }
  standing_->setLines(std::move(lines));
  if (views_->currentIndex() == 2) setCaption(standing_caption_);
  read();
}

/// By column and row of the first array: tactels stand at whole numbers.
MapLine LiveImage::squareAround(double x_m, double y_m, bool dashed) const {
  MapLine square;
  square.closed = true;
  square.dashed = dashed;
  if (sensor_.arrays.empty()) return square;
  const auto& array = sensor_.arrays.front();
  const auto first = sensor_.position_m(0);
  const QPointF at((x_m - first[0]) / array.pitch_x_m, (y_m - first[1]) / array.pitch_y_m);
  for (const auto& [dx, dy] : {std::pair{-0.4, -0.4}, {0.4, -0.4}, {0.4, 0.4}, {-0.4, 0.4}})
    square.places.push_back(at + QPointF(dx, dy));
  return square;
}

QString LiveImage::coverageOf(int index) const {
  const auto& tactel = coverage_.tactels().at(static_cast<std::size_t>(index));
  auto words = tr("Tactel %1: ").arg(index) + tr("%n presses", nullptr, tactel.good);
  if (tactel.again > 0) words += tr(", %1 repeated").arg(tactel.again);
  if (tactel.aborted > 0) words += tr(", %1 aborted").arg(tactel.aborted);
  if (tactel.counts_per_N)
    words += tr("; preliminary gain %1 counts/N").arg(fixed(*tactel.counts_per_N, 0));
  return words;
}

void LiveImage::read() {
  const int view = views_->currentIndex();
  const auto* map = shownMap();
  const auto tactel = map->hovered() ? map->hovered() : map->cursorTactel();
  readout_->setText(!tactel     ? tr("Point at a tactel, or choose one with the arrow keys.")
                    : view == 1 ? coverageOf(*tactel)
                                : map->describe(*tactel));
  showGo();
}

}  // namespace tactelier::gui
