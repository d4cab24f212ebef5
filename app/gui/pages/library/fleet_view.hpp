#pragma once
// The fleet: of every parameter in a catalogue what is usual, which sensor is odd, what drifts; the
// chosen one as distribution and over time. What 'tactelier catalogue report' says, drawn.

#include <QWidget>

#include "app/gui/pages/library/fleet_plots.hpp"
#include "app/gui/state/app_state.hpp"

class QLabel;
class QTableView;

namespace tactelier::gui {

class FleetModel;
class Panel;

class FleetView : public QWidget {
  Q_OBJECT
 public:
  explicit FleetView(AppState& state, QWidget* parent = nullptr);
  /// Reads it on a worker; earlier numbers stay until the new ones are there.
  void open(const QString& catalogue);
  /// The same again: somebody has fitted.
  void refresh();
  QString catalogue() const { return catalogue_; }
  QTableView* table() const { return table_; }
  /// "" without a catalogue.
  QString asCommand() const;

 private:
  QWidget* buildSide();
  QWidget* buildPlots();
  void askCatalogue();
  void fill(const FleetReport& report);
  void clear(const QString& why);
  void showChosen();
  void showChoice(const FleetChoice& choice);

  AppState& state_;
  QString catalogue_;
  FleetModel* model_;
  QTableView* table_ = nullptr;
  QLabel* file_ = nullptr;
  QLabel* outliers_ = nullptr;
  Panel* trend_panel_ = nullptr;
  FleetDistributionPlot* distribution_ = nullptr;
  FleetTrendPlot* trend_ = nullptr;
  int reading_ = 0;  // job of the report
  int choosing_ = 0;
};

}  // namespace tactelier::gui
