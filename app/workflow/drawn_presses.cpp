#include "app/workflow/drawn_presses.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/workflow/simulate_image.hpp"
#include "fitting/statistics/random.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr std::array kRanges{"x_mm",       "y_mm",    "rz_deg", "tilt_x_deg",
                             "tilt_y_deg", "force_N", "mass_g", "depth_mm"};
enum Range : std::size_t { kX, kY, kRz, kTiltX, kTiltY, kForce, kMass, kDepth };

struct Bounds {
  double low = 0, high = 0;
  bool given = false;
};

Result<Bounds> bounds_of(const json& document, const char* key, const std::string& where) {
  if (!document.contains(key)) return Bounds{};
  const auto& value = document[key];
  if (value.is_number()) return Bounds{value.get<double>(), value.get<double>(), true};
  const Bounds bounds{value[0].get<double>(), value[1].get<double>(), true};
  if (bounds.low <= bounds.high) return bounds;
  return fail(ErrorCode::kInvalidInput, "{}: {}: {:g} lies above {:g}; write the lower one first",
              where, key, bounds.low, bounds.high);
}

using Indenters = std::vector<std::shared_ptr<const Indenter>>;

Result<Indenters> indenters_of(const json& document, const std::string& indenter,
                               const std::string& where) {
  if (document.contains("indenters") == !indenter.empty())
    return fail(ErrorCode::kInvalidInput, "{}: {}", where,
                indenter.empty() ? "no 'indenters', and no --indenter"
                                 : "'indenters' and --indenter; give one");
  std::vector<std::string> texts{indenter};
  if (indenter.empty()) {
    texts.clear();
    for (const auto& one : document["indenters"])
      texts.push_back(one.is_string() ? one.get<std::string>() : one.dump());
  }
  Indenters indenters;
  for (const auto& text : texts) {
    auto read = read_indenter(text);
    if (!read) return fail(read.error(), where);
    indenters.push_back(std::make_shared<const Indenter>(std::move(*read)));
  }
  return indenters;
}

}  // namespace

bool holds_ranges(const std::filesystem::path& file) { return file.extension() == ".json"; }

Result<std::vector<BatchPose>> drawn_poses(const std::filesystem::path& file,
                                           const std::string& indenter) {
  const auto where = file.filename().string();
  const auto text = read_text_file(file, kMaxBytes);
  if (!text) return fail(text.error());
  const auto document = parse_json(*text, where);
  if (!document) return fail(document.error());
  if (auto known = check_format(*document, "tactelier/press-ranges", 1, where); !known)
    return fail(known.error());
  if (auto valid = check_schema(*document, "press-ranges", where); !valid)
    return fail(valid.error());
  std::array<Bounds, kRanges.size()> ranges;
  int loads = 0;
  for (std::size_t i = 0; i < kRanges.size(); ++i) {
    const auto bounds = bounds_of(*document, kRanges[i], where);
    if (!bounds) return fail(bounds.error());
    ranges[i] = *bounds;
    loads += i >= kForce && bounds->given ? 1 : 0;
  }
  if (loads != 1)
    return fail(ErrorCode::kInvalidInput,
                "{}: {} loads; one of force_N, mass_g and depth_mm is needed", where, loads);
  const auto indenters = indenters_of(*document, indenter, where);
  if (!indenters) return fail(indenters.error());

  RandomSource random(document->value("seed", std::uint64_t{1}));
  std::vector<BatchPose> poses(document->at("presses").get<std::size_t>());
  for (auto& pose : poses) {
    std::array<double, kRanges.size()> value{};
    for (std::size_t i = 0; i < value.size(); ++i)
      value[i] = ranges[i].low + random.uniform() * (ranges[i].high - ranges[i].low);
    const auto which =
        static_cast<std::size_t>(random.uniform() * static_cast<double>(indenters->size()));
    pose = {(*indenters)[which],
            {mm_to_m(value[kX]), mm_to_m(value[kY]), deg_to_rad(value[kRz]),
             deg_to_rad(value[kTiltX]), deg_to_rad(value[kTiltY])},
            {PressLoad::By::kForce, value[kForce], 0},
            static_cast<std::uint64_t>(&pose - poses.data()) + 1};
    if (ranges[kMass].given) pose.load.force_N = g_to_kg(value[kMass]) * kStandardGravity_m_per_s2;
    if (ranges[kDepth].given) pose.load = {PressLoad::By::kDepth, 0, mm_to_m(value[kDepth])};
  }
  return poses;
}

}  // namespace tactelier
