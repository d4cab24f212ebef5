#pragma once
// The planner's workbench: appends segments one after the other, knows where the tip is, what is
// mounted, and keeps the account of the step at hand. Only planner*.cpp include this.

#include <map>
#include <set>
#include <string>
#include <utility>

#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/sites.hpp"
#include "libcalib/session/press_kind.hpp"

namespace tactelier {

/// One loading ramp.
struct LoadSpec {
  double depth_m = 0;  // the farthest it may go
  double speed_m_per_s = 0;
  Until until;
  bool starts_clock = false;
  Touch touch = Touch::kPad;
  std::optional<double> aim_N;  // the force it is for; may not exceed the limits
  std::string_view aim_key = "force_N";
  double air_m = 0;  // of depth_m that is expected to be air: ground that is looked for
};

/// What one contact asks of force sensor and pad.
struct Peak {
  double depth_m = 0;
  double force_N = 0;
  double worst_N = 0;
  double unguarded_N = 0;
  double side_N = 0;  // along the surface
};

/// What press_begin says.
struct PressSpec {
  PressKind kind = PressKind::kRamp;
  std::optional<int> site;
  std::string outcome = "ok";
};

class PlanBuilder {
 public:
  PlanBuilder(const Protocol& protocol, const SensorDescription& sensor, const PlanSetup& setup);

  const SensorDescription& sensor() const { return sensor_; }
  const PlanSetup& setup() const { return setup_; }
  const PlannedStep& row(std::size_t index) const { return plan_.steps[index]; }
  const Indenter& indenter() const { return mounted_->indenter; }
  bool has_indenter() const { return mounted_.has_value(); }
  double layer_m() const;  // thickness, infinity when unknown
  Plan take();

  template <class... Args>
  tl::unexpected<Error> bad(fmt::format_string<Args...> text, Args&&... args) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}", place_,
                fmt::format(text, std::forward<Args>(args)...));
  }
  tl::unexpected<Error> bad(const Error& error) const { return fail(error, place_); }
  /// Once per step and code.
  void warn(std::string_view code, std::string text);

  /// The protocol's plan without its conditioning, which goes by what is pressed behind it; nullptr
  /// while that is being made.
  const Plan* unconditioned() const { return unconditioned_; }
  void set_unconditioned(const Plan& plan) { unconditioned_ = &plan; }
  std::size_t row_index() const { return row_; }
  /// Words of the table for the step at hand, once they are known.
  void describe_as(std::string what) { plan_.steps[row_].what = std::move(what); }

  std::size_t add_row(const Step& step, std::string_view protocol, std::string what);
  void begin_step(const Step& step, std::size_t row);
  void end_step();

  // In free air
  void travel_to(double x_m, double y_m, double z_m, double surface_z_m);
  void to_air();  // lifts to the safe height when the tip is lower
  void wait(double duration_s);
  void wait_until_still(const StillGate& gate, double expected_s, double at_most_s);
  void prompt(std::string text, std::string answer_key = {});
  /// Asks for another indenter or another rotation of it; nothing when it is there already.
  void mount(const MountedIndenter& wanted, double rz_rad = 0);
  /// The prompt just given has put it there.
  void mounted_by_prompt(const MountedIndenter& indenter);
  /// Waits until `rest_s` have passed since the place was last let go.
  void rest(const Place& place, double rest_s);

  // Presses: approach, press_begin, load .. hold .., unload, press_end
  void approach(const Place& place, double speed_m_per_s);
  void begin_contact();  // free air before, at rest
  double free_air_after_s() const;
  void press_begin(const Place& place, const PressSpec& press);
  Result<void> load(const LoadSpec& load);
  void hold(double duration_s, std::optional<double> regulate_N, const Until& until);
  /// A hold with hold_begin and hold_end.
  void dwell_in_press(double duration_s, const Target& at, const Until& until);
  void unload(double speed_m_per_s, double gap_m);
  /// From wherever the tip is.
  void unload_by(double speed_m_per_s, double up_m);
  void press_end();
  /// A ramp of the pad to a depth or force; fails when it may not go there.
  Result<LoadSpec> load_to(const Target& target, double speed_m_per_s, const Until& until) const;
  /// How far a ramp may go that only `until` ends.
  Result<double> farthest_m(const Until& until) const;
  Result<void> check_depth(std::string_view key, double depth_m) const;
  /// The smallest limit of a force at that depth; empty where nobody states one.
  std::optional<double> force_limit_N(Touch touch, double depth_m) const;
  /// What the step asks for; what it is expected to come to is checked by load().
  Result<void> check_forces(const LoadSpec& load) const;

  // Along the surface, or up and down in contact
  void slide(const Vector3& by_m, double speed_m_per_s, double load_N, const Until& until);
  /// At the height at which the tip is, on whatever it touches.
  void drag(const Vector3& by_m, double speed_m_per_s, const Until& until);
  Result<void> oscillate(const Motion& motion, std::optional<double> regulate_N,
                         const Until& until);

  /// Something lies on the pad by hand; the tip is parked.
  void by_hand(double duration_s, const ByHand& what);

  // Events and checks
  void event_at_begin(std::string_view name, std::string data, std::string answer_key = {});
  void event_at_end(std::string_view name, std::string data);
  Segment& last() { return plan_.segments.back(); }
  int next_slide();
  int next_image();
  Result<void> check_speed(std::string_view key, double speed_m_per_s, bool vertical) const;
  Result<void> account(Touch touch, const Peak& peak);
  Result<void> account_depth(double depth_m);
  Result<void> account_side(double load_N);  // friction while sliding
  Result<void> account_weight(double mass_kg);
  Place centre() const;  // middle of the pad; of its first array's middle tactel if that is off it
  const Vector3& at_m() const { return at_m_; }
  double air_gap_m(double speed_m_per_s) const;
  bool too_long() const;
  const std::optional<MountedIndenter>& mounted() const { return mounted_; }

 private:
  struct End {
    double depth_m = 0;      // where the tip comes to rest
    double after_s = 0;      // since the ramp began
    double cruise_to_m = 0;  // depth at which it begins to slow down
    double worst_N = 0;
  };
  Segment& add(Phase phase, Touch touch, const Motion& motion);
  void unload_to(const Vector3& to_m, double speed_m_per_s);
  void line_to(Phase phase, const Vector3& to_m, double speed_m_per_s);
  End end_of(const Motion& motion, const LoadSpec& load) const;
  double force_at_N(const LoadSpec& load, Belief belief, double depth_m) const;
  double depth_at_m(const LoadSpec& load, Belief belief, double force_N, double most_m) const;
  std::vector<double> ending_forces_N(const LoadSpec& load, Belief belief) const;
  void note_share(const Motion& motion, const End& end);

  const SensorDescription& sensor_;
  const PlanSetup& setup_;
  const Plan* unconditioned_ = nullptr;
  Plan plan_;
  std::size_t row_ = 0;
  std::string place_;  // "quick: step 4 (scan)"
  Vector3 at_m_{};
  double now_s_ = 0;
  double surface_z_m_ = 0;
  std::optional<int> tactel_;
  std::optional<MountedIndenter> own_;
  std::optional<MountedIndenter> mounted_;
  int press_ = 0;
  int slide_ = 0;
  int image_ = 0;
  double rz_rad_ = 0;
  std::string outcome_;
  std::size_t open_from_ = 0;  // first segment of the press whose early end is not wired yet
  std::vector<PlannedEvent> pending_;
  std::map<std::pair<long long, long long>, std::size_t> released_;  // place in nm -> segment
  double clock_s_ = 0;  // when this press began to move down
  double top_z_m_ = 0;  // highest tactel
  double step_began_s_ = 0;
  double step_by_hand_s_ = 0;
  std::set<std::string> warned_;
};

}  // namespace tactelier
