#include "app/gui/pages/fit/joint_view.hpp"

#include <QLabel>
#include <QVBoxLayout>

#include "app/gui/widgets/correlation_table.hpp"

namespace tactelier::gui {

JointView::JointView(AppState& state, QWidget* parent) : StageFigures("joint", state, parent) {
  words_ = new QLabel(this);
  words_->setProperty("look", "caption");
  words_->setWordWrap(true);
  correlation_ = new CorrelationTable(this);
  body()->insertWidget(0, words_);
  body()->insertWidget(1, correlation_, 1);
}

void JointView::refresh() {
  StageFigures::refresh();
  const auto& model = state().model();
  correlation_->show(model ? correlationsOf(*model, "relaxation.") : Correlations{});
  const bool any = !correlation_->correlations().empty();
  correlation_->setVisible(any);
  if (any)
    words_->setText(tr("Correlation · weakest: %1").arg(correlation_->weakest()));
  else if (!model)
    words_->setText(nothingYet());
  else
    words_->setText(
        tr("Nothing was refined together: that takes a pad that relaxes, with presses at several "
           "speeds (P5) and holds (P6) at one place."));
}

}  // namespace tactelier::gui
