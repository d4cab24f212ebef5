#pragma once
// A rigid body on a sensor, in time: the dynamic part of Moisio's soft contacts
// (docs/theory/forward.md 11). Every tactel's ray that meets the body presses on it with
//   f = k H(d) + c_n d' + sum h_i >= 0   along its normal,   d' = -n . u
// and drags on it along the surface with LuGre's F_t under the load f; u is the velocity of the
// body's point there. The sensor does not move.
//   m v' = m g + sum (f n - F_t) + pull ,   (I w)' = sum r x (f n - F_t)
// A step is linearly implicit (Euler, first order): stiff springs, dampers and bristles are solved
// for together, 6 x 6, so that none limits the step. At rest it stays at rest, exactly.
//
// Frame: S, SI. Source: Moisio et al., Robotics and Autonomous Systems 61(1), 2013, section 3.

#include <functional>
#include <vector>

#include "libcalib/forward/foundation_column.hpp"
#include "libcalib/forward/press_image.hpp"
#include "libcalib/forward/rigid_object.hpp"
#include "libcalib/models/planar_lugre.hpp"
#include "libcalib/models/prony.hpp"
#include "libcalib/units.hpp"

namespace tactelier {

class ObjectOnSensor {
 public:
  /// Fails with kInvalidInput: FW-07 on what is no number and a mass or inertia that is not
  /// positive, and as IndenterSurface::create() does.
  static Result<ObjectOnSensor> create(const SensorDescription& sensor,
                                       const FoundationColumn& column, const RigidObject& object,
                                       const ObjectMotion& start);

  /// Of gravity in S: a tilted sensor has it along x and y, too.
  void set_gravity(const Vector3& gravity_m_per_s2) { gravity_m_per_s2_ = gravity_m_per_s2; }
  /// An outer force [N] on the centre of mass, asked for at the begin of each step.
  using Pull = std::function<Vector3(double time_s, const ObjectMotion& motion)>;
  void set_pull(Pull pull) { pull_ = std::move(pull); }

  /// Goes on for `duration_s` in steps of `step_s`. Fails with kInvalidInput: FW-06 where the body
  /// goes beyond the pad's range or falls past the sensor (then it stays where it was found), FW-07
  /// where times are no positive numbers or the motion has become none.
  Result<void> advance(double duration_s, double step_s);

  double time_s() const { return time_s_; }
  const ObjectMotion& motion() const { return motion_; }
  Vector3 centre_m() const;
  /// On each tactel at the end of the last step.
  const std::vector<double>& force_N() const { return force_N_; }
  /// Along the surface, on the sensor in S.
  const Vector3& friction_N() const { return friction_N_; }
  /// Of all tactels, friction included.
  const ContactWrench& wrench() const { return wrench_; }

 private:
  struct Tactel {
    TactelRay ray;
    Vector3 along_1, along_2;  // the surface
    double depth_m = 0;
    std::vector<PronyBranchState> branches;
    PlanarLugreBristle bristle;
  };
  /// A tactel that is pressed, within one step.
  struct Touch {
    std::size_t tactel = 0;
    double force_N = 0, resistance_N_s_per_m = 0;  // along the normal, and its answer to speed
    Six normal{}, along_1{}, along_2{};            // force to the body's six
    Vector3 place_m{};
  };
  ObjectOnSensor(IndenterSurface surface, FoundationColumn column, RigidObject object);

  void step(double step_s);
  /// Depths of all tactels; those that are pressed as touches.
  void find_touches(double step_s);
  void follow_relaxation(Tactel& tactel, double depth_m, double step_s) const;
  Touch touch_of(std::size_t tactel, double step_s) const;
  /// Equations of motion of one step, in velocity changes.
  SixBySix inertia() const;
  Six outer_forces() const;
  void move(const Six& velocity, double step_s);
  void read_forces(const Six& before, const Six& after, double step_s);
  Result<void> check_motion() const;
  Six velocity() const;
  PlanarVector slip(const Touch& touch, const Six& velocity) const;

  IndenterSurface surface_;
  FoundationColumn column_;
  RigidObject object_;
  std::vector<Tactel> tactels_;
  std::vector<Touch> touches_;
  double range_m_ = 0, lowest_m_ = 0;
  double time_s_ = 0;
  ObjectMotion motion_;
  Vector3 gravity_m_per_s2_{0, 0, -kStandardGravity_m_per_s2};
  Pull pull_;
  std::vector<double> force_N_;
  Vector3 friction_N_{0, 0, 0};
  ContactWrench wrench_;
};

}  // namespace tactelier
