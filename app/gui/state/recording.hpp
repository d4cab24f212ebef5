#pragma once
// One open recording. What is read at opening never changes and is free to read from any thread;
// samples are read through use(), one reader at a time (a session is one database connection).

#include <QString>
#include <memory>
#include <mutex>
#include <utility>

#include "app/workflow/open_session.hpp"
#include "fitting/views/viewing_clocks.hpp"

namespace tactelier::gui {

class Recording {
 public:
  static Result<std::shared_ptr<const Recording>> open(const QString& path, const Job& job);

  const QString& path() const { return path_; }
  const QString& name() const { return name_; }
  /// A session folder: read through a temporary copy, so edits have no place to stay.
  bool folder() const { return folder_; }
  const SessionMetadata& metadata() const { return opened_.session().metadata(); }
  const std::vector<Event>& events() const { return opened_.session().events(); }
  const std::vector<StreamSummary>& streams() const { return opened_.session().streams(); }
  const StreamSummary* stream(StreamKind kind) const { return opened_.session().stream(kind); }
  bool finished() const { return opened_.session().finished(); }
  /// The edits at opening; later ones are the document's.
  const std::vector<Edit>& editsAtOpening() const { return opened_.session().edits(); }
  const Warnings& warnings() const { return warnings_; }
  /// Where streams run on clocks of their own: see viewing_clocks.hpp.
  const SessionClocks& clocks() const { return clocks_; }
  /// From the first sample of any stream to the last, host time.
  double begin_s() const { return begin_s_; }
  double end_s() const { return end_s_; }
  double duration_s() const { return end_s_ - begin_s_; }

  /// Runs `f(session)` with nobody else reading. On a worker only: it may wait for the disk.
  template <class F>
  auto use(F&& f) const {
    const std::lock_guard lock(mutex_);
    return std::forward<F>(f)(opened_.session());
  }

 private:
  explicit Recording(OpenSession opened) : opened_(std::move(opened)) {}

  QString path_;
  QString name_;
  bool folder_ = false;
  double begin_s_ = 0;
  double end_s_ = 0;
  SessionClocks clocks_;
  Warnings warnings_;
  OpenSession opened_;
  mutable std::mutex mutex_;
};

using RecordingPtr = std::shared_ptr<const Recording>;

}  // namespace tactelier::gui
