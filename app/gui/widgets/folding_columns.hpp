#pragma once
// Three columns of a page; in a window narrower than 1280 the right one becomes a tab behind the
// centre (docs/desktop-app.md 1).

#include <QWidget>

class QSettings;
class QSplitter;
class QTabWidget;

namespace tactelier::gui {

class FoldingColumns : public QWidget {
  Q_OBJECT
 public:
  /// The columns become children. The titles name the tabs.
  FoldingColumns(QWidget* left, QWidget* centre, QWidget* right, const QString& centre_title,
                 const QString& right_title, QWidget* parent = nullptr);
  /// Widths at 1440, and how they share what is more or less.
  void setSizes(const QList<int>& sizes, const QList<int>& stretch);
  bool folded() const { return folded_; }
  /// While folded, a part of the centre as a tab of its own behind it, which takes it; a part that
  /// comes back is the caller's to place.
  void showApart(QWidget* part, const QString& title);
  void takeBack(QWidget* part);
  /// Brings the right column to the front when it is folded.
  void showRight();
  /// Takes what there is: a page that asked for what the columns would like to have would scroll
  /// where everything fits.
  QSize sizeHint() const override {
    return {QWidget::sizeHint().width(), minimumSizeHint().height()};
  }
  void saveState(QSettings& settings) const;
  void restoreState(QSettings& settings);

 signals:
  void foldedChanged(bool folded);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void fold(bool folded);
  void showTabs(bool shown);
  void follow();

  QSplitter* split_;
  QTabWidget* tabs_;
  QWidget* centre_;
  QWidget* right_;
  QString centre_title_;
  QString right_title_;
  QList<int> stretch_;
  QByteArray unfolded_;  // the splitter's state with three columns
  bool folded_ = false;
};

}  // namespace tactelier::gui
