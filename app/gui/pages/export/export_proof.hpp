#pragma once
// What an exported pad does in its simulator: a verification record where this machine can press
// it, else the script that does so elsewhere. Both become files of the export.

#include <QObject>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/gui/state/app_state.hpp"
#include "app/workflow/export_model.hpp"

namespace tactelier::gui {

class ExportProof : public QObject {
  Q_OBJECT
 public:
  /// Where a pad of a format can be pressed again.
  enum class Place { kNowhere, kHere, kElsewhere };
  static Place place(std::string_view format);

  explicit ExportProof(AppState& state, QObject* parent = nullptr);

  /// Proofs are of these: with others earlier ones are forgotten.
  void follow(std::shared_ptr<const ExportPreviews> previews);
  /// Of a format that can be written and has a place. A record takes a minute or more and is a job
  /// with its progress; a script is there at once.
  void start(const FormatPreview& preview);
  bool running() const { return job_ != 0; }
  /// The record and its page, or the script; none before start() has come to its end.
  const std::vector<Sidecar>& files(std::string_view format) const;

 signals:
  void changed();
  /// There is a file of this name to look at.
  void found(const QString& name);

 private:
  void press(const Exporter& format);
  void addScript(const Exporter& format);
  void tellFailure(const Error& error);

  AppState& state_;
  std::shared_ptr<const ExportPreviews> previews_;
  std::map<std::string, std::vector<Sidecar>, std::less<>> files_;
  int job_ = 0;
};

}  // namespace tactelier::gui
