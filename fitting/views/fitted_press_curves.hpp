#pragma once
// What a person looks at to believe a contact point or a stiffness: one press's force over depth
// beside the curve that was fitted to it, with residuals. Computed by the same code that fits.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "fitting/engine/stage.hpp"
#include "fitting/stiffness/stiffness_press.hpp"

namespace tactelier {

using DepthForce = std::array<double, 2>;  // depth_m, force_N

/// Of the stage "contact": F = bias + k (depth)^n beyond first touch.
struct ContactCurve {
  int press = 0;
  std::vector<DepthForce> loading, unloading;  // bias and the rig's bending taken out
  bool from_contact = false;                   // depth 0 is first touch, else any travel
  bool by_hand = false;
  std::optional<double> u_z0_m;       // standard uncertainty of the contact point
  std::vector<DepthForce> fitted;     // empty when nothing was fitted
  std::vector<DepthForce> residuals;  // of the samples that were fitted: depth_m, N
  double noise_N = 0;                 // of one force sample
  std::string no_contact;             // code and words
};

/// Of the stage "stiffness": lines through the loading branch and the start of unloading.
struct StiffnessCurve {
  int press = 0;
  bool from_contact = false;
  std::vector<DepthForce> readings;  // of the loading branch, as they were fitted
  std::vector<DepthForce> unloading;
  std::optional<LoadingFit> loading;
  std::vector<DepthForce> residuals;  // of the readings about the affine line
  std::optional<double> linear_to_m;
  std::optional<UnloadingFit> unloading_fit;
  std::string no_loading, no_unloading, no_contact;  // code and words
};

/// `session` holds the press among its presses; `clocks` are the session's (session_clocks()). Fail
/// for damage and cancellation, with kUsage when there is no such press, with kUnidentifiable when
/// it can't be read.
Result<ContactCurve> contact_curve(const FitSession& session, const SessionClocks& clocks,
                                   int press, const Job& job);
Result<StiffnessCurve> stiffness_curve(const FitSession& session, const SessionClocks& clocks,
                                       int press, const Job& job);

}  // namespace tactelier
