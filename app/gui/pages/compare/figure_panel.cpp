#include "app/gui/pages/compare/figure_panel.hpp"

#include <QTableView>

#include "app/gui/item_models/text_table_model.hpp"
#include "app/gui/pages/compare/figure_table.hpp"
#include "app/gui/widgets/segmented.hpp"

namespace tactelier::gui {
namespace {

enum Which { kMethods, kOneMethod, kStrata };

}  // namespace

FigurePanel::FigurePanel(QWidget* parent)
    : Panel(tr("Medians"), parent),
      which_(new Segmented(tr("Figures"), {tr("Methods"), tr("Spread"), tr("Strata")}, this)),
      model_(new TextTableModel(this)),
      table_(new QTableView(this)) {
  which_->setObjectName(QStringLiteral("compareWhich"));
  addTool(which_);
  table_->setObjectName(QStringLiteral("compareFigures"));
  table_->setAccessibleName(tr("Figures over all images"));
  table_->setModel(model_);
  setUpFigureTable(table_);
  setBodyMargins(0);
  body()->addWidget(table_);
  connect(which_, &Segmented::chosen, this, &FigurePanel::refresh);
  refresh();
}

void FigurePanel::show(const ComparisonPtr& comparison, const QString& method) {
  if (comparison_ == comparison && method_ == method) return;
  comparison_ = comparison;
  method_ = method;
  refresh();
}

void FigurePanel::refresh() {
  Table table;
  const bool alike = comparison_ != nullptr && comparison_->content.strata.rows.empty();
  which_->setChoiceEnabled(kStrata, !alike,
                           alike ? tr("All images are of one shape, load and tilt.") : QString());
  if (alike && which_->current() == kStrata) which_->setCurrent(kMethods);
  if (comparison_ != nullptr) {
    const auto& content = comparison_->content;
    if (which_->current() == kMethods) table = content.side_by_side;
    if (which_->current() == kStrata) table = content.strata;
    for (const auto& [method, figures] : content.methods)
      if (which_->current() == kOneMethod && text(method) == method_) table = figures;
  }
  setCaption(which_->current() == kOneMethod ? method_ : QString());
  model_->setTable(std::move(table));
  table_->resizeColumnsToContents();
}

}  // namespace tactelier::gui
