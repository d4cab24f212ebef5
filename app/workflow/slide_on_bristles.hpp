#pragma once
// The pad on bristles in npm's MuJoCo, with its exported loop under Python: run, and judged.

#include <filesystem>
#include <span>

#include "reports/export/exporter.hpp"
#include "reports/verify/bristle_slides.hpp"
#include "reports/verify/press_list.hpp"

namespace tactelier {

struct SlidOnBristles {
  std::vector<VerifiedQuantity> quantities;
  std::vector<std::string> left_out;  // instead, and why
};

/// `files`: what was exported beside the main file. `npm`: the folder of @mujoco/mujoco; `folder`
/// is written into. Without Python or NumPy all is left out. Fails with kInvalidInput in Python's
/// or MuJoCo's words where the slides stop.
Result<SlidOnBristles> slide_on_bristles(const MujocoPad& pad, const PressList& list,
                                         std::span<const Sidecar> files,
                                         const std::filesystem::path& npm,
                                         const std::filesystem::path& folder);

}  // namespace tactelier
