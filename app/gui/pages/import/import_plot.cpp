#include "app/gui/pages/import/import_plot.hpp"

#include <QFontMetrics>
#include <algorithm>
#include <map>

#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

constexpr std::size_t kMostShades = 600;  // narrower than a pixel each beyond that
constexpr Token kLines[] = {Token::kLine1, Token::kLine2, Token::kLine4};

QString nameOf(PreviewSpan::What what) {
  switch (what) {
    case PreviewSpan::What::kPress:
      return ImportPlot::tr("press");
    case PreviewSpan::What::kHold:
      return ImportPlot::tr("hold");
    case PreviewSpan::What::kRest:
      return ImportPlot::tr("rest");
    case PreviewSpan::What::kSlide:
      return ImportPlot::tr("slide");
    case PreviewSpan::What::kOther:
      return ImportPlot::tr("other");
  }
  return {};
}

std::map<PreviewSpan::What, int> counted(const std::vector<PreviewSpan>& spans) {
  std::map<PreviewSpan::What, int> counts;
  for (const auto& span : spans) ++counts[span.what];
  return counts;
}

}  // namespace

Token spanToken(PreviewSpan::What what) {
  switch (what) {
    case PreviewSpan::What::kPress:
      return Token::kAccentSoft;
    case PreviewSpan::What::kHold:
      return Token::kWarnSoft;
    case PreviewSpan::What::kRest:
      return Token::kOkSoft;
    case PreviewSpan::What::kSlide:
      return Token::kBadSoft;
    case PreviewSpan::What::kOther:
      return Token::kAlt;
  }
  return Token::kAlt;
}

QString spanLegend(const std::vector<PreviewSpan>& spans) {
  QStringList words;
  for (const auto& [what, count] : counted(spans))
    words << QStringLiteral("<span style='background:%1; color:%2'>&nbsp;%3&nbsp;</span>")
                 .arg(theme().color(spanToken(what)).name(), theme().color(Token::kText).name(),
                      nameOf(what));
  return words.join(QChar(' '));
}

QString spanWords(const std::vector<PreviewSpan>& spans) {
  QStringList words;
  for (const auto& [what, count] : counted(spans))
    words << QStringLiteral("%1 × %2").arg(count).arg(nameOf(what));
  return words.isEmpty() ? ImportPlot::tr("nothing was found in it")
                         : words.join(QStringLiteral(", "));
}

ImportPlot::ImportPlot(QWidget* parent) : PlotView(parent) {
  // Force stands above readings: both leave room for the same numbers, so that times agree.
  const auto margins = [this] {
    const QFontMetrics metrics(theme().font(Type::kCaption));
    const int numbers_px = metrics.horizontalAdvance(QStringLiteral("00000"));
    axisRect()->setMinimumMargins({numbers_px + 2 * metrics.height(), 15, 15, 15});
  };
  margins();
  connect(&theme(), &Theme::changed, this, margins);
  connect(&theme(), &Theme::changed, this, &ImportPlot::restyleShades);
}

void ImportPlot::leaveTimesToTheNext() {
  says_times_ = false;
  xAxis->setTickLabels(false);
}

void ImportPlot::show(const std::vector<PreviewLine>& lines, const std::vector<PreviewSpan>& spans,
                      const QString& across, const QString& label, const QString& empty) {
  clearCurves();
  for (const auto& [shade, what] : shades_) removeItem(shade);
  shades_.clear();
  setAxisLabels(across, label);
  if (!says_times_) xAxis->setLabel({});
  bool any = false;
  for (std::size_t i = 0; i < std::min(lines.size(), std::size(kLines)); ++i) {
    const auto& line = lines[i];
    std::vector<Point> points;
    for (std::size_t at = 0; at < line.time_s.size(); ++at) {
      points.push_back({line.time_s[at], line.low[at]});
      if (line.high[at] > line.low[at]) points.push_back({line.time_s[at], line.high[at]});
    }
    any = any || !points.empty();
    const auto name = lines.size() > 1 ? tr("tactel %1").arg(text(line.name)) : QString();
    setPoints(addSeries({name, kLines[i], 1.2}), std::move(points));
  }
  for (const auto& span : spans) {
    if (shades_.size() == kMostShades) break;
    auto* shade = new QCPItemRect(this);
    shade->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
    shade->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
    shade->topLeft->setCoords(span.begin_s, 0);
    shade->bottomRight->setCoords(span.end_s, 1);
    shade->setLayer(QStringLiteral("background"));
    shade->setPen(Qt::NoPen);
    shades_.emplace_back(shade, span.what);
  }
  restyleShades();
  setEmptyText(any ? QString() : empty);
  setDescription(spanWords(spans));
  fitAll();
}

void ImportPlot::restyleShades() {
  for (const auto& [shade, what] : shades_) shade->setBrush(theme().color(spanToken(what)));
  replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace tactelier::gui
