#include "fitting/friction/slide_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/reason.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kAboveStribeck = 2;  // FR-02: highest speed over v_s
constexpr double kMinDegrees = 5;
constexpr double kLeastSigma1 = 1e-6;  // N s/m
// Of sigma0, relative, standard: what rows of 1 ms and the force's filter leave of a rise after a
// reversal is alike in all slides, and so does not show in how they differ.
constexpr double kRiseU = 2e-3;

/// A search may end below 0, where noise is all that it found: then nothing is known of it.
double positive_sigma1(const SlideFit& fit) {
  return std::max(fit.values[kSlideSigma1], kLeastSigma1);
}

/// Columns of the LuGre numbers in a slide fit's covariance, and what they are multiplied with.
Eigen::MatrixXd lugre_from_slides(const SlideFit& fit) {
  Eigen::MatrixXd from = Eigen::MatrixXd::Zero(kLugreSize, kSlideShared);
  from(kLugreSigma0, kSlideLogSigma0) = 1;
  from(kLugreSigma1, kSlideSigma1) = 1 / positive_sigma1(fit);  // as a logarithm
  from(kLugreViscous, kSlideViscous) = 1;
  from(kLugreStatic, kSlideDynamic) = from(kLugreStatic, kSlideDrop) = 1;
  from(kLugreDynamic, kSlideDynamic) = 1;
  from(kLugreStribeck, kSlideLogStribeck) = 1;
  return from;
}

double degrees_of(const SlideFit& fit) {
  return std::max(kMinDegrees, fit.slides - static_cast<double>(kSlideShared));
}

LugreFit joint_of(const SlideFit& fit) {
  LugreFit joint;
  joint.values = lugre_values(fit.values);
  joint.values[kLugreSigma1] = positive_sigma1(fit);
  joint.chi2 = fit.chi2;
  joint.samples = fit.dof + static_cast<double>(kLugreSize);
  joint.iterations = fit.iterations;
  joint.converged = true;
  joint.dof = degrees_of(fit);
  const auto from = lugre_from_slides(fit);
  joint.covariance = from * fit.covariance * from.transpose();
  joint.covariance(kLugreSigma0, kLugreSigma0) += kRiseU * kRiseU;
  return joint;
}

std::string shape_name(StepShape shape) {
  switch (shape) {
    case StepShape::kJump:
      return "jump";
    case StepShape::kSmooth:
      return "smooth";
    case StepShape::kRinging:
      return "ringing";
  }
  return {};
}

Estimate estimate_of(const SlideFit& fit, SlideIndex index) {
  const auto j = static_cast<Eigen::Index>(index);
  return {fit.values[index], std::sqrt(fit.covariance(j, j)), degrees_of(fit)};
}

WholeSlides whole_of(const SlideResult& found) {
  const auto& fit = found.fit;
  WholeSlides whole;
  whole.load_exponent = estimate_of(fit, kSlideExponent);
  whole.running_in = estimate_of(fit, kSlideRunningIn);
  whole.log_length = estimate_of(fit, kSlideLogLength);
  whole.no_exponent = found.no_exponent;
  whole.no_running_in = found.no_running_in;
  whole.no_static = found.no_static;
  whole.no_damping = found.no_damping;
  if (!found.no_static.starts_with("FR-STEPS")) whole.step_shape = shape_name(fit.setting.shape);
  whole.u_shape = found.u_shape;
  whole.backlash_m = fit.values[kSlideBacklash];
  whole.microstep_error_m = std::hypot(fit.values[kSlideRippleCos], fit.values[kSlideRippleSin]);
  if (fit.setting.shape == StepShape::kRinging) {
    whole.ring_hz = std::exp(fit.values[kSlideLogRing]);
    whole.ring_damping = fit.values[kSlideRingDamping];
  }
  whole.delay_s = fit.values[kSlideDelay];
  whole.side_m_per_N = estimate_of(fit, kSlideSide);
  whole.blocks_left_out = static_cast<double>(found.blocks_left_out);
  return whole;
}

std::string speeds_text(const SlideResult& found) {
  return fmt::format("FR-02 Speeds {:.3g}–{:.3g} mm/s", m_to_mm(found.least_m_per_s),
                     m_to_mm(found.top_m_per_s));
}

/// Of runs that steady sliding had to leave out, and whole slides did not.
void drop_overtaken(Warnings& warnings) {
  std::erase_if(warnings, [](const auto& warning) {
    return warning.code == "FR-02" || warning.code == "FR-05" || warning.code == "FR-07" ||
           warning.code == "FR-LEVEL" || warning.code == "NOT-SETTLED" || warning.code == "ID-07";
  });
}

}  // namespace

void take_whole_slides(const SlideResult& found, FrictionEstimate& estimate) {
  if (!found.found()) {
    estimate.warnings.push_back(warning_of(found.why_not, "friction"));
    // Steady parts of slides that a motor shook are no better known than the whole.
    if (found.why_not.starts_with("ID-07") && !estimate.motion_measured && !estimate.is_level)
      estimate.no_curve = found.why_not;
    return;
  }
  drop_overtaken(estimate.warnings);
  estimate.whole = whole_of(found);
  estimate.joint = joint_of(found.fit);
  estimate.form = found.fit.setting.proportional ? "proportional" : "constant";
  estimate.form_decided = found.form_decided;
  estimate.reference_N = found.reference_N;
  estimate.by_load.clear();
  estimate.loads_agree = true;
  estimate.motion_measured = true;
  estimate.no_curve = estimate.no_bristles = estimate.no_stribeck = {};
  estimate.no_drop = estimate.is_level = false;
  const double v_s = std::exp(found.fit.values[kSlideLogStribeck]);
  const bool drop = !found.no_static.starts_with("FR-08");
  if (drop && found.top_m_per_s < kAboveStribeck * v_s)
    estimate.no_stribeck = speeds_text(found) +
                           " do not reach beyond the Stribeck speed; µ_d and "
                           "v_s not reported.";
}

}  // namespace tactelier
