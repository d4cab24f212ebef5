#include "app/gui/pages/fit/map_panel.hpp"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/gui/state/app_state.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "fitting/engine/facts.hpp"
#include "fitting/views/response_curve.hpp"
#include "reports/fit_results.hpp"

namespace tactelier::gui {
namespace {

constexpr int kNameLength = 11;  // letters of a parameter: the list has the longer ones

TactelMark markOf(const TactelResponse& tactel, const Parameter& parameter) {
  if (tactel.status == TactelStatus::kDead) return TactelMark::kDead;
  if (tactel.status == TactelStatus::kStuck) return TactelMark::kStuck;
  if (!parameter.usable()) return TactelMark::kNotIdentified;
  return parameter.status == Status::kPredicted ? TactelMark::kPredicted : TactelMark::kNone;
}

}  // namespace

MapPanel::MapPanel(AppState& state, QWidget* parent) : Panel(tr("Map"), parent), state_(state) {
  map_ = new TactileMapView(this);
  map_->setObjectName(QStringLiteral("parameterMap"));
  map_->setAccessibleName(tr("Map of a parameter over the array"));
  map_->setColorMap(ColorMap::kCividis);
  map_->setShowNumbers(true);
  readout_ = new QLabel(this);
  readout_->setObjectName(QStringLiteral("parameterReadout"));
  readout_->setProperty("look", "caption");
  readout_->setMargin(6);
  parameters_ = new QComboBox(this);
  parameters_->setObjectName(QStringLiteral("mapParameter"));
  parameters_->setAccessibleName(tr("Parameter of the map"));
  parameters_->setToolTip(tr("What the map shows: any number that differs between tactels."));
  parameters_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  parameters_->setMinimumContentsLength(kNameLength);
  what_ = new Segmented(tr("Show"), {tr("Value"), tr("U"), tr("Residual")}, this);
  what_->setObjectName(QStringLiteral("mapWhat"));
  what_->setToolTip(
      tr("The value, its expanded uncertainty (95 %), or what the readings lie off the fitted "
         "response (root mean square while loading)."));
  addTool(parameters_);
  addTool(what_);
  setBodyMargins(0);
  body()->setSpacing(0);
  body()->addWidget(new TableTwin(map_, this), 1);
  body()->addWidget(readout_);
  connect(parameters_, &QComboBox::currentIndexChanged, this, &MapPanel::refresh);
  connect(what_, &Segmented::chosen, this, &MapPanel::refresh);
  const auto data_changed = [this] {
    if (what_->current() == kResidual) refresh();
  };
  connect(&state_.recordings(), &Recordings::pressChanged, this, data_changed);
  connect(&state_.recordings(), &Recordings::listChanged, this, data_changed);
  connect(map_, &TactileMapView::tactelChosen, &state_, [this](int tactel) {
    state_.selection().chooseTactel(tactel);
    choosePressOn(tactel);
  });
  connect(map_, &TactileMapView::tactelHovered, this, &MapPanel::showReadout);
  connect(&state_.selection(), &Selection::tactelChosen, this, [this] {
    map_->setCursor(state_.selection().tactel());
    showReadout();
  });
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &MapPanel::fillParameters);
  fillParameters();
}

/// So that all plots speak of the same place.
void MapPanel::choosePressOn(int tactel) {
  const auto* document = state_.recording();
  if (document == nullptr) return;
  const auto* chosen =
      state_.selection().press() ? document->press(*state_.selection().press()) : nullptr;
  if (chosen != nullptr && chosen->tactel == tactel) return;
  for (const auto& press : document->presses())
    if (press.tactel == tactel && press.usable())
      return state_.selection().choosePress(press.number);
}

void MapPanel::fillParameters() {
  const auto before = parameters_->currentData().toString();
  {
    const QSignalBlocker quiet(parameters_);
    parameters_->clear();
    if (state_.model() != nullptr)
      for (const auto& path : array_parameters(*state_.model()))
        parameters_->addItem(parameterWords(path).name, QString::fromStdString(path));
    const auto wanted = before.isEmpty() ? QStringLiteral("response.tactels[].press_gain") : before;
    parameters_->setCurrentIndex(std::max(0, parameters_->findData(wanted)));
  }
  parameters_->setEnabled(parameters_->count() > 0);
  if (state_.model() != nullptr) map_->setSensor(state_.model()->sensor);
  map_->setCursor(state_.selection().tactel());
  refresh();
}

void MapPanel::showEvent(QShowEvent* event) {
  Panel::showEvent(event);
  refresh();
}

void MapPanel::refresh() {
  const bool residual = what_->current() == kResidual;
  parameters_->setEnabled(parameters_->count() > 0 && !residual);
  if (residual)
    showResiduals();
  else
    showParameter();
}

/// Of a recording of many presses it takes a while: only where somebody looks.
void MapPanel::showResiduals() {
  auto sources = fitSources(state_);
  if (sources.empty() || state_.model() == nullptr) {
    asked_.reset();
    residuals_.clear();
    return paintResiduals();
  }
  if (!isVisible()) return;
  auto basis = fitBasis(state_, sources);
  if (asked_ == basis) return paintResiduals();
  asked_ = std::move(basis);
  residuals_.clear();
  paintResiduals();
  setCaption(tr("working it out"));
  readResiduals(std::move(sources));
}

void MapPanel::readResiduals(std::vector<FitSource> sources) {
  using Residuals = std::vector<Residual>;
  state_.jobs().run<Residuals>(
      {}, Lane::kQuiet, this,
      [sources = std::move(sources), model = state_.model()](const Job& job) -> Result<Residuals> {
        const auto opened = OpenedSources::open(sources, job);
        if (!opened) return fail(opened.error());
        const auto curves = response_curves(opened->sessions(), opened->clocks(), *model, job);
        if (!curves) return fail(curves.error());
        Residuals residuals(static_cast<std::size_t>(model->sensor.tactels()));
        for (const auto& curve : *curves) {
          auto& residual = residuals[static_cast<std::size_t>(curve.tactel)];
          residual.rms_counts = residual_rms_counts(curve);
          for (const auto& trace : curve.traces) residual.presses += trace.used ? 1 : 0;
        }
        return residuals;
      },
      [this, basis = asked_](Result<Residuals> residuals) {
        if (basis != asked_) return;  // of before
        setCaption(residuals ? QString() : text(residuals.error().message));
        if (!residuals) return asked_.reset();
        residuals_ = std::move(*residuals);
        if (what_->current() == kResidual) paintResiduals();
      });
}

void MapPanel::paintResiduals() {
  std::vector<double> values;
  std::vector<TactelMark> marks;
  double high = 0;
  for (std::size_t i = 0; i < residuals_.size(); ++i) {
    values.push_back(residuals_[i].rms_counts.value_or(std::nan("")));
    high = std::fmax(high, values.back());
    marks.push_back(residuals_[i].rms_counts
                        ? TactelMark::kNone
                        : markOf(state_.model()->response.tactels[i], Parameter{}));
  }
  const int decimals =
      high > 0 ? std::clamp(static_cast<int>(std::ceil(1 - std::log10(high))), 0, 4) : 0;
  map_->setNumbers([decimals](double value) { return fixed(value, decimals); });
  map_->setScale(0, high > 0 ? high : 1, tr("counts rms"));
  map_->setMarks(std::move(marks));
  map_->setValues(std::move(values));
  showReadout();
}

QString MapPanel::residualWords(int tactel) const {
  const auto index = static_cast<std::size_t>(tactel);
  if (index >= residuals_.size() || !residuals_[index].rms_counts)
    return tr("Tactel %1: no residual, nothing was fitted").arg(tactel);
  const auto& noise = state_.model()->response.tactels[index].noise;
  auto words =
      tr("Tactel %1: residual %2 counts rms of %n presses", nullptr, residuals_[index].presses)
          .arg(tactel)
          .arg(fixed(*residuals_[index].rms_counts, 2));
  if (noise.value) words += tr(", its noise is %1").arg(fixed(*noise.value, 2));
  return words;
}

void MapPanel::showParameter() {
  setCaption({});
  shown_.clear();
  const auto& model = state_.model();
  const auto path = parameters_->currentData().toString().toStdString();
  if (model != nullptr) shown_ = over_array(*model, path);
  std::vector<double> values;
  std::vector<TactelMark> marks;
  double low = INFINITY;
  double high = -INFINITY;
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const auto value =
        what_->current() == kUncertainty ? expandedUncertainty(shown_[i]) : shown_[i].value;
    values.push_back(value.value_or(std::nan("")));
    marks.push_back(markOf(model->response.tactels[i], shown_[i]));
    low = std::fmin(low, values.back());
    high = std::fmax(high, values.back());
  }
  if (!(low <= high)) low = high = 0;
  if (low == high) {
    low -= 0.05 * std::abs(low) + (low == 0 ? 1 : 0);
    high += 0.05 * std::abs(high) + (high == 0 ? 1 : 0);
  }
  const auto unit = shown_.empty() ? QString() : unitWords(shown_.front().unit);
  const auto prefix = prefixFor(std::max(std::abs(low), std::abs(high)), unit);
  const double span = (high - low) / prefix.factor;
  const int decimals = std::clamp(static_cast<int>(std::ceil(1.5 - std::log10(span))), 0, 6);
  map_->setNumbers(
      [factor = prefix.factor, decimals](double value) { return fixed(value / factor, decimals); });
  map_->setScale(low, high, unit.isEmpty() ? unit : prefix.symbol + unit);
  map_->setMarks(std::move(marks));
  map_->setValues(std::move(values));
  showReadout();
}

void MapPanel::showReadout() {
  const auto tactel = map_->hovered() ? map_->hovered() : map_->cursorTactel();
  if (what_->current() == kResidual) {
    readout_->setText(tactel && !residuals_.empty() ? residualWords(*tactel)
                      : state_.model() == nullptr || fitSources(state_).empty()
                          ? tr("Open the recording to see what its readings lie off the model.")
                          : tr("Point at a tactel, or choose one with the arrow keys."));
    return;
  }
  const auto index = static_cast<std::size_t>(tactel.value_or(0));
  if (!tactel || index >= shown_.size()) {
    readout_->setText(tr("Arrow keys or a click choose a tactel · hatched: not identified"));
    return;
  }
  const auto& parameter = shown_[index];
  const auto path = parameters_->currentData().toString().toStdString();
  readout_->setText(tr("Tactel %1: %2 %3")
                        .arg(*tactel)
                        .arg(parameters_->currentText(),
                             parameter.usable()
                                 ? valueWithUncertainty(parameter)
                                 : tr("not identified, %1")
                                       .arg(text(advice_for(parameter.reason, path).action()))));
}

}  // namespace tactelier::gui
