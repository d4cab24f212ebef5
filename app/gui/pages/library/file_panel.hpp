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
class QPushButton;

namespace tactelier::gui {

class FilePanel : public Panel {
  Q_OBJECT
 public:
  FilePanel(AppState& state, QAction* open, QWidget* parent = nullptr);
  void show(const LibraryEntry* entry);
  /// What the last check of this very file said; empty when it was not checked, or has changed.
  std::optional<SessionReport> checked(const QString& path) const;

 signals:
  void checkFinished(const QString& path);

 private:
  struct Checked {
    QDateTime modified;
    SessionReport report;
  };
  void buildButtons(QAction* open);
  void showFacts();
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
  QWidget* facts_;
  QLabel* check_words_;
  QPushButton* check_;
  QPushButton* unpack_;
  QPushButton* folder_;
};

}  // namespace tactelier::gui
