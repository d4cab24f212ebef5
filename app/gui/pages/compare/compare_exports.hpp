#pragma once
// What the Compare page shows, for elsewhere: its images and its figures, on the clipboard or in
// files. One menu in the page's header, and the command line that does the same.

#include <QObject>
#include <QStringList>

#include "app/gui/pages/compare/comparison_runner.hpp"

class QAction;
class QMenu;

namespace tactelier::gui {

class Actions;
class ImageTriptych;

class CompareExports : public QObject {
  Q_OBJECT
 public:
  CompareExports(AppState& state, Actions& actions, ImageTriptych* images, QWidget* page);

  /// Its button's.
  QAction* action() const { return action_; }
  QMenu* menu() const { return menu_; }
  /// nullptr: nothing to export. `lines`: what the images are of; empty: no image is shown.
  void setShown(const ComparisonPtr& comparison, const QStringList& lines);

 private:
  void copyImage();
  void askSaveImages();
  void askSaveTable(const QString& what, const QString& title, const Table& table);
  QString proposed(const QString& what, const QString& suffix) const;
  void write(const QString& file, const QByteArray& bytes);

  AppState& state_;
  ImageTriptych* images_;
  QWidget* page_;
  QAction* action_;
  QMenu* menu_;
  QAction *copy_, *save_images_, *save_figures_, *save_by_image_;
  ComparisonPtr comparison_;
  QStringList lines_;
};

}  // namespace tactelier::gui
