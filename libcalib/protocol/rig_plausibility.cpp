#include "libcalib/protocol/rig_plausibility.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

// Of a pad whose description states no thickness; skins are 0.5 to 6 mm thick.
constexpr double kThickestPad_m = 10e-3;
constexpr double kMostBraking_m = 50e-3;           // where no travel is known
constexpr double kMostAcceleration_m_per_s2 = 50;  // 5 g: linear motors
constexpr double kSame_m = 1e-9;

class Doubts {
 public:
  explicit Doubts(std::string_view where) : where_(where) {}
  template <class... Args>
  void add(std::string_view key, fmt::format_string<Args...> text, Args&&... args) {
    lines_.push_back(
        fmt::format("{}: {}: {}", where_, key, fmt::format(text, std::forward<Args>(args)...)));
  }
  Result<void> verdict() const {
    if (lines_.empty()) return {};
    return fail(ErrorCode::kInvalidInput, "{}", fmt::join(lines_, "\n"));
  }

 private:
  std::string where_;
  std::vector<std::string> lines_;
};

void judge_force(const RigFile& rig, const RigMeans& means, Doubts& doubts) {
  const double range_N = means.force_range_SI[rig.press_axis.index];
  if (rig.limits.max_force_N && range_N > 0 && *rig.limits.max_force_N > range_N)
    doubts.add("limits.max_force_N",
               "{:g} N is above the force sensor's range of {:g} N along its {}: it would be "
               "overloaded before the limit acts; write {:g} or less",
               *rig.limits.max_force_N, range_N, "xyz"[rig.press_axis.index], range_N);
  double torque_range_Nm = 0;
  for (std::size_t axis = 3; axis < 6; ++axis)
    torque_range_Nm = std::max(torque_range_Nm, means.force_range_SI[axis]);
  if (rig.limits.max_torque_Nm && torque_range_Nm > 0 &&
      *rig.limits.max_torque_Nm > std::sqrt(3) * torque_range_Nm)
    doubts.add(
        "limits.max_torque_Nm",
        "{:g} N m is above what the force sensor carries, {:g} N m about an axis; write {:g} "
        "or less",
        *rig.limits.max_torque_Nm, torque_range_Nm, torque_range_Nm);
}

void judge_depth(const RigFile& rig, const SensorDescription& sensor, Doubts& doubts) {
  if (!rig.limits.max_depth_m) return;
  const double depth_m = *rig.limits.max_depth_m;
  const double most_m = sensor.thickness_m.value_or(kThickestPad_m);
  if (depth_m <= most_m) return;
  doubts.add(
      "limits.max_depth_mm",
      "{:g} mm is deeper than {} ({:g} mm): the tip would press on what is below; write less "
      "than that{}",
      m_to_mm(depth_m), sensor.thickness_m ? "the pad is thick" : "any pad", m_to_mm(most_m),
      sensor.thickness_m ? "" : ", or state thickness_mm in the sensor description");
}

void judge_speed(const char* key, double speed_m_per_s, double acceleration_m_per_s2,
                 std::optional<double> way_m, Doubts& doubts) {
  const double braking_m = speed_m_per_s * speed_m_per_s / (2 * acceleration_m_per_s2);
  const double room_m = way_m.value_or(kMostBraking_m);
  if (braking_m <= room_m / 2) return;
  doubts.add(
      key,
      "{:g} mm/s takes {:.3g} mm to brake at {:g} mm/s2, and the stage has {:.3g} mm{}; write "
      "{:.3g} or less",
      m_to_mm(speed_m_per_s), m_to_mm(braking_m), m_to_mm(acceleration_m_per_s2), m_to_mm(room_m),
      way_m ? " of travel" : " at most", m_to_mm(std::sqrt(acceleration_m_per_s2 * room_m)));
}

void judge_stage(const RigFile& rig, const RigMeans& means, Doubts& doubts) {
  const auto& stage = rig.stage;
  const auto travel_m = rig.travel_m ? rig.travel_m : means.travel_m;
  if (stage.acceleration_m_per_s2 > kMostAcceleration_m_per_s2)
    doubts.add("stage.acceleration_mm_s2",
               "{:g} mm/s2 is {:.0f} g, which no stage with a force sensor at its head does; write "
               "what the controller is set to ($120 to $122 of a GRBL, M201 of a Marlin, accel of "
               "Zaber axes)",
               m_to_mm(stage.acceleration_m_per_s2), stage.acceleration_m_per_s2 / 9.80665);
  std::optional<double> xy_m, z_m;
  if (travel_m) {
    const auto& t = *travel_m;
    xy_m = std::max(t[3] - t[0], t[4] - t[1]);
    z_m = t[5] - t[2];
  }
  judge_speed("stage.xy_speed_mm_s", stage.xy_speed_m_per_s, stage.acceleration_m_per_s2, xy_m,
              doubts);
  judge_speed("stage.z_speed_mm_s", stage.z_speed_m_per_s, stage.acceleration_m_per_s2, z_m,
              doubts);
  if (stage.air_gap_m >= stage.safe_height_m)
    doubts.add("stage.air_gap_mm",
               "{:g} mm is not below the safe height of {:g} mm: the fast way down would end above "
               "where it begins; write less than safe_height_mm, 0.2 is usual",
               m_to_mm(stage.air_gap_m), m_to_mm(stage.safe_height_m));
  if (z_m && stage.safe_height_m > *z_m)
    doubts.add("stage.safe_height_mm", "{:g} mm is more than the stage's whole travel of {:g} mm",
               m_to_mm(stage.safe_height_m), m_to_mm(*z_m));
  if (means.travel_m && rig.travel_m)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      constexpr double kSlack_m = 1e-3;
      const auto& own = *means.travel_m;
      const auto& said = *rig.travel_m;
      if (said[axis] >= own[axis] - kSlack_m && said[axis + 3] <= own[axis + 3] + kSlack_m)
        continue;
      doubts.add(
          "stage.travel_mm",
          "{} from {:g} to {:g} mm, but the stage itself goes from {:g} to {:g} mm: write its "
          "own, or correct machine_zero_mm of the device file",
          "xyz"[axis], m_to_mm(said[axis]), m_to_mm(said[axis + 3]), m_to_mm(own[axis]),
          m_to_mm(own[axis + 3]));
    }
}

/// The block under the pad's face: nothing may stand in it or below it.
bool inside_pad(const RigFile& rig, const SensorDescription& sensor, const Vector3& place_m) {
  const auto at_m = rig.sensor_from_stage_m(place_m);
  if (at_m[2] >= -kSame_m) return false;
  const auto& array = sensor.arrays.front();
  for (int i = 0; i < sensor.tactels(); ++i) {
    const auto tactel_m = sensor.position_m(i);
    if (std::abs(at_m[0] - tactel_m[0]) <= array.pitch_x_m / 2 &&
        std::abs(at_m[1] - tactel_m[1]) <= array.pitch_y_m / 2)
      return true;
  }
  return false;
}

bool within(const KeepOut& box, const Vector3& at_m) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (at_m[axis] < box.from_m[axis] || at_m[axis] > box.to_m[axis]) return false;
  return true;
}

void judge_place(const RigFile& rig, const SensorDescription& sensor, const RigMeans& means,
                 const char* key, const std::optional<Vector3>& place_m, Doubts& doubts) {
  if (!place_m) return;
  const auto words = fmt::format("({:g}, {:g}, {:g}) mm", m_to_mm((*place_m)[0]),
                                 m_to_mm((*place_m)[1]), m_to_mm((*place_m)[2]));
  if (inside_pad(rig, sensor, *place_m))
    doubts.add(key, "{} lies inside the pad, {:.3g} mm under its face; write a place beside it",
               words, -m_to_mm(rig.sensor_from_stage_m(*place_m)[2]));
  for (const auto& box : rig.keep_out)
    if (within(box, *place_m))
      doubts.add(key, "{} lies in the keep-out box '{}'; write a place outside it", words,
                 box.what);
  const auto travel_m = rig.travel_m ? rig.travel_m : means.travel_m;
  if (!travel_m) return;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if ((*place_m)[axis] < (*travel_m)[axis] - kSame_m ||
        (*place_m)[axis] > (*travel_m)[axis + 3] + kSame_m) {
      doubts.add(key, "{} is out of the stage's reach, {} from {:g} to {:g} mm", words, "xyz"[axis],
                 m_to_mm((*travel_m)[axis]), m_to_mm((*travel_m)[axis + 3]));
      return;
    }
}

/// Its height is looked for where the file has none: then beside the pad is all that counts.
void judge_ground(const RigFile& rig, const SensorDescription& sensor, const RigMeans& means,
                  Doubts& doubts) {
  if (!rig.ground) return;
  constexpr double kSomewhere_m = 1e-3;
  const auto& place = *rig.ground;
  const double face_m = rig.surface.z0_m;
  judge_place(
      rig, sensor, means, "ground_mm",
      Vector3{place.x_m, place.y_m, std::min(place.z_m.value_or(face_m), face_m - kSomewhere_m)},
      doubts);
  if (place.z_m && rig.surface_known && *place.z_m >= face_m)
    doubts.add("ground_mm",
               "z {:g} mm is not below the pad's face at {:g} mm: no ground that the pad lies on; "
               "write where its carrier is bare, or leave z out and it is looked for",
               m_to_mm(*place.z_m), m_to_mm(face_m));
}

void judge_boxes(const RigFile& rig, Doubts& doubts) {
  const auto document = json::parse(rig.document);
  const auto boxes = document.value("keep_out", json::array());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double from_mm = boxes[i]["from_mm"][axis], to_mm = boxes[i]["to_mm"][axis];
      if (from_mm < to_mm) continue;
      doubts.add(fmt::format("keep_out {}", i + 1),
                 "{} from {:g} to {:g} mm is the wrong way round or empty: which side is kept out? "
                 "from_mm has the smaller numbers",
                 "xyz"[axis], from_mm, to_mm);
    }
}

}  // namespace

Result<void> check_plausible(const RigFile& rig, const SensorDescription& sensor,
                             const RigMeans& means, std::string_view where) {
  Doubts doubts(where);
  judge_force(rig, means, doubts);
  judge_depth(rig, sensor, doubts);
  judge_stage(rig, means, doubts);
  judge_boxes(rig, doubts);
  judge_place(rig, sensor, means, "plate_mm", rig.plate_m, doubts);
  judge_place(rig, sensor, means, "reference_pad_mm", rig.reference_pad_m, doubts);
  judge_place(rig, sensor, means, "park_mm", rig.park_m, doubts);
  if (rig.leaf_spring)
    judge_place(rig, sensor, means, "leaf_spring.top_mm", rig.leaf_spring->top_m, doubts);
  judge_ground(rig, sensor, means, doubts);
  return doubts.verdict();
}

Warnings coarse_steps(const Plan& plan, const RigFile& rig) {
  constexpr double kUsualStep_m = 2.5e-6;  // 8 mm of lead, 200 steps, in sixteenths
  constexpr double kCoarse = 0.1;          // of the force that is asked for
  const double step_m = rig.step_z_m.value_or(kUsualStep_m);
  const auto* unstated = rig.step_z_m ? "" : ", step_um of the rig file unstated";
  const double compliance_m_per_N = rig.compliance_m_per_N.value_or(0);
  const double step_N = compliance_m_per_N > 0 ? step_m / compliance_m_per_N : 0;
  Warnings warnings;
  std::optional<std::size_t> told;
  for (const auto& segment : plan.segments) {
    if (segment.phase != Phase::kLoad || told == segment.step) continue;
    const auto& step = plan.steps[segment.step];
    const auto warn = [&](const char* code, std::string text) {
      told = segment.step;
      warnings.push_back({code, std::move(text), fmt::format("step {} {}", step.label, step.name)});
    };
    const double depth_m = segment.surface_z_m - segment.motion.end_m()[2];
    if (depth_m >= 0 && depth_m < step_m)
      warn("BELOW-STEP", fmt::format("a depth of {:.3g} um is less than one step of the stage "
                                     "({:.3g} um{}): it presses or it doesn't; go deeper",
                                     depth_m * 1e6, step_m * 1e6, unstated));
    if (is_rigid(segment.touch) && segment.aim_N && step_N > kCoarse * *segment.aim_N)
      warn("COARSE-STEP",
           fmt::format("one step of the stage ({:.3g} um{}) is {:.2g} N on the {} behind {:.2g} "
                       "um/N: presses to {:.3g} N end up to {:.2g} N beside it",
                       step_m * 1e6, unstated, step_N,
                       segment.touch == Touch::kPlate ? "plate" : "ground",
                       compliance_m_per_N * 1e6, *segment.aim_N, step_N / 2));
  }
  return warnings;
}

}  // namespace tactelier
