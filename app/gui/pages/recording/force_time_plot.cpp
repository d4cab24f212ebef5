#include "app/gui/pages/recording/force_time_plot.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::gui {
namespace {

constexpr double kDetailRows = 200000;  // read all samples of a view that holds no more
constexpr int kSettle_ms = 120;

std::vector<Point> zigzag(const std::vector<OverviewPoint>& overview, double origin_s) {
  std::vector<Point> points;
  points.reserve(2 * overview.size());
  for (const auto& chunk : overview) {
    // Both ends of a chunk's range, so that the line covers everything the samples did.
    points.push_back({chunk.begin_s - origin_s, chunk.min});
    points.push_back({chunk.end_s - origin_s, chunk.max});
  }
  return points;
}

}  // namespace

ForceTimePlot::ForceTimePlot(Jobs& jobs, QWidget* parent) : PlotView(parent), jobs_(jobs) {
  setAccessibleName(tr("Force over time"));
  setAxisLabels(tr("Time t [s]"), tr("Force F [N]"));
  chosen_ = new QCPItemRect(this);
  chosen_->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
  chosen_->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
  chosen_->setLayer(QStringLiteral("background"));
  chosen_->setVisible(false);
  series_ = addSeries({{}, Token::kLine1, 1.2});
  excluded_ = addSeries({{}, Token::kHistory, 0, false, Mark::kCross, 8});
  addLayer(QStringLiteral("cursor"), layer(QStringLiteral("main")), limAbove);
  layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
  cursor_ = new QCPItemStraightLine(this);
  cursor_->setLayer(QStringLiteral("cursor"));
  cursor_->setVisible(false);
  settle_.setSingleShot(true);
  settle_.setInterval(kSettle_ms);
  connect(&settle_, &QTimer::timeout, this, &ForceTimePlot::loadDetail);
  connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
          &ForceTimePlot::wishDetail);
  connect(&theme(), &Theme::changed, this, &ForceTimePlot::restyleItems);
  connect(this, &PlotView::clickedAt, this, [this](double x, double) {
    if (!document_) return;
    const double time_s = x + document_->recording()->begin_s();
    emit timeClicked(time_s);
    for (const auto& press : document_->presses())
      if (time_s >= press.begin_s && time_s <= press.end_s) return emit pressClicked(press.number);
  });
  restyleItems();
}

void ForceTimePlot::setDocument(RecordingDocument* document) {
  document_ = document;
  ++generation_;
  overview_.clear();
  detailed_ = false;
  setPoints(series_, {});
  cursor_->setVisible(document != nullptr);
  if (document == nullptr) {
    setEmptyText(tr("No recording is open."));
    return;
  }
  setEmptyText(tr("Reading…"));
  xAxis->setRange(0, std::max(1e-3, document->recording()->duration_s()));
  markExcluded();
}

void ForceTimePlot::setEnvelope(const Envelope& envelope) {
  if (!document_) return;
  overview_ = zigzag(envelope.points, document_->recording()->begin_s());
  setEmptyText(overview_.empty() ? tr("This recording holds no force.") : QString());
  setPoints(series_, overview_);
  fitAll();
  markExcluded();
}

void ForceTimePlot::setTime(double time_s) {
  if (!document_) return;
  const double x = time_s - document_->recording()->begin_s();
  cursor_->point1->setCoords(x, 0);
  cursor_->point2->setCoords(x, 1);
  layer(QStringLiteral("cursor"))->replot();
}

void ForceTimePlot::showPress(std::optional<int> number) {
  chosen_press_ = number;
  const Press* press = document_ && number ? document_->press(*number) : nullptr;
  chosen_->setVisible(press != nullptr);
  if (press != nullptr) {
    const double origin = document_->recording()->begin_s();
    chosen_->topLeft->setCoords(press->begin_s - origin, 0);
    chosen_->bottomRight->setCoords(press->end_s - origin, 1);
  }
  markExcluded();
  replot(rpQueuedReplot);
}

void ForceTimePlot::zoomToPress(const Press& press) {
  if (!document_) return;
  const double origin = document_->recording()->begin_s();
  const double air = 0.3 * std::max(1e-3, press.end_s - press.begin_s);
  xAxis->setRange(press.begin_s - origin - air, press.end_s - origin + air);
  replot(rpQueuedReplot);
}

void ForceTimePlot::markExcluded() {
  std::vector<Point> marks;
  if (document_) {
    const double origin = document_->recording()->begin_s();
    for (const auto& press : document_->presses()) {
      if (press.usable()) continue;
      double peak = 0;
      const auto from = std::lower_bound(overview_.begin(), overview_.end(), press.begin_s - origin,
                                         [](const Point& p, double x) { return p.x < x; });
      for (auto it = from; it != overview_.end() && it->x <= press.end_s - origin; ++it)
        peak = std::max(peak, it->y);
      marks.push_back({(press.begin_s + press.end_s) / 2 - origin, peak});
    }
  }
  setPoints(excluded_, std::move(marks));
}

void ForceTimePlot::wishDetail() { settle_.start(); }

void ForceTimePlot::loadDetail() {
  if (!document_ || overview_.empty()) return;
  const auto* stream = document_->recording()->stream(StreamKind::kForce);
  const double rate = stream != nullptr ? stream->rate_hz().value_or(0.0) : 0.0;
  const auto range = xAxis->range();
  if (range.size() * rate > kDetailRows) {
    if (detailed_) setPoints(series_, overview_);
    detailed_ = false;
    return;
  }
  const auto recording = document_->recording();
  const double origin = recording->begin_s();
  const double air = range.size() / 2;
  const TimeRange wanted{range.lower - air + origin, range.upper + air + origin};
  struct Detail {
    std::vector<Point> points;
    Warnings damage;
  };
  const int generation = ++generation_;
  jobs_.run<Detail>(
      {}, Lane::kQuiet, this,
      [recording, wanted, origin](const Job& job) -> Result<Detail> {
        return recording->use([&](const Session& session) -> Result<Detail> {
          const auto axis = session.metadata().press_axis();
          const std::vector<std::string> columns{axis.column()};
          const auto samples =
              read_lined_up(session, recording->clocks(), StreamKind::kForce, columns, wanted, job);
          if (!samples) return fail(samples.error());
          Detail detail;
          detail.points.reserve(samples->rows());
          for (std::size_t i = 0; i < samples->rows(); ++i)
            detail.points.push_back(
                {samples->time_s[i] - origin, axis.sign * samples->columns[0][i]});
          detail.damage = damage_warnings(session, recording->name().toStdString());
          return detail;
        });
      },
      [this, generation](Result<Detail> detail) {
        if (generation != generation_ || !detail) return;
        if (!detail->damage.empty()) emit damageMet(detail->damage);
        detailed_ = true;
        // Beyond the view the overview goes on, so that panning never meets an empty plot.
        auto joined = overview_;
        if (!detail->points.empty()) {
          const double begin = detail->points.front().x;
          const double end = detail->points.back().x;
          joined.clear();
          for (const auto& point : overview_)
            if (point.x < begin) joined.push_back(point);
          joined.insert(joined.end(), detail->points.begin(), detail->points.end());
          for (const auto& point : overview_)
            if (point.x > end) joined.push_back(point);
        }
        setPoints(series_, std::move(joined));
      });
}

void ForceTimePlot::restyleItems() {
  chosen_->setBrush(theme().color(Token::kAccentSoft));
  chosen_->setPen(Qt::NoPen);
  cursor_->setPen(QPen(theme().color(Token::kText), 1));
  replot(rpQueuedReplot);
}

}  // namespace tactelier::gui
