#pragma once
// The label as it is printed, and saving it for a printer.

#include <optional>

#include "app/gui/widgets/panel.hpp"
#include "app/workflow/station/station_label.hpp"

class QPlainTextEdit;
class QToolButton;

namespace tactelier::gui {

class LabelPanel : public Panel {
  Q_OBJECT
 public:
  explicit LabelPanel(QWidget* parent = nullptr);
  void show(const StationLabel& label);
  /// Where labels are saved at first.
  void setFolder(const QString& folder) { folder_ = folder; }

 signals:
  void saved(const QString& words);

 private:
  void askSave();
  void save(const QString& path);

  std::optional<StationLabel> label_;
  QString folder_;
  QPlainTextEdit* preview_;
  QToolButton* save_;
};

/// A page 62 mm wide, as tape printers take, and as high as the text needs.
Result<void> writeLabelPdf(const StationLabel& label, const QString& path);

}  // namespace tactelier::gui
