#pragma once
// Recordings and models of one folder, searchable, with what they hold; several of them fitted at
// once, and the fleet that they make.

#include "app/gui/widgets/page.hpp"

class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace tactelier::gui {

class BatchFit;
class FilePanel;
class FleetView;
class LibraryFilter;
class LibraryModel;
class Segmented;
struct LibraryEntry;

class LibraryPage : public Page {
  Q_OBJECT
 public:
  explicit LibraryPage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QWidget* searchField() override;
  QString asCommand() const override;
  QString whyNoCommand() const override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;
  LibraryModel* model() const { return model_; }
  QTableView* table() const { return table_; }
  FleetView* fleet() const { return fleet_; }
  BatchFit* batch() const { return batch_; }
  /// The fleet instead of the files.
  void showFleet(bool fleet);

  /// Reads the folder again, on a worker.
  void refresh();

 private:
  QWidget* buildList();
  void fill(std::vector<LibraryEntry> entries);
  void showSelected();
  /// Takes the check's result into the list.
  void noteCheck(const QString& path);
  /// The one that the panel shows: of several the current one.
  const LibraryEntry* selected() const;
  /// Paths of all that are selected and can be fitted.
  QStringList selectedRecordings() const;
  void fitSelected();
  void showBatch();
  void openSelected();
  void selectFile(const QString& path);
  void sizeTable();

  LibraryModel* model_;
  LibraryFilter* filter_;
  QLineEdit* search_ = nullptr;
  Segmented* kinds_ = nullptr;
  QTableView* table_ = nullptr;
  QLabel* empty_ = nullptr;
  FilePanel* file_ = nullptr;
  Segmented* views_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  FleetView* fleet_ = nullptr;
  BatchFit* batch_ = nullptr;
  QAction* open_;
  QAction* choose_folder_;
  QAction* refresh_;
  QAction* import_;
  QAction* fit_selected_;
  int scan_ = 0;
};

}  // namespace tactelier::gui
