#pragma once
// What a long call asks a person, answered in Python's own thread, where also Ctrl-C is heard.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "app/python/errors.hpp"
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
    return [this, &job](const std::string& text, const std::string& key) {
      return ask(text, key, job.stop);
    };
  }

  /// In Python's thread, with the GIL: answers what is asked, if anything. What the person raises
  /// goes on to the caller; the call is stopped then.
  void look() {
    const auto question = take();
    if (!question) return;
    const auto answer = person_(question->first, question->second).cast<std::optional<double>>();
    const std::scoped_lock lock(mutex_);
    answer_ = answer;
    answered_ = true;
    told_.notify_all();
  }

 private:
  Result<std::optional<double>> ask(const std::string& text, const std::string& key,
                                    const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    question_.emplace(text, key);
    answered_ = false;
    if (!told_.wait(lock, stop, [this] { return answered_; })) return Job::cancelled();
    return answer_;
  }

  using Question = std::pair<std::string, std::string>;

  std::optional<Question> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(question_, std::nullopt);
  }

  py::object person_;
  std::mutex mutex_;
  std::condition_variable_any told_;
  std::optional<Question> question_;
  std::optional<double> answer_;
  bool answered_ = false;
};

}  // namespace tactelier::python
