#include "fitting/plan/planned_work.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kNoDepth_m = 1e-9;

double time_at_height_s(const Motion& motion, double z_m) {
  const double from_m = motion.from_m()[2];
  const double fall_m = from_m - motion.end_m()[2];
  if (!(fall_m > 0)) return motion.duration_s();
  const double share = std::clamp((from_m - z_m) / fall_m, 0.0, 1.0);
  return motion.time_at_length_s(share * motion.path_m());
}

class WorkCollector {
 public:
  WorkCollector(const ExpectedPad& pad, const SensorDescription& sensor)
      : pad_(pad), sensor_(sensor) {}

  PlannedWork collect(const Plan& plan) {
    mounted_ = plan.indenter;
    work_.duration_s = plan.duration_s;
    work_.images = plan.images;
    for (const auto& segment : plan.segments) {
      for (const auto& event : segment.at_begin) begin(event, segment);
      follow(segment);
      for (const auto& event : segment.at_end) end(event, segment);
      if (segment.indenter) mounted_ = segment.indenter;
    }
    return std::move(work_);
  }

 private:
  void begin(const PlannedEvent& event, const Segment& segment) {
    const auto data = json::parse(event.data);
    if (event.name == "press_begin") begin_press(data, segment);
    if (event.name == "plate_begin") {
      work_.plates.push_back({segment.begin_s, 0, 0});
      on_plate_ = true;
    }
    if (event.name == "shear_begin") ++work_.shears;
    if (event.name == "weight") ++work_.weights;
    if (event.name == "zero_begin") work_.unloaded_s += segment.duration_s;
    if (event.name == "slide_begin") begin_slide(data, segment);
    if (event.name == "hold_begin" && open_)
      press().holds.push_back(
          {segment.begin_s, segment.end_s(), segment.regulate_N.has_value(), depth_of(segment)});
  }

  void begin_press(const json& data, const Segment& segment) {
    PlannedPress press;
    press.kind = press_kind_from(data.value("kind", "ramp")).value_or(PressKind::kRamp);
    if (data.contains("tactel")) press.tactel = data["tactel"].get<int>();
    press.x_m = 1e-3 * data.value("x_mm", 0.0);
    press.y_m = 1e-3 * data.value("y_mm", 0.0);
    press.begin_s = segment.begin_s;
    if (mounted_) press.indenter = *mounted_;
    work_.presses.push_back(std::move(press));
    open_ = true;
  }

  void begin_slide(const json& data, const Segment& segment) {
    PlannedSlide slide;
    slide.begin_s = segment.begin_s;
    slide.duration_s = segment.duration_s;
    slide.load_N = data.value("load_N", 0.0);
    slide.speed_m_per_s = segment.speed_m_per_s;
    slide.contact = contact_;
    slide.motion = segment.motion;
    slide.oscillates = segment.motion.is_oscillation();
    work_.slides.push_back(std::move(slide));
  }

  void follow(const Segment& segment) {
    if (segment.phase == Phase::kUnload) ++contact_;
    if (segment.phase != Phase::kLoad) return;
    if (segment.touch == Touch::kPlate && on_plate_) {
      work_.plates.back().speed_m_per_s = segment.speed_m_per_s;
      work_.plates.back().force_N = segment.aim_N.value_or(segment.until.force_N.value_or(0));
    }
    if (segment.touch != Touch::kPad || !open_) return;
    if (segment.until.force_N) press().until_N = segment.until.force_N;
    const double depth_m = depth_of(segment);
    press().loadings.push_back(
        {segment.begin_s, segment.motion, segment.speed_m_per_s, segment.surface_z_m, depth_m});
    if (depth_m <= press().depth_m) return;
    press().depth_m = depth_m;
    press().force_N = segment.aim_N.value_or(
        expected_force_N(pad_, Belief::kValue, press().indenter.indenter, depth_m, sensor_));
  }

  void end(const PlannedEvent& event, const Segment& segment) {
    if (event.name == "plate_end") on_plate_ = false;
    if (event.name != "press_end" || !open_) return;
    press().end_s = segment.end_s();
    press().counts = json::parse(event.data).value("outcome", "ok") == "ok";
    open_ = false;
  }

  static double depth_of(const Segment& segment) {
    return std::max(0.0, segment.surface_z_m - segment.end_m[2]);
  }
  PlannedPress& press() { return work_.presses.back(); }

  const ExpectedPad& pad_;
  const SensorDescription& sensor_;
  PlannedWork work_;
  std::optional<MountedIndenter> mounted_;
  std::size_t contact_ = 0;
  bool on_plate_ = false;
  bool open_ = false;  // a press has begun and not ended
};

}  // namespace

double PlannedLoading::depth_m(double t_s) const {
  return std::clamp(surface_z_m - motion.position_m(t_s)[2], 0.0, end_depth_m);
}

double PlannedLoading::touch_s() const { return time_at_height_s(motion, surface_z_m); }

double PlannedLoading::end_s() const {
  return time_at_height_s(motion, surface_z_m - end_depth_m + kNoDepth_m);
}

PlannedWork planned_work(const Plan& plan, const ExpectedPad& pad,
                         const SensorDescription& sensor) {
  return WorkCollector(pad, sensor).collect(plan);
}

}  // namespace tactelier
