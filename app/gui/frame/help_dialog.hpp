#pragma once
// What F1 opens: a paragraph on the page that shows, and the page of the manual about it.

#include <QDialog>
#include <QTextBrowser>

namespace tactelier::gui {

/// The folder of the manual: that of the package beside the program, else docs/ of the source tree
/// that the program was built in; "" where there is neither.
QString manualFolder();

/// A page of the manual set for reading: space between paragraphs, code on a ground of its own,
/// tables with room, pictures no wider than the view. Links lead to the other pages.
class ManualView : public QTextBrowser {
  Q_OBJECT
 public:
  explicit ManualView(QWidget* parent);
  QVariant loadResource(int type, const QUrl& name) override;

 protected:
  void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override;

 private:
  void typeset();
};

class HelpDialog : public QDialog {
  Q_OBJECT
 public:
  /// `page`: "exports.md", of manualFolder().
  HelpDialog(const QString& title, const QString& words, const QString& page, QWidget* parent);
};

}  // namespace tactelier::gui
