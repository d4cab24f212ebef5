#include "app/gui/pages/fit/stage_figures.hpp"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include "app/gui/text/figure_words.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/table_twin_model.hpp"

namespace tactelier::gui {

StageFigures::StageFigures(const std::string& stage, AppState& state, QWidget* parent)
    : StagePlot(state, stage, stageWords(stage), parent) {
  table_ = new QTableView(this);
  model_ = new TableTwinModel(this);
  table_->setModel(model_);
  table_->setAccessibleName(tr("Figures of the stage %1").arg(stageWords(stage)));
  table_->setShowGrid(false);
  table_->setWordWrap(true);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setStretchLastSection(true);
  body()->addWidget(table_, 1);
}

QWidget* StageFigures::mainView() { return table_; }

void StageFigures::refresh() {
  showQuality();
  TableContent content;
  content.columns = {tr("Figure"), tr("Value"), tr("Where")};
  const auto& model = state().model();
  if (model && model->quality.contains(stage())) {
    const auto& quality = model->quality.at(stage());
    for (const auto& [name, value] : quality.figures) {
      if (name.starts_with("correlation ")) continue;  // the matrix shows them
      const auto words = figureWords(name, value);
      content.rows.push_back({words.name, words.value, {}});
    }
    for (const auto& warning : quality.warnings)
      content.rows.push_back({text(warning.code), text(warning.text), text(warning.where)});
  }
  model_->setContent(std::move(content));
}

}  // namespace tactelier::gui
