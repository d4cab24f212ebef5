#include "libcalib/forward/object_on_sensor.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/forward/press_checks.hpp"
#include "libcalib/forward/soft_contact_method.hpp"

namespace tactelier {
namespace {

Six joined(const Vector3& linear, const Vector3& angular) {
  return {linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]};
}

/// What a force along `direction` at `arm_m` from the centre does to the body.
Six lever(const Vector3& direction, const Vector3& arm_m) {
  return joined(direction, cross(arm_m, direction));
}

double power(const Six& a, const Six& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

void add_to(Six& sum, double factor, const Six& a) {
  for (std::size_t i = 0; i < 6; ++i) sum[i] += factor * a[i];
}

/// Any direction along the surface.
Vector3 along_surface(const Vector3& normal) {
  const Vector3 axis = std::abs(normal[0]) < 0.9 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  return unit(minus(axis, scaled(normal, dot(normal, axis))));
}

/// Takes off what rounding has added over many steps.
Matrix3 straightened(const Matrix3& turn) {
  const auto x = unit(turn[0]);
  const auto z = unit(cross(x, turn[1]));
  return {x, cross(z, x), z};
}

bool has_motion(const RigidObject& object) {
  const auto& inertia = object.inertia_kg_m2;
  const double all = object.mass_kg + inertia[0] + inertia[1] + inertia[2] + object.centre_m[0] +
                     object.centre_m[1] + object.centre_m[2];
  return std::isfinite(all) && object.mass_kg > 0 &&
         std::all_of(inertia.begin(), inertia.end(), [](double i) { return i > 0; });
}

}  // namespace

Result<ObjectOnSensor> ObjectOnSensor::create(const SensorDescription& sensor,
                                              const FoundationColumn& column,
                                              const RigidObject& object,
                                              const ObjectMotion& start) {
  if (!has_motion(object))
    return fail(ErrorCode::kInvalidInput,
                "FW-07 {}: mass {} kg and moments of inertia {} {} {} kg m^2 must be positive.",
                object.shape.describe(), object.mass_kg, object.inertia_kg_m2[0],
                object.inertia_kg_m2[1], object.inertia_kg_m2[2]);
  if (!start.finite())
    return fail(ErrorCode::kInvalidInput, "FW-07 {}: where it starts is no number.",
                object.shape.describe());
  auto surface = IndenterSurface::create(object.shape);
  if (!surface) return fail(surface.error());
  ObjectOnSensor lying(std::move(*surface), column, object);
  lying.motion_ = start;
  lying.range_m_ = pad_range_m(sensor);
  for (const auto& ray : tactel_rays(sensor)) {
    const auto along = along_surface(ray.normal);
    Tactel tactel{ray, along, cross(ray.normal, along), 0, {}, {}};
    for (const auto& branch : column.branches) tactel.branches.emplace_back(branch.tau_s);
    lying.tactels_.push_back(std::move(tactel));
    lying.lowest_m_ = std::min(lying.lowest_m_, ray.centre_m[2]);
  }
  lying.force_N_.resize(lying.tactels_.size(), 0);
  return lying;
}

ObjectOnSensor::ObjectOnSensor(IndenterSurface surface, FoundationColumn column, RigidObject object)
    : surface_(std::move(surface)), column_(std::move(column)), object_(std::move(object)) {}

Vector3 ObjectOnSensor::centre_m() const {
  return plus(motion_.tip_m, times(motion_.S_from_local, object_.centre_m));
}

Six ObjectOnSensor::velocity() const {
  return joined(motion_.velocity_m_per_s, motion_.turn_rate_rad_per_s);
}

Result<void> ObjectOnSensor::advance(double duration_s, double step_s) {
  const double steps = std::round(duration_s / step_s);
  if (!(duration_s > 0) || !(step_s > 0) || !std::isfinite(steps))
    return fail(ErrorCode::kInvalidInput, "FW-07 {} s in steps of {} s: both must be positive.",
                duration_s, step_s);
  for (double i = 0; i < steps; ++i) {
    step(step_s);
    if (auto sound = check_motion(); !sound) return sound;
  }
  return {};
}

Result<void> ObjectOnSensor::check_motion() const {
  if (!motion_.finite())
    return fail(ErrorCode::kInvalidInput,
                "FW-07 The motion of {} is no number after {:.4g} s: take smaller steps.",
                object_.shape.describe(), time_s_);
  const bool deep = std::any_of(tactels_.begin(), tactels_.end(),
                                [&](const Tactel& tactel) { return tactel.depth_m >= range_m_; });
  const bool past = touches_.empty() && motion_.tip_m[2] < lowest_m_ - range_m_;
  if (!deep && !past) return {};
  return fail(ErrorCode::kInvalidInput, "FW-06 {} of {:.4g} kg {} after {:.4g} s.",
              object_.shape.describe(), object_.mass_kg,
              deep ? fmt::format("goes beyond the range of the pad, {:.3g} mm,", m_to_mm(range_m_))
                   : std::string("falls past the sensor"),
              time_s_);
}

void ObjectOnSensor::follow_relaxation(Tactel& tactel, double depth_m, double step_s) const {
  for (auto& branch : tactel.branches) branch.step(step_s, depth_m - tactel.depth_m);
  tactel.depth_m = depth_m;
}

ObjectOnSensor::Touch ObjectOnSensor::touch_of(std::size_t index, double step_s) const {
  const auto& tactel = tactels_[index];
  Touch touch;
  touch.tactel = index;
  touch.place_m = minus(tactel.ray.centre_m, scaled(tactel.ray.normal, tactel.depth_m));
  const auto arm_m = minus(touch.place_m, centre_m());
  touch.normal = lever(tactel.ray.normal, arm_m);
  touch.along_1 = lever(tactel.along_1, arm_m);
  touch.along_2 = lever(tactel.along_2, arm_m);
  double elastic_N = column_.spring_N(tactel.depth_m);
  double stiffness_N_per_m = column_.tangent_N_per_m(tactel.depth_m);
  for (std::size_t i = 0; i < tactel.branches.size(); ++i) {
    elastic_N += column_.branches[i].stiffness_N_per_m * tactel.branches[i].value_m();
    stiffness_N_per_m += column_.branches[i].stiffness_N_per_m;
  }
  touch.resistance_N_s_per_m = column_.damping_N_s_per_m + step_s * stiffness_N_per_m;
  touch.force_N = elastic_N - touch.resistance_N_s_per_m * power(touch.normal, velocity());
  if (touch.force_N <= 0) touch.force_N = touch.resistance_N_s_per_m = 0;
  return touch;
}

void ObjectOnSensor::find_touches(double step_s) {
  touches_.clear();
  const IndenterFrame frame{motion_.tip_m, transposed(motion_.S_from_local)};
  for (std::size_t i = 0; i < tactels_.size(); ++i) {
    auto& tactel = tactels_[i];
    follow_relaxation(tactel, depth_along_m(tactel.ray, surface_, frame, range_m_), step_s);
    if (tactel.depth_m > 0)
      touches_.push_back(touch_of(i, step_s));
    else
      tactel.bristle.let_go();
  }
}

PlanarVector ObjectOnSensor::slip(const Touch& touch, const Six& velocity) const {
  return {power(touch.along_1, velocity), power(touch.along_2, velocity)};
}

SixBySix ObjectOnSensor::inertia() const {
  SixBySix inertia;
  const auto axes = transposed(motion_.S_from_local);
  for (std::size_t i = 0; i < 3; ++i) {
    inertia.at(i, i) += object_.mass_kg;
    inertia.add(object_.inertia_kg_m2[i], joined({0, 0, 0}, axes[i]));
  }
  return inertia;
}

Six ObjectOnSensor::outer_forces() const {
  auto force_N = scaled(gravity_m_per_s2_, object_.mass_kg);
  if (pull_) force_N = plus(force_N, pull_(time_s_, motion_));
  const auto& turn = motion_.turn_rate_rad_per_s;
  auto momentum = times(transposed(motion_.S_from_local), turn);
  for (std::size_t i = 0; i < 3; ++i) momentum[i] *= object_.inertia_kg_m2[i];
  return joined(force_N, cross(times(motion_.S_from_local, momentum), turn));
}

void ObjectOnSensor::step(double step_s) {
  find_touches(step_s);
  const auto before = velocity();
  auto matrix = inertia();
  auto impulse = outer_forces();
  for (const auto& touch : touches_) {
    matrix.add(step_s * touch.resistance_N_s_per_m, touch.normal);
    add_to(impulse, touch.force_N, touch.normal);
    if (!column_.friction) continue;
    const auto drag = tactels_[touch.tactel].bristle.answer(*column_.friction, step_s,
                                                            slip(touch, before), touch.force_N);
    matrix.add(step_s * drag.resistance_N_s_per_m, touch.along_1);
    matrix.add(step_s * drag.resistance_N_s_per_m, touch.along_2);
    add_to(impulse, -drag.force_N[0], touch.along_1);
    add_to(impulse, -drag.force_N[1], touch.along_2);
  }
  for (auto& component : impulse) component *= step_s;
  auto after = before;
  add_to(after, 1, matrix.solve(impulse));
  read_forces(before, after, step_s);
  move(after, step_s);
}

void ObjectOnSensor::read_forces(const Six& before, const Six& after, double step_s) {
  std::fill(force_N_.begin(), force_N_.end(), 0);
  wrench_ = {};
  friction_N_ = {0, 0, 0};
  for (const auto& touch : touches_) {
    auto& tactel = tactels_[touch.tactel];
    const double speed_change = power(touch.normal, after) - power(touch.normal, before);
    const double force_N = std::max(0.0, touch.force_N - touch.resistance_N_s_per_m * speed_change);
    PlanarVector drag_N{};
    if (column_.friction)
      drag_N = tactel.bristle.step_N(*column_.friction, step_s, slip(touch, after), force_N);
    const auto friction_N =
        plus(scaled(tactel.along_1, drag_N[0]), scaled(tactel.along_2, drag_N[1]));
    const auto on_sensor_N = minus(friction_N, scaled(tactel.ray.normal, force_N));
    force_N_[touch.tactel] = force_N;
    friction_N_ = plus(friction_N_, friction_N);
    wrench_.force_N = plus(wrench_.force_N, on_sensor_N);
    wrench_.torque_Nm = plus(wrench_.torque_Nm, cross(touch.place_m, on_sensor_N));
  }
}

void ObjectOnSensor::move(const Six& velocity, double step_s) {
  motion_.velocity_m_per_s = {velocity[0], velocity[1], velocity[2]};
  motion_.turn_rate_rad_per_s = {velocity[3], velocity[4], velocity[5]};
  const auto centre = plus(centre_m(), scaled(motion_.velocity_m_per_s, step_s));
  motion_.S_from_local = straightened(
      times(turn_about(scaled(motion_.turn_rate_rad_per_s, step_s)), motion_.S_from_local));
  motion_.tip_m = minus(centre, times(motion_.S_from_local, object_.centre_m));
  time_s_ += step_s;
}

}  // namespace tactelier
