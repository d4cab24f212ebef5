#include "app/gui/pages/fit/contact_plot.hpp"

#include <QVBoxLayout>

#include "app/gui/pages/fit/press_points.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

constexpr double kTwoSided95 = 1.959963984540054;

}  // namespace

ContactPlot::ContactPlot(AppState& state, QWidget* parent)
    : CurvePlot(state, "contact", tr("Contact"), parent) {
  plot_ = new ResidualPlot(this);
  plot_->setObjectName(QStringLiteral("contactCurve"));
  plot_->setAccessibleName(tr("Force over depth around first touch"));
  unloading_ = plot_->addPoints({tr("unloading"), Token::kLine2, 0, false, Mark::kHollow, 4});
  loading_ = plot_->addPoints({tr("loading"), Token::kLine1, 0, false, Mark::kDisc, 3});
  law_ = plot_->addModel({tr("contact law"), Token::kText, 1.8});
  plot_->orderLegend({loading_, unloading_});
  contact_ = plot_->addGuide(Qt::Vertical, Token::kLine3, Qt::SolidLine);
  body()->addWidget(new TableTwin(plot_, this), 1);
}

void ContactPlot::refresh() {
  showQuality();
  const auto press = pressToShow(*plot_, tr("Contact"));
  if (!press) {
    curve_.reset();
    return;
  }
  loadCurve(currentSource(state()), [press = *press](const OpenedSources& opened, const Job& job) {
    return contact_curve(opened.sessions().front(), opened.clocks().front(), press, job);
  });
}

void ContactPlot::showCurve() {
  plot_->setLabels(curve_->from_contact ? tr("Depth δ [mm]") : tr("Stage travel −z [mm]"),
                   tr("Force F [N]"), tr("Residual [N]"));
  plot_->setPoints(loading_, pressPoints(curve_->loading, curve_->residuals, curve_->press));
  plot_->setPoints(unloading_, pressPoints(curve_->unloading, {}, curve_->press));
  const bool fitted = !curve_->fitted.empty();
  plot_->setModel(law_, pathPoints(curve_->fitted));
  plot_->setBand(fitted ? 2 * curve_->noise_N : 0);
  if (curve_->from_contact) {
    const double u_mm = 1e3 * kTwoSided95 * curve_->u_z0_m.value_or(0);
    const auto how = curve_->by_hand ? tr("contact, set by hand") : tr("contact");
    plot_->setGuide(contact_, 0, tr("%1 ± %2 µm").arg(how, fixed(1e3 * u_mm, 1)), u_mm);
    setCaption({});
  } else {
    plot_->setGuide(contact_, std::nullopt);
    setCaption(text(curve_->no_contact));
  }
  plot_->clearFullRange();
  if (fitted) {
    const auto& last = curve_->fitted.back();
    const auto& first = curve_->fitted.front();
    const double x_mm = 1e3 * (last[0] - first[0]);
    plot_->setFullRange({1e3 * first[0] - 0.02 * x_mm, 1e3 * last[0] + 0.2 * x_mm},
                        {-0.1 * last[1], 1.25 * last[1]});
  }
  plot_->fitAll();
  plot_->placeLegend();
}

}  // namespace tactelier::gui
