#include "app/gui/pages/compare/profile_panel.hpp"

#include <cmath>
#include <utility>

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

double placeOf_mm(const Line& line, int tactel) {
  return m_to_mm((tactel - 0.5 * (line.count - 1)) * line.pitch_m);
}

bool peakIsLeft(const Line& line, const std::vector<double>& image) {
  int peak = line.count;
  double top = 0;
  for (int i = 0; i < line.count; ++i) {
    const double value = image[static_cast<std::size_t>(line.first + i * line.step)];
    if (!(value > top)) continue;
    top = value;
    peak = i;
  }
  return 2 * peak < line.count;
}

std::vector<Point> pointsOf(const Line& line, const std::vector<double>& image) {
  std::vector<Point> points;
  for (int i = 0; i < line.count; ++i)
    points.push_back(
        {placeOf_mm(line, i), image[static_cast<std::size_t>(line.first + i * line.step)]});
  return points;
}

/// From 0, and the whole line: in newtons it begins and ends with tactels that have none.
std::pair<QCPRange, QCPRange> wholeRange(const Line& line, const TriptychContent& content) {
  double low = 0, high = 0;
  for (const auto which : {kReal, kSimulated})
    for (const auto& point : pointsOf(line, content.values[which])) {
      low = std::fmin(low, point.y);
      high = std::fmax(high, point.y);
    }
  const double span = high > low ? high - low : 1, half_mm = m_to_mm(line.pitch_m) / 2;
  return {{placeOf_mm(line, 0) - half_mm, placeOf_mm(line, line.count - 1) + half_mm},
          {low - 0.05 * span, low + 1.1 * span}};
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
  cursor_ = new QCPItemStraightLine(plot_);
  const auto style = [this] {
    cursor_->setPen(QPen(theme().color(Token::kText2), 1, Qt::DashLine));
  };
  style();
  connect(&theme(), &Theme::changed, this, style);
  body()->addWidget(new TableTwin(plot_, this));
  connect(along_, &Segmented::chosen, this, &ProfilePanel::refresh);
  refresh();
}

void ProfilePanel::show(const SensorDescription& sensor, const TriptychContent& content,
                        std::optional<int> tactel) {
  sensor_ = sensor;
  content_ = content;
  tactel_ = tactel;
  refresh();
}

void ProfilePanel::refresh() {
  const auto &real = content_.values[kReal], &simulated = content_.values[kSimulated];
  const bool known = tactel_ && static_cast<std::size_t>(*tactel_) < real.size() &&
                     real.size() == simulated.size() &&
                     real.size() == static_cast<std::size_t>(sensor_.tactels());
  const auto along = along_->current() == kColumn ? kColumn : kRow;
  const auto line = known ? lineThrough(sensor_, *tactel_, along) : Line{};
  plot_->setPoints(real_line_, pointsOf(line, real));
  plot_->setPoints(simulated_line_, pointsOf(line, simulated));
  const bool newtons = content_.unit == QLatin1String("N");
  plot_->setAxisLabels(along == kRow ? tr("Along the row x [mm]") : tr("Along the column y [mm]"),
                       newtons ? tr("Force F [N]") : tr("Reading c [counts]"));
  plot_->setEmptyText(known ? QString() : tr("Choose a tactel in one of the images."));
  setCaption(!known          ? QString()
             : along == kRow ? tr("row %1").arg(line.number)
                             : tr("column %1").arg(line.number));
  cursor_->setVisible(known);
  if (known) {
    const double x_mm = placeOf_mm(line, (*tactel_ - line.first) / line.step);
    cursor_->point1->setCoords(x_mm, 0);
    cursor_->point2->setCoords(x_mm, 1);
  }
  plot_->clearFullRange();
  if (known) {
    const auto [x, y] = wholeRange(line, content_);
    plot_->setFullRange(x, y);
  }
  plot_->fitAll();
  // Where the readings leave room.
  plot_->axisRect()->insetLayout()->setInsetAlignment(
      0, Qt::AlignTop | (peakIsLeft(line, real) ? Qt::AlignRight : Qt::AlignLeft));
  plot_->replot();
}

}  // namespace tactelier::gui
