#include "app/python/run_job.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "app/workflow/time_left.hpp"

namespace tactelier::python {
namespace {

using std::chrono::steady_clock;

/// The latest that the call said, until somebody takes it.
class Latest {
 public:
  void put(const Progress& progress) {
    const std::scoped_lock lock(mutex_);
    if (progress.what != report_.what) {
      report_.what = progress.what;
      since_ = steady_clock::now();
    }
    report_.done = progress.done;
    report_.total = progress.total;
    new_ = true;
  }

  std::optional<ProgressReport> take() {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(new_, false)) return {};
    auto report = report_;
    if (report.total > 0) {
      report.fraction = std::clamp(report.done / report.total, 0.0, 1.0);
      const std::chrono::duration<double> elapsed = steady_clock::now() - since_;
      report.left_s = time_left_s(elapsed.count(), *report.fraction);
    }
    return report;
  }

 private:
  std::mutex mutex_;
  ProgressReport report_;
  steady_clock::time_point since_ = steady_clock::now();
  bool new_ = false;
};

class Ended {
 public:
  void tell() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    told_.notify_all();
  }
  bool wait() {
    constexpr std::chrono::milliseconds kLookEvery(100);
    std::unique_lock lock(mutex_);
    return told_.wait_for(lock, kLookEvery, [this] { return ended_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable told_;
  bool ended_ = false;
};

void tell(const py::object& progress, Latest& latest) {
  if (progress.is_none()) return;
  if (auto report = latest.take()) progress(std::move(*report));
}

}  // namespace

std::string ProgressReport::text() const {
  auto words = what;
  if (fraction) words += fmt::format(": {:.0f} %", 100 * *fraction);
  if (left_s) words += fmt::format(", {:.0f} s left", std::ceil(*left_s));
  return words;
}

void add_progress(py::module_& module) {
  py::class_<ProgressReport>(module, "Progress",
                             "How far a long call has come; print() shows it in words.")
      .def_readonly("what", &ProgressReport::what, "What is being done.")
      .def_readonly("done", &ProgressReport::done, "In any unit.")
      .def_readonly("total", &ProgressReport::total, "In the same unit; 0 where unknown.")
      .def_readonly("fraction", &ProgressReport::fraction,
                    "Of what is being done, 0 to 1; None where unknown.")
      .def_readonly("left_s", &ProgressReport::left_s,
                    "Seconds that it still takes; None where unknown.")
      .def("__repr__", &ProgressReport::text);
}

void run(const std::function<void(const Job&)>& work, const py::object& progress,
         const std::function<void()>& beside) {
  Latest latest;
  Ended ended;
  std::stop_source stop;
  Job job{{}, stop.get_token()};
  if (!progress.is_none()) job.on_progress = [&](const Progress& told) { latest.put(told); };
  std::exception_ptr thrown, interrupted;
  std::thread worker([&] {
    try {
      work(job);
    } catch (...) {  // out of memory and the like
      thrown = std::current_exception();
    }
    ended.tell();
  });
  const auto look = [&](const auto& ask) {
    if (interrupted) return;
    try {
      ask();
    } catch (...) {
      interrupted = std::current_exception();
      stop.request_stop();
    }
  };
  const auto wait = [&] {
    const py::gil_scoped_release released;
    return ended.wait();
  };
  while (!wait()) {
    look([] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    });
    look([&] { tell(progress, latest); });
    if (beside) look(beside);
  }
  worker.join();
  if (interrupted) std::rethrow_exception(interrupted);
  if (thrown) std::rethrow_exception(thrown);
  tell(progress, latest);
}

}  // namespace tactelier::python
