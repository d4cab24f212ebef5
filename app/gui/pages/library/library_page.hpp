#pragma once
// Recordings and models of one folder, searchable, with what they hold.

#include "app/gui/widgets/page.hpp"

class QLabel;
class QLineEdit;
class QTableView;

namespace tactelier::gui {

class FilePanel;
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

  /// Reads the folder again, on a worker.
  void refresh();

 private:
  QWidget* buildList();
  void fill(std::vector<LibraryEntry> entries);
  void showSelected();
  /// Takes the check's result into the list.
  void noteCheck(const QString& path);
  const LibraryEntry* selected() const;
  void openSelected();
  void sizeTable();

  LibraryModel* model_;
  LibraryFilter* filter_;
  QLineEdit* search_ = nullptr;
  Segmented* kinds_ = nullptr;
  QTableView* table_ = nullptr;
  QLabel* empty_ = nullptr;
  FilePanel* file_ = nullptr;
  QAction* open_;
  QAction* choose_folder_;
  QAction* refresh_;
  QAction* import_;
  int scan_ = 0;
};

}  // namespace tactelier::gui
