#include "libcalib/protocol/step_reader.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

std::vector<double> numbers(const json& step, const char* key, double to_si,
                            std::vector<double> missing = {}) {
  if (!step.contains(key)) return missing;
  const auto& value = step[key];
  if (value.is_number()) return {value.get<double>() * to_si};
  std::vector<double> list;
  for (const auto& entry : value) list.push_back(entry.get<double>() * to_si);
  return list;
}

std::optional<double> number(const json& step, const char* key, double to_si = 1) {
  if (!step.contains(key)) return std::nullopt;
  return step[key].get<double>() * to_si;
}

SiteName site_name(const std::string& text) {
  if (text == "centre") return SiteName::kCentre;
  return text == "edges" ? SiteName::kEdges : SiteName::kCorners;
}

Sites read_sites(const json& value) {
  constexpr int kStandardSites = 9;
  Sites sites;
  if (value == "all") {
    sites.all = true;
  } else if (value == "sites") {
    sites.count = kStandardSites;
  } else if (value.is_string()) {
    sites.items.emplace_back(site_name(value.get<std::string>()));
  } else if (value.is_number()) {
    sites.count = value.get<int>();
  } else {
    for (const auto& item : value) {
      if (item.is_number()) sites.items.emplace_back(item.get<int>());
      if (item.is_string()) sites.items.emplace_back(site_name(item.get<std::string>()));
      if (item.is_array())
        sites.items.emplace_back(
            SitePoint{mm_to_m(item[0].get<double>()), mm_to_m(item[1].get<double>())});
    }
  }
  return sites;
}

/// Places of a grid from the corner x0, y0; both ends where the step divides the side. Empty when
/// there are too many.
std::vector<SiteItem> grid_points(const json& grid) {
  constexpr double kMaxPoints = 100'000;
  const auto& area = grid["area_mm"];
  const double step_mm = grid["step_mm"].get<double>();
  const auto count = [&](std::size_t from, std::size_t to) {
    return std::floor((area[to].get<double>() - area[from].get<double>()) / step_mm + 1e-6) + 1;
  };
  const double columns = count(0, 2), rows = count(1, 3);
  std::vector<SiteItem> points;
  if (!(columns >= 1) || !(rows >= 1) || columns * rows > kMaxPoints) return points;
  for (int row = 0; row < static_cast<int>(rows); ++row)
    for (int column = 0; column < static_cast<int>(columns); ++column)
      points.emplace_back(SitePoint{mm_to_m(area[0].get<double>() + column * step_mm),
                                    mm_to_m(area[1].get<double>() + row * step_mm)});
  return points;
}

/// The keys of one step.
class StepKeys {
 public:
  StepKeys(const json& step, std::string where) : step_(step), where_(std::move(where)) {}

  template <class... Args>
  tl::unexpected<Error> bad(fmt::format_string<Args...> text, Args&&... args) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}", where_,
                fmt::format(text, std::forward<Args>(args)...));
  }

  const json& operator[](const char* key) const { return step_[key]; }
  bool has(const char* key) const { return step_.contains(key); }
  const std::string& where() const { return where_; }
  int count(const char* key, int missing = 1) const { return step_.value(key, missing); }
  double get(const char* key, double to_si = 1) const {
    return number(step_, key, to_si).value_or(0);
  }
  std::vector<double> list(const char* key, double to_si = 1,
                           std::vector<double> missing = {}) const {
    return numbers(step_, key, to_si, std::move(missing));
  }
  Sites sites() const { return read_sites(step_["sites"]); }

  Result<Target> target() const {
    const Target target{number(step_, "depth_mm", 1e-3), number(step_, "force_N")};
    if (target.depth_m && target.force_N)
      return bad("depth_mm and force_N exclude each other; give one");
    if (!target.depth_m && !target.force_N) return bad("key 'depth_mm' or 'force_N' is missing");
    return target;
  }

  /// What the file may leave out and the planner then chooses.
  std::optional<double> optional(const char* key, double to_si) const {
    return number(step_, key, to_si);
  }

 private:
  const json& step_;
  std::string where_;
};

template <class T>
struct As {};

Result<steps::Zero> read(const StepKeys& keys, As<steps::Zero>) {
  return steps::Zero{keys.get("time_s")};
}

Result<steps::WarmUp> read(const StepKeys& keys, As<steps::WarmUp>) {
  constexpr double kPerMinute = 1.0 / 60;
  steps::WarmUp warm_up;
  if (const auto drift = keys.optional("drift_mN_per_min", 1e-3 * kPerMinute))
    warm_up.drift_N_per_s = *drift;
  if (const auto drift = keys.optional("temperature_K_per_min", kPerMinute))
    warm_up.temperature_K_per_s = *drift;
  warm_up.at_most_s = keys.optional("at_most_s", 1).value_or(warm_up.at_most_s);
  warm_up.required = keys.has("required") && keys["required"].get<bool>();
  return warm_up;
}

Result<steps::Spring> read(const StepKeys& keys, As<steps::Spring>) {
  return steps::Spring{keys.get("force_N"), keys.get("speed_mm_s", 1e-3), keys.count("repeats", 3)};
}

Result<steps::Plate> read(const StepKeys& keys, As<steps::Plate>) {
  return steps::Plate{keys.get("force_N"), keys.get("speed_mm_s", 1e-3), keys.count("repeats")};
}

Result<steps::Shear> read(const StepKeys& keys, As<steps::Shear>) {
  constexpr double kUsual_deg = 90;
  constexpr int kUsualPairs = 6;
  return steps::Shear{
      keys.get("force_N"), keys.get("length_mm", 1e-3), keys.get("speed_mm_s", 1e-3),
      deg_to_rad(keys.has("direction_deg") ? keys.get("direction_deg") : kUsual_deg),
      keys.count("repeats", kUsualPairs)};
}

Result<steps::Ground> read(const StepKeys& keys, As<steps::Ground>) {
  return steps::Ground{keys.get("force_N"), keys.get("speed_mm_s", 1e-3), keys.count("repeats")};
}

Result<steps::Condition> read(const StepKeys& keys, As<steps::Condition>) {
  steps::Condition condition;
  if (keys.has("sites")) condition.sites = keys.sites();
  condition.depth_m = keys.optional("depth_mm", 1e-3);
  condition.force_N = keys.optional("force_N", 1);
  if (condition.depth_m && condition.force_N)
    return keys.bad("depth_mm and force_N exclude each other; give one");
  if (keys.has("factor") && (condition.depth_m || condition.force_N))
    return keys.bad("factor has no effect beside {}", condition.depth_m ? "depth_mm" : "force_N");
  condition.factor = keys.optional("factor", 1).value_or(condition.factor);
  condition.cycles = keys.count("cycles", condition.cycles);
  condition.speed_m_per_s = keys.optional("speed_mm_s", 1e-3);
  condition.rest_s = keys.optional("rest_s", 1).value_or(condition.rest_s);
  return condition;
}

Result<steps::Scan> read(const StepKeys& keys, As<steps::Scan>) {
  if (keys.has("tactels") + keys.has("sites") + keys.has("grid") > 1)
    return keys.bad("tactels, sites and grid exclude each other; give one");
  steps::Scan scan;
  scan.tactels.all = !keys.has("grid");
  if (keys.has("grid")) scan.tactels.items = grid_points(keys["grid"]);
  if (keys.has("grid") && scan.tactels.items.empty())
    return keys.bad("grid: area_mm and step_mm make no place, or more than 100000");
  if (keys.has("tactels")) scan.tactels = read_sites(keys["tactels"]);
  if (keys.has("sites")) scan.tactels = keys.sites();
  scan.speeds_m_per_s = keys.list("speed_mm_s", 1e-3);
  scan.repeats = keys.count("repeats");
  scan.discard_first = keys.count("discard_first", 0);
  if (keys.has("order") && keys["order"] == "random") scan.order = Order::kRandom;
  if (keys.has("seed") && scan.order != Order::kRandom)
    return keys.bad("seed has no effect without \"order\": \"random\"");
  if (keys.has("seed")) scan.seed = keys["seed"].get<std::uint64_t>();
  scan.rest_s = keys.get("rest_s");
  return scan;
}

Result<steps::Staircase> read(const StepKeys& keys, As<steps::Staircase>) {
  steps::Staircase stairs{keys.sites(), keys.list("depths_mm", 1e-3), keys.list("depths_percent"),
                          keys.get("dwell_s"), keys.count("repeats")};
  if (stairs.depths_m.empty() == stairs.depths_percent.empty())
    return keys.bad("{}", stairs.depths_m.empty()
                              ? "key 'depths_mm' or 'depths_percent' is missing"
                              : "depths_mm and depths_percent exclude each other; give one");
  return stairs;
}

Result<steps::Hold> read(const StepKeys& keys, As<steps::Hold>) {
  return keys.target().map([&](const Target& target) {
    return steps::Hold{keys.sites(), target, keys.get("ramp_s"), keys.get("time_s")};
  });
}

Result<steps::Cycles> read(const StepKeys& keys, As<steps::Cycles>) {
  return keys.target().map([&](const Target& target) {
    return steps::Cycles{keys.sites(), target, keys.get("speed_mm_s", 1e-3), keys.count("count")};
  });
}

Result<steps::Speeds> read(const StepKeys& keys, As<steps::Speeds>) {
  return steps::Speeds{keys.sites(), keys.get("depth_mm", 1e-3), keys.list("speeds_mm_s", 1e-3),
                       keys.count("repeats")};
}

Result<steps::Chirp> read(const StepKeys& keys, As<steps::Chirp>) {
  const steps::Chirp chirp{keys.sites(),
                           keys.get("preload_mm", 1e-3),
                           keys.get("amplitude_mm", 1e-3),
                           keys.get("from_hz"),
                           keys.get("to_hz"),
                           keys.get("time_s")};
  if (chirp.to_hz < chirp.from_hz)
    return keys.bad("to_hz {:.10g} is below from_hz {:.10g}", chirp.to_hz, chirp.from_hz);
  if (chirp.amplitude_m >= chirp.preload_m)
    return keys.bad("amplitude_mm {:.10g} is not below preload_mm {:.10g}: the tip would lift off",
                    m_to_mm(chirp.amplitude_m), m_to_mm(chirp.preload_m));
  return chirp;
}

Result<steps::Raster> read(const StepKeys& keys, As<steps::Raster>) {
  const auto target = keys.target();
  if (!target) return fail(target.error());
  steps::Raster raster;
  raster.target = *target;
  const auto area = keys.list("area_mm", 1e-3);
  std::copy_n(area.begin(), 4, raster.area_m.begin());
  if (area[2] < area[0] || area[3] < area[1])
    return keys.bad("area_mm: x1, y1 must not lie below x0, y0");
  raster.step_m = keys.get("step_mm", 1e-3);
  raster.speed_m_per_s = keys.optional("speed_mm_s", 1e-3);
  raster.dwell_s = keys.get("dwell_s");
  return raster;
}

Result<steps::Area> read(const StepKeys& keys, As<steps::Area>) {
  return steps::Area{keys.list("force_N"), keys.get("dwell_s")};
}

Result<steps::Weights> read(const StepKeys& keys, As<steps::Weights>) {
  return steps::Weights{keys.list("masses_g", 1e-3), keys.get("area_mm2", 1e-6)};
}

Result<steps::Slide> read(const StepKeys& keys, As<steps::Slide>) {
  const double turn = std::numbers::pi;
  return steps::Slide{
      keys.list("load_N"), keys.list("speeds_mm_s", 1e-3), keys.get("length_mm", 1e-3),
      keys.list("directions_deg", deg_to_rad(1), {0.0, turn}), keys.count("repeats")};
}

Result<steps::Preslide> read(const StepKeys& keys, As<steps::Preslide>) {
  return steps::Preslide{keys.list("load_N"), keys.list("amplitude_mm", 1e-3),
                         keys.list("frequencies_hz"), keys.get("time_s")};
}

/// Two lists of one length are pairs; a single number goes with all of the other. 0 where left out.
template <class Pair>
Result<std::vector<Pair>> pairs(const StepKeys& keys, const char* x_key, const char* y_key,
                                double factor) {
  const auto xs = keys.list(x_key, factor, {0.0});
  const auto ys = keys.list(y_key, factor, {0.0});
  if (xs.size() != ys.size() && xs.size() != 1 && ys.size() != 1)
    return keys.bad("{} {} for {} {}; one each, or one for all", xs.size(), x_key, ys.size(),
                    y_key);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < std::max(xs.size(), ys.size()); ++i)
    pairs.push_back({xs[xs.size() == 1 ? 0 : i], ys[ys.size() == 1 ? 0 : i]});
  return pairs;
}

Result<std::vector<steps::Images::Tilt>> image_tilts(const StepKeys& keys) {
  auto tilts = pairs<steps::Images::Tilt>(keys, "tilt_x_deg", "tilt_y_deg", deg_to_rad(1));
  if (!tilts || keys.list("force_N").empty()) return tilts;
  for (const auto& tilt : *tilts)
    if (tilt.x_rad != 0 || tilt.y_rad != 0)
      return keys.bad(
          "a tilt goes with masses_g, laid on in a guide: the stage's holder has no angle to set");
  return tilts;
}

Result<steps::Images> read(const StepKeys& keys, As<steps::Images>) {
  steps::Images images;
  for (const auto& shape : keys["indenters"]) {
    auto mounted = mounted_indenter(shape.dump(), keys.where() + ": indenters");
    if (!mounted) return fail(mounted.error());
    images.indenters.push_back(std::move(*mounted));
  }
  images.rz_rad = keys.list("rz_deg", deg_to_rad(1), {0.0});
  images.masses_kg = keys.list("masses_g", 1e-3);
  images.forces_N = keys.list("force_N");
  if (images.masses_kg.empty() == images.forces_N.empty())
    return keys.bad("{}", images.masses_kg.empty()
                              ? "key 'masses_g' or 'force_N' is missing"
                              : "masses_g and force_N exclude each other; give one");
  auto points = pairs<SitePoint>(keys, "x_mm", "y_mm", 1e-3);
  if (!points) return fail(points.error());
  images.points = std::move(*points);
  auto tilts = image_tilts(keys);
  if (!tilts) return fail(tilts.error());
  images.tilts = std::move(*tilts);
  images.repeats = keys.count("repeats");
  images.dwell_s = keys.get("dwell_s");
  return images;
}

Result<steps::Reference> read(const StepKeys& keys, As<steps::Reference>) {
  const steps::Reference reference{keys["what"] == "weight", keys.get("mass_g", 1e-3)};
  if (reference.weight && !keys.has("mass_g"))
    return keys.bad("key 'mass_g' is missing; a weight on the force sensor must be known");
  if (!reference.weight && keys.has("mass_g"))
    return keys.bad("mass_g belongs to \"what\": \"weight\"");
  return reference;
}

Result<steps::Prompt> read(const StepKeys& keys, As<steps::Prompt>) {
  steps::Prompt prompt{keys["text"].get<std::string>(), std::nullopt};
  if (!keys.has("indenter")) return prompt;
  auto mounted = mounted_indenter(keys["indenter"].dump(), keys.where() + ": indenter");
  if (!mounted) return fail(mounted.error());
  prompt.indenter = std::move(*mounted);
  return prompt;
}

/// The step's reader, found by its name among all of the variant; protocol_file.cpp reads repeats.
template <class... S>
Result<StepContent> read_any(const StepKeys& keys, As<std::variant<S...>>) {
  Result<StepContent> content = keys.bad("the schema has a step that the program has not");
  const auto take = [&]<class T>(As<T> as) {
    if constexpr (!std::is_same_v<T, steps::Repeat>) {
      if (keys["do"] == T::kName) content = read(keys, as);
    }
  };
  (take(As<S>{}), ...);
  return content;
}

}  // namespace

Until read_until(const json& step) {
  Until until;
  if (!step.contains("until")) return until;
  const auto& object = step["until"];
  until.force_N = number(object, "force_N");
  until.depth_m = number(object, "depth_mm", 1e-3);
  until.pressure_Pa = number(object, "pressure_MPa", 1e6);
  until.saturated = object.contains("saturated");
  until.time_s = number(object, "time_s");
  return until;
}

Result<StepContent> read_step(const json& object, const std::string& where) {
  return read_any(StepKeys(object, where), As<StepContent>{});
}

}  // namespace tactelier
