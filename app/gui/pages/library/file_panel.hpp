#pragma once
// The file selected in the Library: what it holds, and what can be done with it.

#include <QDateTime>
#include <QHash>
#include <optional>

#include "app/gui/item_models/library_entry.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/workflow/session_info.hpp"

class QAction;
class QGridLayout;
class QPushButton;

namespace tactelier::gui {

class ModelRefresh;
class PlotView;
class TableTwin;

class FilePanel : public Panel {
  Q_OBJECT
 public:
  FilePanel(AppState& state, QAction* open, QWidget* parent = nullptr);
  /// `used_in`: models that were made of it.
  void show(const LibraryEntry* entry, const std::vector<const LibraryEntry*>& used_in);
  /// What the last check of this very file said; empty when it was not checked, or has changed.
  std::optional<SessionReport> checked(const QString& path) const;

 signals:
  /// What was chosen for it is to be recorded.
  void recordWanted();
  void madeModel(const QString& path);
  /// A file of the list is to be shown instead.
  void chosen(const QString& path);
  void checkFinished(const QString& path);

 private:
  struct Checked {
    QDateTime modified;
    SessionReport report;
  };
  void buildButtons(QAction* open);
  void showOverview();
  void showFacts();
  QLabel* addFact(QGridLayout* grid, const QString& label);
  void showCheck();
  void check();
  void askUnpack();
  void unpack(const QString& session, const QString& folder);
  void showFolder();

  AppState& state_;
  std::optional<LibraryEntry> entry_;
  QHash<QString, Checked> checked_;
  QHash<QString, int> checking_;  // job by path
  QLabel* name_;
  QLabel* file_state_;
  TableTwin* overview_;
  PlotView* force_;
  QWidget* facts_;
  QStringList used_in_;  // paths
  QLabel* check_words_;
  QPushButton* check_;
  QPushButton* unpack_;
  QPushButton* folder_;
  ModelRefresh* refresh_;
};

}  // namespace tactelier::gui
