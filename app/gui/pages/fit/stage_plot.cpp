#include "app/gui/pages/fit/stage_plot.hpp"

#include <QLabel>
#include <QVBoxLayout>

#include "app/gui/pages/fit/fit_source.hpp"
#include "app/gui/pages/fit/warnings_dialog.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/text/words.hpp"

namespace tactelier::gui {

StagePlot::StagePlot(AppState& state, const std::string& stage, const QString& title,
                     QWidget* parent)
    : Panel(title, parent), state_(state), stage_(stage) {
  setBodyMargins(6);
  quality_ = new QLabel(this);
  quality_->setObjectName(QStringLiteral("stageQuality"));
  quality_->setProperty("look", "caption");
  quality_->setContentsMargins(6, 0, 6, 2);
  quality_->setWordWrap(true);
  quality_->setTextFormat(Qt::RichText);
  quality_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  connect(&theme(), &Theme::changed, this, [this] {  // the link's colour
    if (body()->indexOf(quality_) >= 0) showQuality();
  });
  connect(quality_, &QLabel::linkActivated, this, [this] {
    const auto& model = state_.model();
    if (model != nullptr && model->quality.contains(stage_))
      showWarnings(tr("Warnings: %1").arg(stageWords(stage_)), model->quality.at(stage_).warnings,
                   this);
  });
}

std::optional<int> StagePlot::pressToShow(ResidualPlot& plot, const QString& name) {
  const auto press = state_.selection().press();
  if (state_.recording() != nullptr && press) {
    setTitle(tr("%1 of press %2").arg(name).arg(*press));
    return press;
  }
  dropLoads();
  setTitle(name);
  setCaption({});
  plot.clearAll(state_.recording() == nullptr ? tr("Open the recording to see its data.")
                                              : tr("No press is chosen."));
  return std::nullopt;
}

QString StagePlot::nothingYet() const { return nothingFitted(state_); }

void StagePlot::showQuality() {
  if (body()->indexOf(quality_) < 0) body()->addWidget(quality_);
  const auto& model = state_.model();
  const auto found = model ? model->quality.find(stage_) : decltype(model->quality.find("")){};
  if (!model || found == model->quality.end()) {
    quality_->setText(state_.fit().running() ? tr("being fitted") : tr("not fitted yet"));
    return;
  }
  const auto& quality = found->second;
  QStringList words;
  if (quality.samples_used > 0) words << tr("%1 samples used").arg(fixed(quality.samples_used, 0));
  if (quality.residual_rms) {
    Parameter rms;
    rms.value = *quality.residual_rms;
    rms.unit = quality.residual_unit;
    words << tr("residual %1 rms").arg(valueWithUncertainty(rms));
  }
  if (quality.chi2_per_dof) words << tr("χ²/ν %1").arg(fixed(*quality.chi2_per_dof, 2));
  if (quality.r2) words << tr("R² %1").arg(fixed(*quality.r2, 4));
  if (quality.holdout_ratio) words << tr("hold-out ratio %1").arg(fixed(*quality.holdout_ratio, 2));
  for (auto& word : words) word = word.toHtmlEscaped();
  if (!quality.warnings.empty())
    words << QStringLiteral("<a href=\"warnings\" style=\"color:%1\">%2</a>")
                 .arg(theme().color(Token::kAccent).name(),
                      tr("%n warnings", nullptr, static_cast<int>(quality.warnings.size())));
  QStringList tips;
  for (const auto& warning : quality.warnings)
    tips << text(warning.code + ": " + warning.text +
                 (warning.where.empty() ? "" : " (" + warning.where + ")"));
  quality_->setText(words.isEmpty() ? tr("whole stage: nothing was fitted")
                                    : tr("whole stage: %1").arg(words.join(QStringLiteral(" · "))));
  quality_->setToolTip(tips.join(QLatin1Char('\n')));
}

}  // namespace tactelier::gui
