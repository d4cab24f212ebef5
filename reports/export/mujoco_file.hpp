#pragma once
// A pad as MJCF: the text of the file, from the numbers of mujoco_pad.hpp. Joints, tips, sensors
// and what MuJoCo keeps of the read-out; a weight where one shall lie on the pad; bristles where
// the pad has them.

#include <optional>
#include <span>
#include <string>

#include "reports/export/mujoco_pad.hpp"

namespace tactelier {

/// `opening`: lines of the comment at the top.
std::string mjcf_text(const SensorModel& model, const SlotContents& contents, const MujocoPad& pad,
                      std::span<const std::string> opening,
                      const std::optional<PadWeight>& weight = {});

}  // namespace tactelier
