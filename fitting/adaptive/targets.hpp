#pragma once
// What a session that chooses its presses is to reach: half-widths of intervals over their values,
// at 95 %, by what repeats show (ci95). What no press can improve, the certificate of the force
// sensor first of all, is told beside (Standing::floor).

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier::adaptive {

enum class TargetKind {
  kGain,        // own gain of every tactel that answers: response.tactels[].gain
  kSigma,       // psf.sigma
  kStiffness,   // stiffness.k_punch
  kDamping,     // damping.c_n or damping.dissipation, whichever the pad follows
  kRelaxation,  // each share and time of relaxation
};

struct Target {
  TargetKind kind = TargetKind::kGain;
  double relative = 0;  // 0.02

  bool operator==(const Target&) const = default;
};

/// "gain", "sigma", "k", "damping", "relaxation": as people write and read it.
std::string_view name_of(TargetKind kind);

/// "gain 2 %, sigma 1 %, k 2 %", each at most once, in any order. Fails with kUsage, naming what
/// isn't understood.
Result<std::vector<Target>> parse_targets(std::string_view text);
std::string to_string(const std::vector<Target>& targets);

/// Stages of a fit that tell them, in the order of the fit.
std::vector<std::string> stages_for(const std::vector<Target>& targets);

/// Where nobody says: gain 2 %, sigma 1 %, k 2 %.
std::vector<Target> usual_targets();

}  // namespace tactelier::adaptive
