#pragma once
// A protocol that changes its tip between two presses.

namespace tactelier::rig {

inline constexpr const char* kTwoTips = R"({
  "format": "tactelier/protocol", "version": 1, "name": "two tips",
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "scan", "tactels": [38], "speed_mm_s": 0.8,
             "until": {"force_N": 1, "depth_mm": 1.5}},
            {"do": "prompt", "text": "Mount the ball.",
             "indenter": {"id": "ball10", "shape": "sphere", "diameter_mm": 10.0}},
            {"do": "scan", "tactels": [44], "speed_mm_s": 0.8,
             "until": {"force_N": 1, "depth_mm": 1.5}}]})";

}  // namespace tactelier::rig
