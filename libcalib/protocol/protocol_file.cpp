// Protocols from JSON: schema first, then sense. One reader per step.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/protocol.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 16U << 20U;
constexpr std::size_t kMaxSteps = 10'000;

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

double value_of(const json& step, const char* key, double to_si = 1) {
  return number(step, key, to_si).value_or(0);
}

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

/// Reads one step; `where` is "mine.json: step 4 (scan)".
class StepReader {
 public:
  StepReader(const json& step, std::string where) : step_(step), where_(std::move(where)) {}

  template <class... Args>
  tl::unexpected<Error> bad(fmt::format_string<Args...> text, Args&&... args) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}", where_,
                fmt::format(text, std::forward<Args>(args)...));
  }

  Result<Target> target() const {
    const Target target{number(step_, "depth_mm", 1e-3), number(step_, "force_N")};
    if (target.depth_m && target.force_N)
      return bad("depth_mm and force_N exclude each other; give one");
    if (!target.depth_m && !target.force_N) return bad("key 'depth_mm' or 'force_N' is missing");
    return target;
  }

  Sites sites() const { return read_sites(step_["sites"]); }
  int count(const char* key, int missing = 1) const { return step_.value(key, missing); }
  double get(const char* key, double to_si = 1) const { return value_of(step_, key, to_si); }
  std::vector<double> list(const char* key, double to_si = 1,
                           std::vector<double> missing = {}) const {
    return numbers(step_, key, to_si, std::move(missing));
  }

  Result<steps::Scan> scan() const {
    if (step_.contains("tactels") && step_.contains("sites"))
      return bad("tactels and sites exclude each other; give one");
    steps::Scan scan;
    scan.tactels.all = true;
    if (step_.contains("tactels")) scan.tactels = read_sites(step_["tactels"]);
    if (step_.contains("sites")) scan.tactels = sites();
    scan.speed_m_per_s = get("speed_mm_s", 1e-3);
    scan.repeats = count("repeats");
    scan.discard_first = count("discard_first", 0);
    if (step_.value("order", "rows") == "random") scan.order = Order::kRandom;
    if (step_.contains("seed") && scan.order != Order::kRandom)
      return bad("seed has no effect without \"order\": \"random\"");
    scan.seed = step_.value("seed", std::uint64_t{1});
    scan.rest_s = get("rest_s");
    return scan;
  }

  Result<steps::Staircase> staircase() const {
    steps::Staircase stairs{sites(), list("depths_mm", 1e-3), list("depths_percent"),
                            get("dwell_s"), count("repeats")};
    if (stairs.depths_m.empty() == stairs.depths_percent.empty())
      return bad("{}", stairs.depths_m.empty()
                           ? "key 'depths_mm' or 'depths_percent' is missing"
                           : "depths_mm and depths_percent exclude each other; give one");
    return stairs;
  }

  Result<steps::Chirp> chirp() const {
    const steps::Chirp chirp{sites(),
                             get("preload_mm", 1e-3),
                             get("amplitude_mm", 1e-3),
                             get("from_hz"),
                             get("to_hz"),
                             get("time_s")};
    if (chirp.to_hz < chirp.from_hz)
      return bad("to_hz {:.10g} is below from_hz {:.10g}", chirp.to_hz, chirp.from_hz);
    if (chirp.amplitude_m >= chirp.preload_m)
      return bad("amplitude_mm {:.10g} is not below preload_mm {:.10g}: the tip would lift off",
                 m_to_mm(chirp.amplitude_m), m_to_mm(chirp.preload_m));
    return chirp;
  }

  Result<steps::Raster> raster() const {
    auto aim = target();
    if (!aim) return fail(aim.error());
    steps::Raster raster;
    raster.target = *aim;
    const auto area = list("area_mm", 1e-3);
    std::copy_n(area.begin(), 4, raster.area_m.begin());
    if (area[2] < area[0] || area[3] < area[1])
      return bad("area_mm: x1, y1 must not lie below x0, y0");
    raster.step_m = get("step_mm", 1e-3);
    raster.speed_m_per_s = number(step_, "speed_mm_s", 1e-3);
    raster.dwell_s = get("dwell_s");
    return raster;
  }

  Result<steps::Slide> slide() const {
    const double turn = std::numbers::pi;
    return steps::Slide{list("load_N"), list("speeds_mm_s", 1e-3), get("length_mm", 1e-3),
                        list("directions_deg", deg_to_rad(1), {0.0, turn}), count("repeats")};
  }

  Result<steps::Images> images() const {
    steps::Images images;
    for (const auto& shape : step_["indenters"]) {
      auto mounted = mounted_indenter(shape.dump(), where_ + ": indenters");
      if (!mounted) return fail(mounted.error());
      images.indenters.push_back(std::move(*mounted));
    }
    images.rz_rad = list("rz_deg", deg_to_rad(1), {0.0});
    images.masses_kg = list("masses_g", 1e-3);
    images.forces_N = list("force_N");
    if (images.masses_kg.empty() == images.forces_N.empty())
      return bad("{}", images.masses_kg.empty()
                           ? "key 'masses_g' or 'force_N' is missing"
                           : "masses_g and force_N exclude each other; give one");
    if (auto points = image_points(images); !points) return fail(points.error());
    images.repeats = count("repeats");
    images.dwell_s = get("dwell_s");
    return images;
  }

  Result<steps::Reference> reference() const {
    const steps::Reference reference{step_["what"] == "weight", get("mass_g", 1e-3)};
    if (reference.weight && !step_.contains("mass_g"))
      return bad("key 'mass_g' is missing; a weight on the force sensor must be known");
    if (!reference.weight && step_.contains("mass_g"))
      return bad("mass_g belongs to \"what\": \"weight\"");
    return reference;
  }

  Result<steps::Prompt> prompt() const {
    steps::Prompt prompt{step_["text"].get<std::string>(), std::nullopt};
    if (!step_.contains("indenter")) return prompt;
    auto mounted = mounted_indenter(step_["indenter"].dump(), where_ + ": indenter");
    if (!mounted) return fail(mounted.error());
    prompt.indenter = std::move(*mounted);
    return prompt;
  }

 private:
  /// Two lists of one length are pairs; a single number goes with all of the other.
  Result<void> image_points(steps::Images& images) const {
    const auto xs = list("x_mm", 1e-3, {0.0});
    const auto ys = list("y_mm", 1e-3, {0.0});
    if (xs.size() != ys.size() && xs.size() != 1 && ys.size() != 1)
      return bad("{} x_mm for {} y_mm; one each, or one for all", xs.size(), ys.size());
    for (std::size_t i = 0; i < std::max(xs.size(), ys.size()); ++i)
      images.points.push_back({xs[xs.size() == 1 ? 0 : i], ys[ys.size() == 1 ? 0 : i]});
    return {};
  }

  const json& step_;
  std::string where_;
};

class ProtocolReader {
 public:
  explicit ProtocolReader(std::string where) : where_(std::move(where)) {}

  Result<std::vector<Step>> steps(const json& list, const std::string& label, int depth) {
    std::vector<Step> read;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (++count_ > kMaxSteps)
        return fail(ErrorCode::kInvalidInput, "{}: more than {} steps", where_, kMaxSteps);
      auto step =
          one(list[i], fmt::format("{}{}{}", label, label.empty() ? "" : ".", i + 1), depth);
      if (!step) return fail(step.error());
      read.push_back(std::move(*step));
    }
    return read;
  }

 private:
  Result<Step> one(const json& object, std::string label, int depth) {
    const auto name = object["do"].get<std::string>();
    const auto where = fmt::format("{}: step {} ({})", where_, label, name);
    const StepReader reader(object, where);
    Step step{std::move(label), object.value("note", ""), read_until(object), {}};
    if (name == "repeat") {
      if (depth >= kMaxRepeatDepth)
        return reader.bad("repeats are nested deeper than {}", kMaxRepeatDepth);
      auto inner = steps(object["steps"], step.label, depth + 1);
      if (!inner) return fail(inner.error());
      step.what = steps::Repeat{object["times"].get<int>(), std::move(*inner)};
      return step;
    }
    if (auto read = content(reader, name, step); !read) return fail(read.error());
    return step;
  }

  template <class T>
  static Result<void> put(Step& step, Result<T> read) {
    if (!read) return fail(read.error());
    step.what = std::move(*read);
    return {};
  }

  static Result<void> content(const StepReader& r, std::string_view name, Step& step) {
    if (name == "zero") return put<steps::Zero>(step, steps::Zero{r.get("time_s")});
    if (name == "plate")
      return put<steps::Plate>(
          step, steps::Plate{r.get("force_N"), r.get("speed_mm_s", 1e-3), r.count("repeats")});
    if (name == "scan") return put(step, r.scan());
    if (name == "staircase") return put(step, r.staircase());
    if (name == "hold" || name == "cycles") return targeted(r, name, step);
    if (name == "speeds")
      return put<steps::Speeds>(
          step, steps::Speeds{r.sites(), r.get("depth_mm", 1e-3), r.list("speeds_mm_s", 1e-3),
                              r.count("repeats")});
    if (name == "chirp") return put(step, r.chirp());
    if (name == "raster") return put(step, r.raster());
    if (name == "area")
      return put<steps::Area>(step, steps::Area{r.list("force_N"), r.get("dwell_s")});
    if (name == "weights")
      return put<steps::Weights>(step,
                                 steps::Weights{r.list("masses_g", 1e-3), r.get("area_mm2", 1e-6)});
    if (name == "slide") return put(step, r.slide());
    if (name == "preslide")
      return put<steps::Preslide>(step,
                                  steps::Preslide{r.list("load_N"), r.list("amplitude_mm", 1e-3),
                                                  r.list("frequencies_hz"), r.get("time_s")});
    if (name == "images") return put(step, r.images());
    if (name == "reference") return put(step, r.reference());
    return put(step, r.prompt());
  }

  static Result<void> targeted(const StepReader& r, std::string_view name, Step& step) {
    const auto target = r.target();
    if (!target) return fail(target.error());
    if (name == "hold")
      step.what = steps::Hold{r.sites(), *target, r.get("ramp_s"), r.get("time_s")};
    else
      step.what = steps::Cycles{r.sites(), *target, r.get("speed_mm_s", 1e-3), r.count("count")};
    return {};
  }

  std::string where_;
  std::size_t count_ = 0;
};

/// The schema's "mine.json: steps[3].until.force: ..." in the words of the operator:
/// "mine.json: step 4 (scan): until.force: ...".
Error in_steps(const Error& error, const json& document, std::string_view where) {
  std::string_view rest = error.message;
  const auto prefix = fmt::format("{}: ", where);
  if (!rest.starts_with(prefix)) return error;
  rest.remove_prefix(prefix.size());
  std::string label;
  const json* at = &document;
  while (rest.starts_with("steps[")) {
    const auto close = rest.find(']');
    std::size_t index = 0;
    for (const char digit : rest.substr(6, close - 6))
      index = index * 10 + static_cast<std::size_t>(digit - '0');
    at = &(*at)["steps"][index];
    label += fmt::format("{}{}", label.empty() ? "" : ".", index + 1);
    rest.remove_prefix(close + 1);
    if (rest.starts_with(".")) rest.remove_prefix(1);
    if (rest.starts_with(": ")) rest.remove_prefix(2);
  }
  if (label.empty()) return error;
  std::string name;
  if (at->is_object() && at->contains("do") && (*at)["do"].is_string())
    name = fmt::format(" ({})", (*at)["do"].get<std::string>());
  return {error.code, fmt::format("{}step {}{}: {}", prefix, label, name, rest)};
}

}  // namespace

Result<MountedIndenter> mounted_indenter(std::string_view json_text, std::string_view where) {
  auto indenter = parse_indenter(json_text, where);
  if (!indenter) return fail(indenter.error());
  const auto object = parse_json(json_text, where);
  if (!object) return fail(object.error());
  return MountedIndenter{std::move(*indenter), canonical(*object)};
}

Result<Protocol> parse_protocol(std::string_view json_text, std::string_view where) {
  const auto parsed = parse_json(json_text, where);
  if (!parsed) return fail(parsed.error());
  const auto& object = *parsed;
  if (const auto format = check_format(object, "tactelier/protocol", 1, where); !format)
    return fail(format.error());
  if (const auto checked = check_schema(object, "protocol", where); !checked)
    return fail(in_steps(checked.error(), object, where));
  Protocol protocol;
  protocol.name = object["name"].get<std::string>();
  protocol.description = object.value("description", "");
  protocol.source = object.value("source", "");
  protocol.max_minutes = number(object, "max_minutes");
  if (object.contains("indenter")) {
    auto mounted = mounted_indenter(object["indenter"].dump(), fmt::format("{}: indenter", where));
    if (!mounted) return fail(mounted.error());
    protocol.indenter = std::move(*mounted);
  }
  auto read = ProtocolReader(std::string(where)).steps(object["steps"], "", 0);
  if (!read) return fail(read.error());
  protocol.steps = std::move(*read);
  protocol.document = canonical(object);
  return protocol;
}

Result<Protocol> load_protocol(std::string_view name_or_path) {
  const auto name = std::string(name_or_path);
  if (const auto text = resource("protocols/" + name + ".json"))
    return parse_protocol(*text, name + ".json");
  const std::filesystem::path path(name);
  if (!path.has_parent_path() && path.extension() != ".json")
    return fail(ErrorCode::kInvalidInput,
                "unknown protocol '{}'{}; shipped are {}; a file is given by its path", name,
                did_you_mean(name, shipped_protocols()), fmt::join(shipped_protocols(), ", "));
  const auto text = read_text_file(path, kMaxBytes);
  if (!text) return fail(text.error());
  return parse_protocol(*text, name);
}

std::vector<std::string> shipped_protocols() { return shipped_names("protocols"); }

std::string_view Step::name() const {
  return std::visit([](const auto& step) { return step.kName; }, what);
}

std::string_view Step::code() const {
  return std::visit([](const auto& step) { return step.kCode; }, what);
}

std::string Step::describe() const { return fmt::format("step {} ({})", label, name()); }

}  // namespace tactelier
