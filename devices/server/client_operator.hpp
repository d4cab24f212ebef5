#pragma once
// Asks whoever runs the task, and waits for the answer that comes by another thread.

#include <functional>
#include <mutex>

#include "devices/motion/operator_interface.hpp"
#include "devices/server/rig_messages.hpp"

namespace tactelier::rig {

class ClientOperator final : public OperatorInterface {
 public:
  using TellNews = std::function<void(const messages::News&)>;

  /// Nothing: nobody is there; what is asked then fails with kCancelled.
  void notify(TellNews news);
  Result<Answer> ask(const Question& question,
                     const std::function<Result<void>()>& waiting) override;
  /// The person was asked by the prompt before.
  Result<void> place_object(const std::optional<ByHand>&) override { return {}; }
  /// Any thread. False when nothing was asked.
  bool answer(std::optional<double> value);

 private:
  std::mutex mutex_;
  TellNews news_;
  bool asked_ = false;
  std::optional<Answer> answer_;
};

}  // namespace tactelier::rig
