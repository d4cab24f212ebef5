#pragma once
// Whoever stands at the rig, or plays that part at a virtual bench: does what a run asks for while
// nothing moves. Both pass the same checks.

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "libcalib/protocol/plan.hpp"

namespace tactelier::rig {

struct Question {
  std::string text;        // "Mount the sphere of 8 mm, then continue."
  std::string answer_key;  // what is to be read off, "compression_mm"; "" for none
  std::optional<MountedIndenter> indenter = {};  // that will be on the tip
  double rz_rad = 0;
  std::optional<Vector3> push_N = {};  // what a finger does to the tip, stage frame; 0: lets go
  std::optional<double> hung_kg = {};  // what hangs on the tip; 0: nothing
};

struct Answer {
  std::optional<double> value;
};

class OperatorInterface {
 public:
  virtual ~OperatorInterface() = default;
  /// Comes back when somebody has done it. `waiting` is called meanwhile, often; when it fails so
  /// does this.
  virtual Result<Answer> ask(const Question& question,
                             const std::function<Result<void>()>& waiting) = 0;
  /// Which indenter is on the tip when a run begins. Somebody says it who has put it there; at a
  /// simulated rig it is put there now.
  virtual Result<void> begin_with(const MountedIndenter&) { return {}; }
  /// Puts something on the pad or the force sensor for a while, or takes it off (nothing). Somebody
  /// was asked by a prompt before.
  virtual Result<void> place_object(const std::optional<ByHand>& what) = 0;
};

}  // namespace tactelier::rig
