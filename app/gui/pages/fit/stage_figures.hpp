#pragma once
// The numbers by which a stage judges itself, for stages without a plot of their own.

#include "app/gui/pages/fit/stage_plot.hpp"

class QTableView;

namespace tactelier::gui {

class TableTwinModel;

class StageFigures : public StagePlot {
  Q_OBJECT
 public:
  StageFigures(const std::string& stage, AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  QWidget* mainView() override;

 private:
  QTableView* table_;
  TableTwinModel* model_;
};

}  // namespace tactelier::gui
