#pragma once
// What presses need of MuJoCo, whichever way it runs: Debian's library (libmujoco_engine.hpp) or
// npm's newest under Node (node_engine.hpp). All joints of a scene are slides, so that positions
// stand where speeds do: a degree of freedom has one number for both.
//
// Calls throw std::runtime_error in MuJoCo's words where it stops, and where it warns: a number
// that came of a warning proves nothing. Presses turn that into an Error.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "libcalib/sensor/sensor_description.hpp"
#include "reports/verify/press_target.hpp"

namespace tactelier {

/// Of the depth at which a tip is in a cylinder or a mesh. MuJoCo's own 1e-6, a micrometre or more,
/// is more than a contact is deep: tips at rest are thrown about.
inline constexpr double kDepthTolerance = 1e-12;
inline constexpr int kDepthIterations = 500;

struct DofSpeed {
  int dof = 0;
  double speed_m_per_s = 0;
};

/// Of one degree of freedom; the force is that of contacts and limits where the last step began.
struct DofState {
  double position_m = 0, speed_m_per_s = 0, constraint_N = 0;
};

class MujocoEngine {
 public:
  virtual ~MujocoEngine() = default;
  virtual TargetFacts facts() = 0;
  virtual int body(const std::string& name) = 0;
  virtual int dof(const std::string& joint) = 0;

  /// Where a body hangs; +z of it along `normal`. Acts from the next reset() on.
  virtual void place(int body, const Vector3& position_m, const Vector3& normal) = 0;
  virtual void reset() = 0;
  /// A force on a degree of freedom until the next reset().
  virtual void push(int dof, double force_N) = 0;
  /// So many times: sets these speeds, then steps.
  virtual void step(std::span<const DofSpeed> speeds, int times = 1) = 0;
  /// Forces of where it is now, without a step.
  virtual void forward() = 0;

  virtual double time_s() = 0;
  virtual DofState state(int dof) = 0;
  /// The first `count` numbers that the sensors show.
  virtual std::vector<double> sensors(std::size_t count) = 0;
};

}  // namespace tactelier
