#pragma once
// What a stage of the fit says of itself: its parameters, its reason codes, and when it has found
// what it is run for. Each stage has one such object in <stage>/<stage>_facts.cpp.

#include <optional>
#include <string>
#include <string_view>

#include "libcalib/facts.hpp"

namespace tactelier {

struct SensorDescription;
struct SensorModel;

/// How much of what a stage is run for was found.
struct StageTally {
  int found = 0;
  int of = 0;
};

struct StageFacts {
  enum class Kind {
    kCalibrates,
    kPrepares,  // finds something in every recording (a rate, a contact point): no calibration yet
    kRefines,   // improves what other stages are run for; those parameters name it in `from`
  };
  std::string_view id;     // as in stages()
  std::string_view label;  // short, for lists: "Contact, rig"
  Kind kind = Kind::kCalibrates;
  FactTable table{};
  /// What `fit --require` misses, without the stage's name; empty when nothing. nullptr: met by any
  /// of its purposes.
  std::optional<std::string> (*unmet)(const SensorModel& model) = nullptr;
  /// Of a stage whose purpose is no parameter; nullptr: its purposes are counted.
  StageTally (*tally)(const SensorModel& model) = nullptr;
  /// Whether one who names no stages waits for its numbers; nullptr: always.
  bool (*expected)(const SensorDescription& sensor) = nullptr;
};

}  // namespace tactelier
