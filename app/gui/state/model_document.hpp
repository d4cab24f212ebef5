#pragma once
// The sensor model that is open: from a file, or fresh from a fit and not saved.

#include <QObject>
#include <functional>
#include <memory>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"

namespace tactelier::gui {

class FileHistory;
class Jobs;
class Notifications;

using ModelPtr = std::shared_ptr<const SensorModel>;

class ModelDocument : public QObject {
  Q_OBJECT
 public:
  /// All outlive the document.
  ModelDocument(Jobs& jobs, Notifications& notifications, FileHistory& files);

  /// nullptr when none is open.
  const ModelPtr& model() const { return model_; }
  const Warnings& warnings() const { return warnings_; }
  const QString& file() const { return file_; }  // "" when it was never saved
  bool saved() const { return saved_; }
  /// Edits or choices after the model was fitted: its numbers are those of before.
  bool outdated() const { return outdated_; }

  void open(const QString& path);
  void save(const QString& file);
  /// `file` "": fresh from a fit, not saved.
  void set(ModelPtr model, Warnings warnings, const QString& file = {});
  void setOutdated();
  /// Asked before a model that was not saved is replaced by another file's.
  void setMayDiscard(std::function<bool()> ask) { ask_discard_ = std::move(ask); }
  /// Nothing would be lost, or the user says so.
  bool mayDiscard() const { return model_ == nullptr || saved_ || !ask_discard_ || ask_discard_(); }

 signals:
  void replaced();  // by another one or none, before changed()
  void changed();
  void opened();  // from a file: pages may come to the front

 private:
  Jobs& jobs_;
  Notifications& notifications_;
  FileHistory& files_;
  ModelPtr model_;
  Warnings warnings_;
  QString file_;
  bool saved_ = true;
  bool outdated_ = false;
  std::function<bool()> ask_discard_;
};

}  // namespace tactelier::gui
