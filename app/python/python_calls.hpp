#pragma once
// What a long call wants of Python is done in Python's own thread, where also Ctrl-C is heard.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>

namespace tactelier::python {

class PythonCalls {
 public:
  /// For the call's thread: waits until Python's has carried `what` out, with the GIL. False where
  /// the call is to stop; then it was not carried out, or raised something.
  bool carry_out(const std::function<void()>& what, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    waiting_ = &what;
    const bool done = done_.wait(lock, stop, [this] { return waiting_ == nullptr; });
    waiting_ = nullptr;
    return done;
  }

  /// In Python's thread, with the GIL: does what is waited for, if anything. What it raises goes on
  /// to the caller; the call is stopped then.
  void look() {
    const auto* what = waiting();
    if (what == nullptr) return;
    (*what)();
    const std::scoped_lock lock(mutex_);
    waiting_ = nullptr;
    done_.notify_all();
  }

 private:
  const std::function<void()>* waiting() {
    const std::scoped_lock lock(mutex_);
    return waiting_;
  }

  std::mutex mutex_;
  std::condition_variable_any done_;
  const std::function<void()>* waiting_ = nullptr;  // lives in carry_out()'s caller
};

}  // namespace tactelier::python
