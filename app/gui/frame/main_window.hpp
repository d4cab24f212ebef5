#pragma once
// The window: menu bar, safety bar, message bar, rail and page, status bar. No logic of its own:
// actions call the parts of AppState, pages observe them.

#include <QHash>
#include <QMainWindow>
#include <QTimer>
#include <vector>

#include "app/gui/frame/pages.hpp"
#include "app/gui/state/app_state.hpp"

class QLabel;
class QScrollArea;
class QStackedWidget;

namespace tactelier::gui {

class BenchDevices;
class JobStrip;
class MessageBar;
class Rail;
class RigLink;
class SafetyBar;
class StopKeys;
class Tour;
class TourStrip;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// All outlive the window.
  MainWindow(AppState& state, RigLink& rig, BenchDevices& bench, QWidget* parent = nullptr);
  ~MainWindow() override;

  void showPage(const QString& id);
  QString currentPage() const { return current_; }
  /// Built on first use; nullptr for an unknown id.
  Page* page(const QString& id);
  Actions& actions() { return *actions_; }
  SafetyBar* safetyBar() const { return safety_; }
  MessageBar* messageBar() const { return messages_; }
  Tour* tour() const { return tour_; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void buildFrame();
  void buildMenus();
  void connectFileActions();
  void connectViewActions();
  void connectState();
  void refreshActions();
  void refreshDocument();
  void refreshDocumentName();
  QString modelName() const;
  QString titleOf(const QString& page_id) const;
  void askOpen();
  void askOpenModel();
  void askOpenFolder();
  void askImportFolder();
  void askImportTable();
  void askSaveModel();
  bool mayDiscardModel();
  void fit();
  FitRunner::Join askJoin(const FitRunner::JoinQuestion& question);
  void showHelp();
  void showAbout();
  void cycleArea();
  void buildTour();
  void connectRigActions();
  void refreshRig();
  void showSafety();
  void askFinish();
  void refreshUndoKey();
  QString freeDisk() const;
  bool mayLeaveRig();
  void restore();
  void save() const;

  AppState& state_;
  RigLink& rig_;
  BenchDevices& bench_;
  Actions* actions_;
  std::vector<PageInfo> infos_;
  QHash<QString, Page*> built_;
  QHash<QString, QScrollArea*> frames_;  // the pages' places in the stack
  QString current_;
  QString free_disk_;
  SafetyBar* safety_ = nullptr;
  StopKeys* stop_keys_ = nullptr;
  MessageBar* messages_ = nullptr;
  TourStrip* tour_strip_ = nullptr;
  Tour* tour_ = nullptr;
  Rail* rail_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  QLabel* document_name_ = nullptr;
  QLabel* status_ = nullptr;
  QTimer status_age_{this};  // of what it says
  JobStrip* strip_ = nullptr;
};

}  // namespace tactelier::gui
