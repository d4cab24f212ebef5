#include "app/gui/pages/fit/psf_plot.hpp"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "app/gui/pages/fit/plot_parts.hpp"
#include "app/gui/pages/fit/psf_images.hpp"
#include "app/gui/widgets/correlation_table.hpp"
#include "app/gui/widgets/image_tiles.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/gui/widgets/table_twin_model.hpp"

namespace tactelier::gui {
namespace {

constexpr double kSameLine = 0.01;  // of the kernel's height: one line stands for both axes
constexpr std::array kTokens{Token::kLine1, Token::kLine2};
constexpr std::array kMarks{Mark::kDisc, Mark::kTriangle};

bool alike(const PsfCurve& curve) {
  double most = 0, off = 0;
  for (std::size_t i = 0; i < curve.at_m.size(); ++i) {
    most = std::max(most, curve.along_x[i]);
    off = std::max(off, std::abs(curve.along_x[i] - curve.along_y[i]));
  }
  return off < kSameLine * most;
}

}  // namespace

PsfPlot::PsfPlot(AppState& state, QWidget* parent)
    : CurvePlot(state, "psf", tr("Point-spread profile"), parent) {
  axes_ = new Segmented(tr("Axis of the slice"), {tr("x"), tr("y"), tr("both")}, this);
  axes_->setToolTip(tr("Presses along which axis through the tactels' centres are shown."));
  axes_->setCurrent(2);
  addTool(axes_);
  plot_ = new ResidualPlot(this);
  plot_->setObjectName(QStringLiteral("psfSlice"));
  plot_->setAccessibleName(tr("Share of the force over the distance from the tactel's centre"));
  plot_->setLabels(tr("Distance from the tactel's centre [mm]"), tr("Share of force w [–]"),
                   tr("Residual [–]"));
  silent_ = plot_->addPoints({{}, Token::kHistory, 0, false, Mark::kHollow, 4});
  for (std::size_t i = 0; i < points_.size(); ++i)
    points_[i] = plot_->addPoints({{}, kTokens[i], 0, false, kMarks[i], 5});
  chosen_ = plot_->addPoints({{}, Token::kLine3, 0, false, Mark::kSquare, 7});
  lines_[0] = plot_->addModel({{}, Token::kText, 1.8});
  lines_[1] = plot_->addModel({{}, Token::kText, 1.8, true});
  width_ = plot_->addGuide(Qt::Vertical, Token::kGrid, Qt::SolidLine);
  image_words_ = captionLabel(this);
  images_ = new ImageTiles(this);
  images_->setObjectName(QStringLiteral("psfImages"));
  images_->setAccessibleName(tr("Image of one press, measured and modelled, and the kernel"));
  weakest_ = captionLabel(this);
  correlation_ = new CorrelationTable(this);
  verdict_ = captionLabel(this);
  verdict_->setWordWrap(true);
  alternative_model_ = new TableTwinModel(this);
  alternatives_ = new QTableView(this);
  alternatives_->setModel(alternative_model_);
  alternatives_->setObjectName(QStringLiteral("psfAlternatives"));
  alternatives_->setAccessibleName(tr("Other forms of the spread that the fit tried"));
  alternatives_->setShowGrid(false);
  alternatives_->setTabKeyNavigation(false);
  alternatives_->verticalHeader()->hide();
  alternatives_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  alternatives_->horizontalHeader()->setStretchLastSection(true);
  alternatives_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  auto* above = splitterOf(
      Qt::Horizontal,
      {new TableTwin(plot_, this), captioned(image_words_, new TableTwin(images_, this), this)},
      {440, 250}, this);
  auto* below = splitterOf(
      Qt::Horizontal,
      {captioned(weakest_, correlation_, this), captioned(verdict_, alternatives_, this)},
      {300, 390}, this);
  body()->addWidget(splitterOf(Qt::Vertical, {above, below}, {400, 230}, this), 1);
  connect(axes_, &Segmented::chosen, this, [this] {
    if (curve_) showCurve();
  });
}

void PsfPlot::refresh() {
  showCorrelation();
  showAlternatives();
  refreshWhole(psf_curve);
}

void PsfPlot::showNothing(const QString& why) {
  CurvePlot::showNothing(why);
  images_->setTiles({}, {});
  image_words_->setText(tr("Image of one press"));
}

std::size_t PsfPlot::shownPress() const {
  return curve_->press_to_show(state().selection().press(), state().selection().tactel());
}

void PsfPlot::showCurve() {
  showSlice();
  showLines();
  showImages();
  showAlternatives();
  plot_->fitAll();
  plot_->placeLegend();
}

void PsfPlot::showSlice() {
  std::array<std::vector<ResidualPoint>, 2> points;
  std::vector<ResidualPoint> silent, chosen;
  const auto shown = shownPress();
  std::vector<double> noises;
  for (const auto& answer : curve_->answers) {
    const int number = curve_->presses[answer.press].number;
    for (std::size_t axis = 0; axis < points.size(); ++axis) {
      const double along_m = axis == 0 ? answer.x_m : answer.y_m;
      const double off_m = axis == 0 ? answer.y_m : answer.x_m;
      const bool wanted = axes_->current() == 2 || axes_->current() == static_cast<int>(axis);
      if (!wanted || std::abs(off_m) > curve_->near_axis_m) continue;
      // On the centre: once.
      if (axis == 1 && axes_->current() == 2 && std::abs(along_m) <= curve_->near_axis_m) continue;
      const double residual = answer.silent ? std::nan("") : answer.share - answer.model;
      const ResidualPoint point{1e3 * along_m, answer.share, residual, number};
      (answer.silent ? silent : answer.press == shown ? chosen : points[axis]).push_back(point);
      if (!answer.silent)
        noises.push_back(std::hypot(answer.u_share, curve_->scatter * answer.model));
    }
  }
  for (std::size_t axis = 0; axis < points.size(); ++axis) {
    const auto name = axis == 0 ? tr("along x") : tr("along y");
    plot_->setPointsLook(points_[axis], {points[axis].empty() ? QString() : name, kTokens[axis], 0,
                                         false, kMarks[axis], 5});
    plot_->setPoints(points_[axis], points[axis]);
  }
  plot_->setPointsLook(silent_, {silent.empty() ? QString() : tr("silent"), Token::kHistory, 0,
                                 false, Mark::kHollow, 4});
  plot_->setPoints(silent_, silent);
  plot_->setPointsLook(
      chosen_, {chosen.empty() ? QString() : tr("press %1").arg(curve_->presses[shown].number),
                Token::kLine3, 0, false, Mark::kSquare, 7});
  plot_->setPoints(chosen_, chosen);
  std::nth_element(noises.begin(), noises.begin() + static_cast<std::ptrdiff_t>(noises.size() / 2),
                   noises.end());
  plot_->setBand(noises.empty() ? 0 : 2 * noises[noises.size() / 2]);
  plot_->setDescription(tr("Share of the force by distance, %n presses.", nullptr,
                           static_cast<int>(curve_->presses.size())));
}

void PsfPlot::showLines() {
  const bool one = alike(*curve_) || axes_->current() != 2;
  const bool only_y = axes_->current() == 1;
  const std::array names{one ? tr("model") : tr("model, x"), tr("model, y")};
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const bool along_y = i == 1 || only_y;
    std::vector<Point> line;
    for (std::size_t k = 0; k < curve_->at_m.size() && (i == 0 || !one); ++k)
      line.push_back({1e3 * curve_->at_m[k], along_y ? curve_->along_y[k] : curve_->along_x[k]});
    plot_->setPathCurve(lines_[i], {line.empty() ? QString() : names[i], Token::kText, 1.8, i == 1,
                                    Mark::kNone, 5, false});
    plot_->setModel(lines_[i], std::move(line));
  }
  const double pitch_m = only_y ? curve_->pitch_y_m : curve_->pitch_x_m;
  plot_->setGuide(width_, 0.0, {}, 500 * pitch_m);
  const auto& psf = state().model()->psf;
  const auto size = psf.sigma.value ? QStringLiteral("σ ") + valueWithUncertainty(psf.sigma)
                                    : QStringLiteral("σ_x %1, σ_y %2")
                                          .arg(valueWithUncertainty(psf.sigma_x),
                                               valueWithUncertainty(psf.sigma_y));
  setCaption(tr("%n presses · %1 · grey: one tactel, %2 mm", nullptr,
                static_cast<int>(curve_->presses.size()))
                 .arg(size, fixed(1e3 * pitch_m, 1)));
}

void PsfPlot::showImages() {
  const auto& press = curve_->presses[shownPress()];
  image_words_->setText(tr("Image of press %1 · tactel %2").arg(press.number).arg(press.tactel));
  images_->setTiles(psfImages(*curve_, shownPress(), *state().model()),
                    tr("share of the force, one cell per tactel"));
  images_->setAccessibleDescription(
      tr("Shares of press %1 around tactel %2.").arg(press.number).arg(press.tactel));
}

void PsfPlot::showAlternatives() {
  const auto& model = state().model();
  alternative_model_->setContent(psfAlternatives(curve_.get(), model.get()));
  verdict_->setText(model ? psfVerdict(*model) : tr("Alternatives"));
}

void PsfPlot::showCorrelation() {
  correlation_->show(state().model() ? correlationsOf(*state().model(), "psf.") : Correlations{});
  const auto weakest = correlation_->weakest();
  weakest_->setText(weakest.isEmpty() ? tr("Correlation: nothing was estimated together")
                                      : tr("Correlation · weakest: %1").arg(weakest));
}

}  // namespace tactelier::gui
