#pragma once
// Presses that `simulate --batch RANGES.json` draws at random: how many, and between which bounds
// place, angles and load lie (data/schemas/press-ranges.schema.json).

#include <filesystem>
#include <string>
#include <vector>

#include "app/workflow/batch_poses.hpp"

namespace tactelier {

/// A file of ranges, by its name; all others are tables.
bool holds_ranges(const std::filesystem::path& file);

/// Evenly from each range, by the file's own seed. Each press draws as many numbers, so that fewer
/// presses are the first of more. BatchPose::line is the press's number, from 1. `indenter` as of
/// read_batch_poses(). Fails with kInvalidInput naming the key.
Result<std::vector<BatchPose>> drawn_poses(const std::filesystem::path& file,
                                           const std::string& indenter);

}  // namespace tactelier
