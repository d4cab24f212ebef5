#include <fmt/format.h>

#include <cmath>
#include <map>

#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/plan_steps.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

/// Walks the steps; those inside a repeat keep one row of the table.
class Planner {
 public:
  explicit Planner(PlanBuilder& plan) : plan_(plan) {}

  Result<void> run(const std::vector<Step>& steps) {
    for (const auto& step : steps) {
      if (const auto* repeat = std::get_if<steps::Repeat>(&step.what)) {
        for (int i = 0; i < repeat->times; ++i)
          if (auto done = run(repeat->steps); !done) return done;
        continue;
      }
      if (auto done = one(step); !done) return done;
    }
    return {};
  }

 private:
  Result<void> one(const Step& step) {
    auto row = rows_.find(&step);
    if (row == rows_.end())
      row =
          rows_.emplace(&step, plan_.add_row(step, protocol_code(step), describe_work(step))).first;
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
};

std::string times(int count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : what.ends_with('s') ? "es" : "s");
}

std::string one_or_list(const std::vector<double>& values, double from_si, std::string_view unit) {
  std::vector<std::string> words;
  for (const double value : values) words.push_back(fmt::format("{:.6g}", value * from_si));
  if (words.size() > 8)
    return fmt::format("{} values {} to {} {}", words.size(), words.front(), words.back(), unit);
  return fmt::format("{} {}", fmt::join(words, ", "), unit);
}

std::string item_text(const SiteItem& item) {
  if (const auto* tactel = std::get_if<int>(&item)) return fmt::format("tactel {}", *tactel);
  if (const auto* point = std::get_if<SitePoint>(&item))
    return fmt::format("({:.6g}, {:.6g}) mm", m_to_mm(point->x_m), m_to_mm(point->y_m));
  constexpr std::array<std::string_view, 3> kNames{"centre", "edges", "corners"};
  return std::string(kNames[static_cast<std::size_t>(std::get<SiteName>(item))]);
}

std::string sites_text(const Sites& sites) {
  if (sites.all) return "all tactels";
  if (sites.count > 0) return times(sites.count, "site");
  if (sites.items.size() > 3) return fmt::format("{} places", sites.items.size());
  std::vector<std::string> words;
  for (const auto& item : sites.items) words.push_back(item_text(item));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string target_text(const Target& target) {
  if (target.depth_m) return fmt::format("{:.6g} mm", m_to_mm(*target.depth_m));
  return fmt::format("{:.6g} N", target.force_N.value_or(0));
}

struct Describe {
  std::string operator()(const steps::Zero& s) const {
    return fmt::format("nothing touches for {:.6g} s", s.time_s);
  }
  std::string operator()(const steps::Plate& s) const {
    return fmt::format("rigid plate to {:.6g} N at {:.6g} mm/s, {}", s.force_N,
                       m_to_mm(s.speed_m_s), times(s.repeats, "press"));
  }
  std::string operator()(const steps::Scan& s) const {
    return fmt::format(
        "{}{} at {:.6g} mm/s, {}{}", sites_text(s.tactels),
        s.order == Order::kRandom ? " in random order" : "", m_to_mm(s.speed_m_s),
        times(s.repeats, "pass"),
        s.discard_first > 0 ? fmt::format(" after {} to discard", s.discard_first) : "");
  }
  std::string operator()(const steps::Staircase& s) const {
    const auto depths = s.depths_percent.empty() ? one_or_list(s.depths_m, 1e3, "mm")
                                                 : one_or_list(s.depths_percent, 1, "%");
    return fmt::format("{}: {}, {:.6g} s each, {}", sites_text(s.sites), depths, s.dwell_s,
                       times(s.repeats, "press"));
  }
  std::string operator()(const steps::Hold& s) const {
    return fmt::format("{}: {} within {:.6g} s, held {:.6g} s", sites_text(s.sites),
                       target_text(s.target), s.ramp_s, s.time_s);
  }
  std::string operator()(const steps::Cycles& s) const {
    return fmt::format("{}: {} to {} at {:.6g} mm/s", sites_text(s.sites), times(s.count, "cycle"),
                       target_text(s.target), m_to_mm(s.speed_m_s));
  }
  std::string operator()(const steps::Speeds& s) const {
    return fmt::format("{}: {:.6g} mm at {}, {}", sites_text(s.sites), m_to_mm(s.depth_m),
                       one_or_list(s.speeds_m_s, 1e3, "mm/s"), times(s.repeats, "press"));
  }
  std::string operator()(const steps::Chirp& s) const {
    return fmt::format("{}: {:.6g} +- {:.6g} mm, {:.6g} to {:.6g} Hz in {:.6g} s",
                       sites_text(s.sites), m_to_mm(s.preload_m), m_to_mm(s.amplitude_m), s.from_Hz,
                       s.to_Hz, s.time_s);
  }
  std::string operator()(const steps::Raster& s) const {
    return fmt::format("every {:.6g} mm to {}", m_to_mm(s.step_m), target_text(s.target));
  }
  std::string operator()(const steps::Area& s) const {
    return fmt::format("plate on the pad: {}, {:.6g} s each", one_or_list(s.forces_N, 1, "N"),
                       s.dwell_s);
  }
  std::string operator()(const steps::Weights& s) const {
    return fmt::format("dead weights on {:.6g} mm2: {}", m2_to_mm2(s.area_m2),
                       one_or_list(s.masses_kg, 1e3, "g"));
  }
  std::string operator()(const steps::Slide& s) const {
    return fmt::format("{:.6g} mm under {} at {}", m_to_mm(s.length_m),
                       one_or_list(s.loads_N, 1, "N"), one_or_list(s.speeds_m_s, 1e3, "mm/s"));
  }
  std::string operator()(const steps::Preslide& s) const {
    return fmt::format("{} at {} under {}", one_or_list(s.amplitudes_m, 1e3, "mm"),
                       one_or_list(s.frequencies_Hz, 1, "Hz"), one_or_list(s.loads_N, 1, "N"));
  }
  std::string operator()(const steps::Images& s) const {
    const auto load = s.masses_kg.empty() ? one_or_list(s.forces_N, 1, "N")
                                          : one_or_list(s.masses_kg, 1e3, "g by hand");
    return fmt::format("{} at {}, {}", times(static_cast<int>(s.indenters.size()), "shape"),
                       one_or_list(s.rz_rad, 1 / deg_to_rad(1), "deg"), load);
  }
  std::string operator()(const steps::Reference& s) const {
    return s.weight ? fmt::format("{:.6g} g on the force sensor", s.mass_kg * 1e3)
                    : "reference pad touched";
  }
  std::string operator()(const steps::Prompt& s) const { return s.text; }
  std::string operator()(const steps::Repeat& s) const { return times(s.times, "time"); }
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
  if (setup.indenter && protocol.indenter && !(*setup.indenter == *protocol.indenter))
    plan.warn("indenter", fmt::format("written for a {}; the rig has a {}",
                                      protocol.indenter->indenter.describe(),
                                      setup.indenter->indenter.describe()));
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
  if (!positive(stage.acceleration_m_s2) || !positive(stage.xy_speed_m_s) ||
      !positive(stage.z_speed_m_s) || !positive(stage.safe_height_m) || !positive(stage.air_gap_m))
    return fail(
        ErrorCode::kInvalidInput,
        "the stage's limits are missing: acceleration, speeds, safe height and air gap must "
        "be positive");
  return {};
}

}  // namespace

std::string_view protocol_code(const Step& step) {
  constexpr std::array<std::string_view, 17> kCodes{"P0",  "P1",  "P2", "P3", "P6", "",
                                                    "P5",  "P7",  "P8", "P4", "P4", "P9",
                                                    "P10", "P12", "",   "",   ""};
  static_assert(kCodes.size() == std::variant_size_v<decltype(Step::what)>);
  return kCodes[step.what.index()];
}

std::string describe_work(const Step& step) { return std::visit(Describe{}, step.what); }

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
  check_beliefs(builder, protocol, setup, sensor);
  if (auto done = Planner(builder).run(protocol.steps); !done) return fail(done.error());
  return builder.take();
}

}  // namespace tactelier
