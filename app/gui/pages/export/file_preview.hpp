#pragma once
// The texts that would be written, one at a time, in a monospaced font, tags and comments coloured.

#include <QPlainTextEdit>
#include <vector>

#include "app/gui/widgets/panel.hpp"

class QComboBox;
class QToolButton;

namespace tactelier::gui {

struct PreviewedFile {
  QString name;
  QString text;
};

class FilePreview : public Panel {
  Q_OBJECT
 public:
  explicit FilePreview(QWidget* parent = nullptr);
  /// The main file first; none empties it. The one that was chosen stays chosen by its place.
  void showFiles(std::vector<PreviewedFile> files);
  /// One of them; what there is not changes nothing.
  void choose(const QString& name);
  QPlainTextEdit* view() const { return view_; }

 signals:
  void copied();

 private:
  void showFile();

  QPlainTextEdit* view_;
  QComboBox* files_list_;  // hidden where there is one
  QToolButton* copy_;
  std::vector<PreviewedFile> files_;
  QString whole_;
};

}  // namespace tactelier::gui
