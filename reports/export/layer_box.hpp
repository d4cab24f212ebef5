#pragma once
// The elastic layer of flat arrays as boxes whose pressure rises from each face to the middle, as
// Drake and what builds on it have it. A box is twice as high as the layer, so that pressure is
// highest on the layer's ground: modulus * depth / layer.

#include <string>
#include <vector>

#include "reports/export/slots.hpp"

namespace tactelier {

struct LayerBox {
  Pose pose;              // of the array: its surface is the box's upper face
  Vector3 size_m{};       // columns, rows, twice the layer
  double modulus_Pa = 0;  // pressure where the layer is pressed through
};

struct LayerBoxes {
  std::vector<LayerBox> boxes;  // one per array, or none
  std::string none;             // why there are none
};

/// Reads the slots "stiffness", "thickness_m", "modulus" and "foundation_m": the layer that was
/// fitted, else one of the sensor's thickness h and k h / a.
LayerBoxes layer_boxes(const SensorDescription& sensor, const SlotContents& contents);

/// The box's centre in the pad's frame, turned as the array is.
Pose centre_of(const LayerBox& box);

}  // namespace tactelier
