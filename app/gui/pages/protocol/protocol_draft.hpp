#pragma once
// The protocol that the Protocol page holds: its steps as JSON, every change undoable, and its dry
// run, worked out again on a worker after each. On the rig that is connected, else on the virtual
// bench.

#include <QObject>
#include <QTimer>
#include <QUndoStack>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/workflow/plan_recording.hpp"

namespace tactelier::gui {

class AppState;
class RigLink;

class ProtocolDraft : public QObject {
  Q_OBJECT
 public:
  using Json = nlohmann::ordered_json;  // keys stay in their order

  ProtocolDraft(AppState& state, const RigLink& rig, QObject* parent);

  /// A shipped one by its name, or a file. Refused with what is wrong with it; what was there stays.
  Result<void> open(const QString& name_or_file);
  /// A file, or a shipped name.
  const QString& source() const { return source_; }
  bool isFile() const;
  QString name() const;
  QString description() const;
  /// It differs from its source.
  bool changed() const { return !undo_.isClean(); }
  QUndoStack& undoStack() { return undo_; }
  Result<void> save(const QString& file);

  const Json& document() const { return document_; }
  int steps() const { return static_cast<int>(document_.value("steps", Json::array()).size()); }
  Json step(int row) const { return document_["steps"][static_cast<std::size_t>(row)]; }
  /// `what`: of Undo, "remove step 3". Rows are 0 based.
  void setStep(int row, Json step, const QString& what);
  void insertStep(int row, Json step, const QString& what);
  void removeStep(int row);
  void moveStep(int row, int to);
  /// Appends the steps of another protocol, "P5", but for what begins and ends as here.
  Result<void> append(const QString& protocol);

  // --- The rig that it is planned for ----------------------------------------------------------
  const SensorDescription& sensor() const { return sensor_; }
  const RigFile& rig() const { return rig_file_; }
  bool onVirtualBench() const { return !rig_path_; }

  // --- Its dry run -----------------------------------------------------------------------------
  /// nullptr while there is none.
  const std::shared_ptr<const PlannedRecording>& planned() const { return planned_; }
  /// Why there is none.
  const QString& trouble() const { return trouble_; }
  bool pending() const { return job_ != 0 || later_.isActive(); }
  /// Nothing is worked out while nobody looks.
  void setShown(bool shown);

 signals:
  void changedSteps();
  void replanned();
  void rigChanged();

 private:
  friend class ChangeProtocol;
  void change(Json document, const QString& what);
  void put(Json document);
  void followRig();
  void replan();

  AppState& state_;
  const RigLink& link_;
  QUndoStack undo_;
  Json document_;
  QString source_;
  SensorDescription sensor_;
  RigFile rig_file_;
  std::optional<std::filesystem::path> rig_path_;
  std::shared_ptr<const PlannedRecording> planned_;
  QString trouble_;
  QTimer later_;
  bool shown_ = false, stale_ = true;
  int job_ = 0;
};

}  // namespace tactelier::gui
