#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/plan_steps.hpp"
#include "libcalib/protocol/step_text.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

std::string work_of(const Step& step) {
  return std::visit([](const auto& what) { return describe_step(what); }, step.what);
}

constexpr std::size_t kMaxTold = 20;  // errors of one plan

/// Walks the steps; those inside a repeat keep one row of the table. A step that can't be planned
/// is noted and left out, so that all that is wrong is told at once.
class Planner {
 public:
  explicit Planner(PlanBuilder& plan) : plan_(plan) {}

  Result<void> run(const std::vector<Step>& steps) {
    walk(steps);
    if (errors_.empty()) return {};
    std::vector<std::string> told;
    for (const auto& error : errors_) told.push_back(error.message);
    return fail(errors_.front().code, "{}", fmt::join(told, "\n"));
  }

 private:
  void walk(const std::vector<Step>& steps) {
    for (const auto& step : steps) {
      if (errors_.size() >= kMaxTold || plan_.too_long()) return;
      if (const auto* repeat = std::get_if<steps::Repeat>(&step.what)) {
        // Once something is wrong, doing it again tells nothing new.
        for (int i = 0; i < repeat->times && (i == 0 || errors_.empty()); ++i) walk(repeat->steps);
        continue;
      }
      if (const auto done = one(step); !done) note(done.error());
    }
  }

  void note(const Error& error) {
    const auto same = [&](const Error& other) { return other.message == error.message; };
    if (std::none_of(errors_.begin(), errors_.end(), same)) errors_.push_back(error);
  }

  Result<void> one(const Step& step) {
    auto row = rows_.find(&step);
    if (row == rows_.end())
      row = rows_.emplace(&step, plan_.add_row(step, step.code(), work_of(step))).first;
    plan_.begin_step(step, row->second);
    const auto done = std::visit(
        [&](const auto& what) -> Result<void> {
          if constexpr (std::is_same_v<std::decay_t<decltype(what)>, steps::Repeat>)
            return {};
          else
            return plan_step(plan_, step, what);
        },
        step.what);
    plan_.end_step();
    if (done && plan_.too_long()) return plan_.bad("the protocol makes too many movements");
    return done;
  }

  PlanBuilder& plan_;
  std::map<const Step*, std::size_t> rows_;
  std::vector<Error> errors_;
};

/// Any tactel whose normal leaves +z by more than 5 degrees.
bool faces_sideways(const SensorDescription& sensor) {
  constexpr double kCosine = 0.9962;
  for (const auto& array : sensor.arrays) {
    const auto& turn = array.pose.rpy_rad;
    if (std::cos(turn[0]) * std::cos(turn[1]) < kCosine) return true;
    for (const auto& normal : array.normals)
      if (normal[2] < kCosine) return true;
  }
  return false;
}

void check_beliefs(PlanBuilder& plan, const Protocol& protocol, const PlanSetup& setup,
                   const SensorDescription& sensor) {
  if (setup.indenter && protocol.indenter && !(*setup.indenter == *protocol.indenter)) {
    const auto own = setup.indenter->indenter.describe();
    const auto written_for = protocol.indenter->indenter.describe();
    plan.warn("indenter",
              own != written_for
                  ? fmt::format("written for a {}; the rig has a {}", written_for, own)
                  : fmt::format("the protocol's {} and the rig's are not described alike in every "
                                "key (name, edge, mesh ...)",
                                own));
  }
  if (faces_sideways(sensor))
    plan.warn("surface",
              "some tactels don't face +z: they are pressed along z all the same, and their "
              "normal force is not the one measured");
  if (!sensor.thickness_m && !setup.expected.thickness_m)
    plan.warn("thickness",
              "the sensor description has no thickness_mm: depths are checked against "
              "the depth limit alone");
}

Result<void> check_setup(const PlanSetup& setup) {
  const auto& stage = setup.stage;
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (!positive(stage.acceleration_m_per_s2) || !positive(stage.xy_speed_m_per_s) ||
      !positive(stage.z_speed_m_per_s) || !positive(stage.safe_height_m) ||
      !positive(stage.air_gap_m))
    return fail(
        ErrorCode::kInvalidInput,
        "the stage's limits are missing: acceleration, speeds, safe height and air gap must "
        "be positive");
  return {};
}

bool conditions(const std::vector<Step>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    const auto* repeat = std::get_if<steps::Repeat>(&step.what);
    return std::holds_alternative<steps::Condition>(step.what) ||
           (repeat != nullptr && conditions(repeat->steps));
  });
}

}  // namespace

std::string describe_step(const steps::Repeat& s) { return times(s.times, "time"); }

PlanSetup bench_setup() {
  PlanSetup setup;
  setup.limits.max_force_N = 25;
  setup.limits.max_torque_Nm = 0.25;
  setup.limits.max_depth_m = 2e-3;
  return setup;
}

Result<Plan> plan_protocol(const Protocol& protocol, const SensorDescription& sensor,
                           const PlanSetup& setup) {
  if (auto checked = check_setup(setup); !checked) return fail(checked.error(), protocol.name);
  PlanBuilder builder(protocol, sensor, setup);
  std::optional<Plan> unconditioned;
  if (conditions(protocol.steps)) {
    PlanBuilder before(protocol, sensor, setup);
    if (auto done = Planner(before).run(protocol.steps); !done) return fail(done.error());
    unconditioned = before.take();
    builder.set_unconditioned(*unconditioned);
  }
  check_beliefs(builder, protocol, setup, sensor);
  if (auto done = Planner(builder).run(protocol.steps); !done) return fail(done.error());
  return builder.take();
}

bool begins_with(const Plan& longer, const Plan& plan) {
  const auto same = [](const Segment& a, const Segment& b) {
    return a.phase == b.phase && a.touch == b.touch && a.end_m == b.end_m &&
           a.begin_s == b.begin_s && a.at_begin == b.at_begin && a.at_end == b.at_end;
  };
  return longer.segments.size() >= plan.segments.size() &&
         std::equal(plan.segments.begin(), plan.segments.end(), longer.segments.begin(), same);
}

}  // namespace tactelier
