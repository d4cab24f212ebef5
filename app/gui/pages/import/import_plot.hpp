#pragma once
// A stream of the table over time, the stretches shaded in which the import found something.

#include <vector>

#include "app/gui/widgets/plot_view.hpp"
#include "app/workflow/preview_import.hpp"

namespace tactelier::gui {

/// Colour of a found stretch; its word stands beside it in spanLegend().
Token spanToken(PreviewSpan::What what);
/// "press ■ hold ■ rest ■", those that occur, as rich text; "" when nothing was found.
QString spanLegend(const std::vector<PreviewSpan>& spans);
/// "3 presses, 2 holds": what was found, counted.
QString spanWords(const std::vector<PreviewSpan>& spans);

class ImportPlot : public PlotView {
  Q_OBJECT
 public:
  explicit ImportPlot(QWidget* parent = nullptr);
  /// The plot beneath has the same times and says them.
  void leaveTimesToTheNext();
  void show(const std::vector<PreviewLine>& lines, const std::vector<PreviewSpan>& spans,
            const QString& across, const QString& label, const QString& empty);
  std::size_t shaded() const { return shades_.size(); }

 private:
  void restyleShades();

  bool says_times_ = true;
  std::vector<std::pair<QCPItemRect*, PreviewSpan::What>> shades_;
};

}  // namespace tactelier::gui
