#pragma once
// A pad as a USD file has it, whoever reads it: a material, and a sphere per tactel bound to it.
// The spheres are colliders without a body of their own: below a robot's link they are that link's,
// alone they stand still.

#include "reports/export/layer_box.hpp"
#include "reports/export/tactel_pad.hpp"
#include "reports/export/usd_text.hpp"

namespace tactelier {

/// What the material is made of in the reader's own words.
struct UsdMaterial {
  std::vector<std::string> schemas, attributes;
};

/// USD takes no name that begins with a digit.
std::string usd_name(const TactelPad& pad);

/// <xformOp> and a collider per tactel, named tTACTEL_aARRAY_rROW_cCOLUMN; what becomes of the
/// force stands beside each as tactelier:..., which readers keep and do nothing with.
UsdPrim usd_pad(const TactelPad& pad, const UsdMaterial& material);

/// The same with a box per flat array instead; `schema` and `attributes` are each box's own.
UsdPrim usd_boxes(const TactelPad& pad, std::span<const LayerBox> boxes,
                  const UsdMaterial& material, const std::string& schema,
                  std::span<const std::vector<std::string>> attributes);

}  // namespace tactelier
