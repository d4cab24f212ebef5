#pragma once
// Long work off the GUI thread: progress, time left, cancel. Results come back on the GUI thread.

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "libcalib/job.hpp"

namespace tactelier::gui {

/// kOrdered: one after the other, for edits. kQuiet: short reads for a view, not shown as a job.
/// kAttended: waits for somebody, for hours; its page shows it.
enum class Lane { kWork, kOrdered, kQuiet, kAttended };

struct JobView {
  int id = 0;
  QString name;
  QString what;         // the part being done now
  double done = 0;      // in the unit of the work
  double fraction = 0;  // 0 .. 1; negative when the length is unknown
  double elapsed_s = 0;
  double left_s = 0;  // negative when unknown
};

class Jobs : public QObject {
  Q_OBJECT
 public:
  explicit Jobs(QObject* parent = nullptr);
  /// Asks everything to stop and waits for it.
  ~Jobs() override;

  /// Runs `work` on a worker; then `done(Result<T>)` on the GUI thread while `receiver` lives.
  /// Returns the id for cancel().
  template <class T, class Work, class Done>
  int run(const QString& name, Lane lane, QObject* receiver, Work work, Done done) {
    return start(name, lane, receiver, [work, done](const Job& job) -> Completion {
      auto result = std::make_shared<Result<T>>(guarded<T>(work, job));
      return [result, done] { done(std::move(*result)); };
    });
  }

  void cancel(int id);
  void cancelAll();
  /// Shown jobs (neither quiet nor attended ones), oldest first.
  std::vector<JobView> running() const;
  /// Anything that ends by itself, quiet reads included: what a test waits for.
  bool busy() const;

 signals:
  void changed();
  void cancelling(const QString& name);

 private:
  using Completion = std::function<void()>;
  struct Entry;

  template <class T, class Work>
  static Result<T> guarded(const Work& work, const Job& job) {
    try {
      return work(job);
    } catch (const std::exception& error) {  // out of memory and the like
      return fail(ErrorCode::kIo, "{}", error.what());
    }
  }

  int start(const QString& name, Lane lane, QObject* receiver,
            std::function<Completion(const Job&)> work);
  void finish(int id, const QPointer<QObject>& receiver, const Completion& completion);

  std::vector<std::shared_ptr<Entry>> entries_;
  QThreadPool work_;
  QThreadPool ordered_;
  QThreadPool quiet_;
  QThreadPool attended_;
  QTimer tick_;
  int next_id_ = 1;
};

}  // namespace tactelier::gui
