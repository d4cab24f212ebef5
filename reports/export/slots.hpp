#pragma once
// What most formats are made of: slots, places in the file that a parameter of the model fills. A
// value is checked against what its slot takes; one that is not identified is left out and listed,
// or stops the export where the file is nothing without it.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/export/exporter.hpp"

namespace tactelier {

enum class Bound { kPositive, kNotNegative };
enum class Need { kOptional, kRequired };

struct Slot {
  const char* name;     // in the target: a tag, a key
  const char* path;     // in the model, as `--assume` takes it
  const char* meaning;  // unit first: "N/m, one texel"
  Bound bound = Bound::kPositive;
  Need need = Need::kOptional;
};

struct FilledSlot {
  const char* name;
  const char* path;
  double value;         // SI
  std::string comment;  // the meaning, and what stands behind the number
};

struct SlotContents {
  std::vector<FilledSlot> filled;  // in the order of the slots
  std::vector<std::string> paths;  // of all slots
  std::vector<Loss> left_out;

  std::optional<double> value(std::string_view name) const;
};

/// `target`: "OpenRAVE". What can't be below 0, is, and is not told from 0 by its interval is
/// written as 0, and says so in its comment. Fails with kInvalidInput on a value that a slot can't
/// take and on a pad that sticks less than it slides, with kUnidentifiable on a required one that
/// is not known.
Result<SlotContents> fill_slots(const SensorModel& model, std::span<const Slot> slots,
                                std::string_view target);

/// What was left out, then what the model knows and the target has no slot for.
std::vector<Loss> slot_losses(const SensorModel& model, const SlotContents& contents,
                              std::string_view target);

/// A file's opening comment: `about` (what it is), the model's header lines, for what k holds, and
/// the losses with their reasons.
std::vector<std::string> opening_lines(const SensorModel& model, std::span<const std::string> about,
                                       std::span<const Loss> losses);

/// All filled slots, one line each, where values stand elsewhere: "damping: 0.0583 N*s/m, ...".
std::vector<std::string> slot_value_lines(const SlotContents& contents);

/// The model's own check, and for what k holds.
Warnings export_warnings(const SensorModel& model);

}  // namespace tactelier
