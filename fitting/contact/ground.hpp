#pragma once
// The pad's thickness, from touches of the bare ground beside it (`ground` events) and of the pad
// in one recording (docs/theory/contact-and-stiffness.md 3):
//   H = cos(tilt) (height of the pad's face - height of the ground)      both at the ground's place
// The face is a plane through the contact points, continued to where the ground was touched: pad
// and ground are taken to be parallel.

#include <optional>
#include <string>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct LayerThickness {
  std::optional<Estimate> thickness_m;
  std::optional<double> ground_m;     // height, stage frame
  std::vector<Component> systematic;  // of the thickness, m
  std::string refusal;                // code and words, where touches of the ground tell nothing
  std::string where;                  // the recording
};

/// Of the recording that tells it best; neither number nor refusal where no ground was touched.
/// Needs context.contacts. Fails only for damage and cancellation.
Result<LayerThickness> find_thickness(const FitContext& context);

}  // namespace tactelier
