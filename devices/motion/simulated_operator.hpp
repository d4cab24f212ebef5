#pragma once
// The operator of a virtual bench: does by bench_control what a prompt asks for
// (docs/virtual-bench.md 3).

#include <memory>

#include "devices/link/link.hpp"
#include "devices/motion/operator_interface.hpp"

namespace tactelier::rig {

class SimulatedOperator final : public OperatorInterface {
 public:
  /// `url`: a device file's bench_control.
  static Result<std::unique_ptr<SimulatedOperator>> connect(const std::string& url);

  Result<Answer> ask(const Question& question,
                     const std::function<Result<void>()>& waiting) override;
  /// A reference weight on the force sensor. What lies on the pad the bench can't do: kUsage.
  Result<void> place_object(const std::optional<ByHand>& what) override;
  Result<void> begin_with(const MountedIndenter& indenter) override { return mount(indenter, 0); }

 private:
  explicit SimulatedOperator(std::unique_ptr<devices::Link> link) : link_(std::move(link)) {}
  Result<void> mount(const MountedIndenter& indenter, double rz_rad);
  Result<void> order(const std::string& line);

  std::unique_ptr<devices::Link> link_;
};

}  // namespace tactelier::rig
