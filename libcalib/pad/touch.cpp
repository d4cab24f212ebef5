#include "libcalib/pad/touch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libcalib/units.hpp"

namespace tactelier::pad {
namespace {

constexpr double kReferenceStiffness_N_per_m = 10e3;
constexpr double kNewPressAfter_s = 0.1;  // of air: chatter at release is no new press
constexpr double kMoved = 0.002;          // of the spread's width: shares are computed again
constexpr double kGrown = 0.02;           // of the depth

double distance(Point a, Point b) { return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m); }

}  // namespace

Touch::Touch(const PadTruth& truth, const Effects& effects, Spread spread)
    : truth_(truth),
      compliance_(effects.compliance),
      under_pad_(effects.compliance),
      spread_(std::move(spread)),
      layer_(truth.layer, effects.reading.first_cycle_softening),
      bristles_(truth.friction, effects.friction, effects.compliance.shear_m_per_N),
      grip_(effects.compliance.shear_m_per_N),
      site_deepest_m_(truth.tactels.size() + 1, 0.0),
      shares_(truth.tactels.size(), 0.0) {
  under_pad_.linear_m_per_N += compliance_.mount_m_per_N;
  for (int i = 0; i < truth.sensor.tactels(); ++i) {
    const auto p = truth.sensor.position_m(i);
    centres_.push_back({p[0], p[1]});
  }
  pitch_m_ = std::min(truth.sensor.arrays[0].pitch_x_m, truth.sensor.arrays[0].pitch_y_m);
}

Result<void> Touch::set_indenter(const Indenter& indenter, const Attitude& relative_to_surface) {
  const auto outlines = spread_.outlines();
  auto footprint =
      Footprint::create(indenter, relative_to_surface, truth_.layer.thickness_m, outlines);
  if (!footprint) return fail(footprint.error());
  footprint_ = std::move(*footprint);
  layer_.set_footprint(&footprint_);
  points_valid_ = shares_valid_ = false;
  return {};
}

std::size_t Touch::nearest_tactel(Point p) const {
  std::size_t nearest = centres_.size();
  double least = pitch_m_;
  for (std::size_t i = 0; i < centres_.size(); ++i)
    if (const double d = distance(centres_[i], p); d < least) {
      least = d;
      nearest = i;
    }
  return nearest;
}

/// A first touch at a new place meets rested rubber, with this place's stiffness and past.
void Touch::arrive(Point tip) {
  const bool elsewhere = !ever_touched_ || distance(tip, last_site_) > pitch_m_ / 2;
  if (elsewhere) layer_.forget();
  ever_touched_ = true;
  last_site_ = tip;
  layer_.set_site_memory(&site_deepest_m_[nearest_tactel(tip)]);
  if (truth_.layer.stiffness_factor.empty()) return;
  footprint_.pressure(footprint_.touch_depth_m() + 1e-4, spread_.resolution_m(), points_);
  const Point at = footprint_.fixed_to_sensor() ? Point{} : tip;
  double sum = 0;
  double weighted = 0;
  for (const auto& point : points_) {
    const auto tactel = nearest_tactel({at.x_m + point.x_m, at.y_m + point.y_m});
    if (tactel >= truth_.layer.stiffness_factor.size()) continue;  // beside the array
    sum += point.weight;
    weighted += point.weight * truth_.layer.stiffness_factor[tactel];
  }
  layer_.set_local_factor(sum > 0 ? weighted / sum : 1);
  points_valid_ = shares_valid_ = false;
}

Contact Touch::spring_step(double stiffness_N_per_m, double depth_m) const {
  if (depth_m <= 0) return {depth_m, 0, 0};
  double low = 0;
  double high = depth_m * stiffness_N_per_m;
  double force = high;
  for (int i = 0; i < 60 && high - low > 1e-9; ++i) {
    const double g = force / stiffness_N_per_m + deflection_m(compliance_, force) - depth_m;
    (g > 0 ? high : low) = force;
    const double slope = 1 / stiffness_N_per_m + deflection_slope_m_per_N(compliance_, force);
    const double next = force - g / slope;
    force = next > low && next < high ? next : (low + high) / 2;
  }
  return {0, force, force};
}

Touch::Step Touch::step(double dt_s, Point tip, double depth_m) {
  Step result;
  const Point before = std::exchange(placed_, true) ? tip_ : tip;
  tip_ = tip;
  switch (target_) {
    case Target::kNothing:
      result.contact = {-1, 0, 0};
      break;
    case Target::kRigidPlate:
    case Target::kGround:
      result.contact = spring_step(kPlateStiffness_N_per_m, depth_m);
      break;
    case Target::kReferencePad:
      result.contact = spring_step(kReferenceStiffness_N_per_m, depth_m);
      break;
    case Target::kLeafSpring:
      result.contact = compliance_.leaf_spring_N_per_m > 0
                           ? spring_step(compliance_.leaf_spring_N_per_m, depth_m)
                           : Contact{-1, 0, 0};
      break;
    case Target::kPad: {
      const bool was_overlapping =
          std::exchange(overlapping_, depth_m > footprint_.touch_depth_m());
      if (overlapping_ && !was_overlapping) arrive(tip);
      result.contact = layer_.step(dt_s, depth_m, under_pad_);
      break;
    }
  }
  if (result.contact.force_N > 0) {
    result.begun = !in_press_;
    in_press_ = true;
    air_s_ = 0;
  } else if ((air_s_ += dt_s) > kNewPressAfter_s) {
    in_press_ = false;
  }
  if (bristles_.present() && target_ == Target::kPad && ever_touched_)
    result.friction_N =
        bristles_.step_N(dt_s, {(tip.x_m - before.x_m) / dt_s, (tip.y_m - before.y_m) / dt_s},
                         result.contact.force_N);
  else if (target_ == Target::kRigidPlate)
    result.friction_N =
        grip_.step_N({tip.x_m - before.x_m, tip.y_m - before.y_m}, result.contact.force_N);
  deflected_tip_ = {tip.x_m - compliance_.shear_m_per_N * result.friction_N.x_m,
                    tip.y_m - compliance_.shear_m_per_N * result.friction_N.y_m};
  contact_ = result.contact;
  if (shares_valid_ && !footprint_.fixed_to_sensor() &&
      distance(deflected_tip_, shares_tip_) > kMoved * spread_.resolution_m())
    shares_valid_ = false;
  return result;
}

bool Touch::refresh_shares_due(bool reading) {
  if (!reading || target_ != Target::kPad || contact_.force_N <= 0) return false;
  const double above = contact_.depth_m - footprint_.touch_depth_m();
  if (footprint_.grows() && points_valid_ &&
      std::abs(contact_.depth_m - points_depth_m_) > kGrown * above)
    points_valid_ = false;
  if (!points_valid_) {
    footprint_.pressure(contact_.depth_m, spread_.resolution_m(), points_);
    points_depth_m_ = contact_.depth_m;
    points_valid_ = true;
    shares_valid_ = false;
  }
  if (shares_valid_) return false;
  shares_tip_ = deflected_tip_;
  const Point at = footprint_.fixed_to_sensor() ? Point{} : shares_tip_;
  spread_.shares(points_, at.x_m, at.y_m, shares_);
  centre_offset_ = {};
  for (const auto& point : points_) {
    centre_offset_.x_m += point.weight * point.x_m;
    centre_offset_.y_m += point.weight * point.y_m;
  }
  shares_valid_ = true;
  return true;
}

Point Touch::pressure_centre_m() const {
  const Point at = footprint_.fixed_to_sensor() ? Point{} : deflected_tip_;
  return {at.x_m + centre_offset_.x_m, at.y_m + centre_offset_.y_m};
}

Result<Touch::Rest> Touch::rest(const Resting& weight) const {
  const auto outlines = spread_.outlines();
  const auto footprint =
      Footprint::create(weight.indenter, weight.attitude, truth_.layer.thickness_m, outlines);
  if (!footprint) return fail(footprint.error());
  Layer layer(truth_.layer, 0);
  layer.set_footprint(&*footprint);
  const double load = weight.mass_kg * kStandardGravity_m_per_s2;
  double low = footprint->touch_depth_m();
  double high = truth_.layer.thickness_m;
  if (layer.elastic(high).force_N < load)
    return fail(ErrorCode::kInvalidInput, "{:.0f} g on '{}' would press through the layer of {} mm",
                1e3 * weight.mass_kg, weight.indenter.describe(),
                m_to_mm(truth_.layer.thickness_m));
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (layer.elastic(middle).force_N < load ? low : high) = middle;
  }
  Rest rest{std::vector<double>(shares_.size()), high};
  std::vector<PressurePoint> points;
  footprint->pressure(high, spread_.resolution_m(), points);
  const Point at = footprint->fixed_to_sensor() ? Point{} : Point{weight.x_m, weight.y_m};
  spread_.shares(points, at.x_m, at.y_m, rest.forces_N);
  for (double& force : rest.forces_N) force *= load;
  return rest;
}

}  // namespace tactelier::pad
