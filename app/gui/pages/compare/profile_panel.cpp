#include "app/gui/pages/compare/profile_panel.hpp"

#include "app/gui/widgets/plot_view.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

enum Along { kRow, kColumn };

/// A line of tactels of one array: the first of them, and from one to the next.
struct Line {
  int first = 0, step = 1, count = 0, number = 0;
  double pitch_m = 0;
};

Line lineThrough(const SensorDescription& sensor, int tactel, Along along) {
  int of_array = 0;
  for (const auto& array : sensor.arrays) {
    if (tactel >= of_array + array.tactels()) {
      of_array += array.tactels();
      continue;
    }
    const int row = (tactel - of_array) / array.columns,
              column = (tactel - of_array) % array.columns;
    if (along == kRow)
      return {of_array + row * array.columns, 1, array.columns, row, array.pitch_x_m};
    return {of_array + column, array.columns, array.rows, column, array.pitch_y_m};
  }
  return {};
}

std::vector<Point> pointsOf(const Line& line, const std::vector<double>& image) {
  std::vector<Point> points;
  for (int i = 0; i < line.count; ++i)
    points.push_back({m_to_mm((i - 0.5 * (line.count - 1)) * line.pitch_m),
                      image[static_cast<std::size_t>(line.first + i * line.step)]});
  return points;
}

}  // namespace

ProfilePanel::ProfilePanel(QWidget* parent)
    : Panel(tr("Profile"), parent),
      along_(new Segmented(tr("Profile along"), {tr("Row"), tr("Column")}, this)),
      plot_(new PlotView(this)) {
  along_->setObjectName(QStringLiteral("compareAlong"));
  addTool(along_);
  plot_->setObjectName(QStringLiteral("compareProfile"));
  plot_->setAccessibleName(tr("Real and simulated readings along a row or column"));
  Curve real{tr("real"), Token::kLine1, 1.8, false, Mark::kDisc};
  Curve simulated{tr("simulated"), Token::kLine2, 1.8, true, Mark::kSquare};
  real_line_ = plot_->addSeries(real);
  simulated_line_ = plot_->addSeries(simulated);
  plot_->legend->setVisible(true);
  body()->addWidget(new TableTwin(plot_, this));
  connect(along_, &Segmented::chosen, this, &ProfilePanel::refresh);
  refresh();
}

void ProfilePanel::show(const SensorDescription& sensor, const std::vector<double>& real,
                        const std::vector<double>& simulated, std::optional<int> tactel) {
  sensor_ = sensor;
  real_ = real;
  simulated_ = simulated;
  tactel_ = tactel;
  refresh();
}

void ProfilePanel::refresh() {
  const bool known = tactel_ && static_cast<std::size_t>(*tactel_) < real_.size() &&
                     real_.size() == simulated_.size() &&
                     real_.size() == static_cast<std::size_t>(sensor_.tactels());
  const auto along = along_->current() == kColumn ? kColumn : kRow;
  const auto line = known ? lineThrough(sensor_, *tactel_, along) : Line{};
  plot_->setPoints(real_line_, pointsOf(line, real_));
  plot_->setPoints(simulated_line_, pointsOf(line, simulated_));
  plot_->setAxisLabels(along == kRow ? tr("Along the row x [mm]") : tr("Along the column y [mm]"),
                       tr("Reading c [counts]"));
  plot_->setEmptyText(known ? QString() : tr("Choose a tactel in one of the images."));
  setCaption(!known          ? QString()
             : along == kRow ? tr("row %1").arg(line.number)
                             : tr("column %1").arg(line.number));
  plot_->fitAll();
  plot_->replot();
}

}  // namespace tactelier::gui
