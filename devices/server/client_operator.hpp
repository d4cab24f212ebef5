#pragma once
// Asks whoever runs the task, and waits for the answer that comes by another thread.

#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>

#include "devices/motion/operator_interface.hpp"

namespace tactelier::rig {

class ClientOperator final : public OperatorInterface {
 public:
  using News = std::function<void(const nlohmann::json&)>;

  /// Nothing: nobody is there; what is asked then fails with kCancelled.
  void notify(News news);
  Result<Answer> ask(const Question& question,
                     const std::function<Result<void>()>& waiting) override;
  /// The person was asked by the prompt before.
  Result<void> place_object(const std::optional<ByHand>&) override { return {}; }
  /// Any thread. False when nothing was asked.
  bool answer(std::optional<double> value);

 private:
  std::mutex mutex_;
  News news_;
  bool asked_ = false;
  std::optional<Answer> answer_;
};

}  // namespace tactelier::rig
