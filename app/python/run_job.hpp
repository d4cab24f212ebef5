#pragma once
// Long calls run in a thread of their own, without the GIL. Python's thread waits: it tells
// progress and hears Ctrl-C, which stops the call in order and then becomes KeyboardInterrupt.

#include <functional>
#include <optional>

#include "app/python/errors.hpp"
#include "libcalib/job.hpp"

namespace tactelier::python {

/// How far a long call has come.
struct ProgressReport {
  std::string what;                // "fit response"
  double done = 0, total = 0;      // in any unit; total 0: unknown
  std::optional<double> fraction;  // of what is done now
  std::optional<double> left_s;

  std::string text() const;  // "fit response: 43 %, 12 s left"
};

void add_progress(py::module_& module);

/// `progress` is called with a ProgressReport some ten times a second, and once at the end where
/// there was any; None: not at all. What it raises stops the call and goes on to the caller.
/// `beside` is called as often, in Python's thread: for what the call wants of it.
void run(const std::function<void(const Job&)>& work, const py::object& progress,
         const std::function<void()>& beside = {});

template <class T>
T run_job(const std::function<Result<T>(const Job&)>& work, const py::object& progress,
          const std::function<void()>& beside = {}) {
  std::optional<Result<T>> result;
  run([&](const Job& job) { result.emplace(work(job)); }, progress, beside);
  return value_of(std::move(*result));
}

}  // namespace tactelier::python
