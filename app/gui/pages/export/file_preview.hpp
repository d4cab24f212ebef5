#pragma once
// The text that would be written, in a monospaced font, tags and comments coloured.

#include <QPlainTextEdit>

#include "app/gui/widgets/panel.hpp"

class QToolButton;

namespace tactelier::gui {

class FilePreview : public Panel {
  Q_OBJECT
 public:
  explicit FilePreview(QWidget* parent = nullptr);
  /// "" empties it.
  void showText(const QString& file_name, const std::string& text);
  QPlainTextEdit* view() const { return view_; }

 signals:
  void copied();

 private:
  QPlainTextEdit* view_;
  QToolButton* copy_;
  QString whole_;
};

}  // namespace tactelier::gui
