#pragma once
// The pad that synth and the virtual bench simulate, and its truth on file.

#include <filesystem>
#include <optional>
#include <string>

#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/pad/pad.hpp"
#include "libcalib/synth/synth.hpp"

namespace tactelier {

struct SimulatedTruth {
  pad::PadTruth pad;
  std::string serial;  // empty when drawn
  Warnings warnings;
};

/// What a drawn pad of a preset has: all rubber relaxes, but on `clean` only where that is asked for,
/// so that k_punch is one number for every speed.
pad::DrawOptions draw_options(std::string_view preset);

/// A sensor model file, else drawn by seed for that sensor.
Result<SimulatedTruth> simulated_truth(const std::optional<std::filesystem::path>& model,
                                       const std::string& sensor, std::uint64_t seed,
                                       const pad::DrawOptions& draw);

/// "monday.tact" and ".truth.json" to "monday.truth.json".
std::filesystem::path path_beside(const std::filesystem::path& file, std::string_view ending);

/// The truths of `setup` as simulated: sensor model and rig file.
Result<void> write_truths(const synth::SynthSetup& setup, const pad::RigDraws& draws,
                          const std::filesystem::path& truth,
                          const std::filesystem::path& rig_truth);

}  // namespace tactelier
