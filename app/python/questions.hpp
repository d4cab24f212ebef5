#pragma once
// What a long call asks a person, answered in Python's own thread.

#include <optional>
#include <string>
#include <utility>

#include "app/python/errors.hpp"
#include "app/python/python_calls.hpp"
#include "app/workflow/rig_follow.hpp"

namespace tactelier::python {

class Questions {
 public:
  /// `person`: called with the question and the key of the answer ("" where there is nothing to
  /// read off); gives a number or None. None: nobody is there.
  explicit Questions(py::object person) : person_(std::move(person)) {}

  /// For the call's thread: waits for the answer, or until the call is to stop.
  AskPerson asked_by(const Job& job) {
    if (person_.is_none()) return {};
    return [this, &job](const std::string& text,
                        const std::string& key) -> Result<std::optional<double>> {
      std::optional<double> answer;
      const auto ask = [&] { answer = person_(text, key).cast<std::optional<double>>(); };
      if (!calls_.carry_out(ask, job.stop)) return Job::cancelled();
      return answer;
    };
  }

  /// In Python's thread, as PythonCalls::look().
  void look() { calls_.look(); }

 private:
  py::object person_;
  PythonCalls calls_;
};

}  // namespace tactelier::python
