#include "app/workflow/rig_overview.hpp"

#include "devices/acquisition/live_rig.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

// Until they are measured at this rig (docs/safety.md).
constexpr double kLatency_s = 2e-3;
constexpr double kPrepared_s = 50e-3;
constexpr double kPoll_hz = 10;  // of a stage whose entry says nothing

std::string frame_words(const RigFile& rig) {
  if (!rig.registered) return "not registered yet";
  const auto& frame = rig.stage_to_sensor;
  return fmt::format("x {:.2f} mm · y {:.2f} mm · turn {:.2f}°{}", m_to_mm(frame.x_m),
                     m_to_mm(frame.y_m), rad_to_deg(frame.rz_rad),
                     frame.mirror ? " · mirrored" : "");
}

std::string surface_words(const RigFile& rig) {
  if (!rig.surface_known) return "not searched yet";
  const auto& surface = rig.surface;
  return fmt::format("z {:.3f} mm · tilt {:.2f}°, {:.2f}°", m_to_mm(surface.z0_m),
                     rad_to_deg(surface.tilt_x_rad), rad_to_deg(surface.tilt_y_rad));
}

std::string axis_words(const RigFile& rig) {
  const auto tip = rig.tip_m ? fmt::format("tip at ({:g}, {:g}, {:g}) mm", m_to_mm((*rig.tip_m)[0]),
                                           m_to_mm((*rig.tip_m)[1]), m_to_mm((*rig.tip_m)[2]))
                             : std::string("tip not stated");
  return fmt::format("{}{} · {}", rig.press_axis.sign < 0 ? "-" : "", "xyz"[rig.press_axis.index],
                     tip);
}

std::string travel_words(const RigFile& rig) {
  if (!rig.travel_m) return "not stated: places are not checked against it";
  const auto& t = *rig.travel_m;
  return fmt::format("{:g} x {:g} x {:g} mm", m_to_mm(t[3] - t[0]), m_to_mm(t[4] - t[1]),
                     m_to_mm(t[5] - t[2]));
}

}  // namespace

std::vector<rig::LimitRow> rig_limits(const RigFile& rig, const devices::DeviceFile& devices,
                                      const SensorDescription& sensor, double stiffness_N_per_m,
                                      double speed_m_per_s) {
  const double force_hz = devices.force ? devices.force->options.number("rate_hz", 0) : 0;
  const auto limits = rig::safety_limits(rig, sensor, force_hz, devices.time_scale,
                                         devices.bench_clock.has_value());
  const double poll_hz =
      devices.stage ? devices.stage->options.number("poll_hz", kPoll_hz) : kPoll_hz;
  return rig::limit_table(limits,
                          {stiffness_N_per_m, speed_m_per_s, kLatency_s, kPrepared_s,
                           rig.stage.acceleration_m_per_s2, 1 / poll_hz},
                          rig.step_z_m);
}

std::string emergency_stop_words(const RigFile& rig) {
  if (!rig.emergency_stop) return "not declared (emergency_stop in the rig file)";
  return *rig.emergency_stop ? "declared present" : "declared ABSENT";
}

std::vector<RigFact> rig_geometry(const RigFile& rig) {
  std::vector<RigFact> facts;
  facts.push_back(
      {"Indenter", rig.indenter ? rig.indenter->indenter.describe() : "the protocol's own"});
  facts.push_back({"Sensor frame", frame_words(rig)});
  facts.push_back({"Surface", surface_words(rig)});
  facts.push_back({"Press axis", axis_words(rig)});
  facts.push_back({"Rig compliance", rig.compliance_m_per_N
                                         ? fmt::format("{:.3g} µm/N", *rig.compliance_m_per_N * 1e6)
                                         : "not measured"});
  facts.push_back({"Travel", travel_words(rig)});
  facts.push_back({"Safe height", fmt::format("{:g} mm", m_to_mm(rig.stage.safe_height_m))});
  std::string boxes;
  for (const auto& box : rig.keep_out)
    boxes += fmt::format("{}{}", boxes.empty() ? "" : ", ", box.what.empty() ? "a box" : box.what);
  facts.push_back({"Keep out", boxes.empty() ? "nothing" : boxes});
  return facts;
}

}  // namespace tactelier
