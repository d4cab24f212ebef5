#pragma once
// Recordings and models of one folder, searchable, with what they hold.

#include "app/gui/frame/page.hpp"

class QLabel;
class QLineEdit;
class QTableView;
class QGridLayout;

namespace tactelier::gui {

class LibraryFilter;
class LibraryModel;
class Panel;
class Segmented;
struct LibraryEntry;

class LibraryPage : public Page {
  Q_OBJECT
 public:
  explicit LibraryPage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QWidget* searchField() override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;
  LibraryModel* model() const { return model_; }
  QTableView* table() const { return table_; }

  /// Reads the folder again, on a worker.
  void refresh();

 private:
  QWidget* buildList();
  Panel* buildPreview();
  void fill(std::vector<LibraryEntry> entries);
  void showSelected();
  const LibraryEntry* selected() const;
  void openSelected();
  void sizeTable();

  LibraryModel* model_;
  LibraryFilter* filter_;
  QLineEdit* search_ = nullptr;
  Segmented* kinds_ = nullptr;
  QTableView* table_ = nullptr;
  QLabel* empty_ = nullptr;
  Panel* preview_ = nullptr;
  QLabel* preview_name_ = nullptr;
  QLabel* preview_state_ = nullptr;
  QWidget* facts_ = nullptr;
  QAction* open_;
  QAction* choose_folder_;
  QAction* refresh_;
  int scan_ = 0;
};

}  // namespace tactelier::gui
