#include "reports/verify/bristle_slides.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "libcalib/json_check.hpp"
#include "libcalib/units.hpp"
#include "reports/export/mujoco_bristles.hpp"
#include "reports/verify/mjcf_parts.hpp"
#include "reports/verify/press_list.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

/// Bristles follow the plate a step late: so small a part of the shortest way is a step's.
constexpr double kStepOfWay = 0.005;
constexpr double kSettled_s = 0.02;
constexpr double kSettledLengths = 7;  // of bristles, until they carry what they can
constexpr double kMostSteps = 1500;    // of a steady slide; else it is as fast as that
constexpr std::array kSlideLevels{0.1, 0.5, 0.9};

double letting_go_m(const LugreValues& law, double load_N) {
  return law[kLugreStatic] * load_N / law[kLugreSigma0];
}

BristleSlide from_rest(const MujocoPad& pad, double length_m) {
  BristleSlide slide{0, {length_m / 2, length_m, 2 * length_m}, true};
  slide.speed_m_per_s = kStepOfWay * slide.distances_m[0] / pad.time_step_s;
  return slide;
}

BristleSlide steady(double speed_m_per_s, double length_m) {
  return {speed_m_per_s, {kSettledLengths * length_m + kSettled_s * speed_m_per_s}, false};
}

/// A tenth of the fastest speed, or what takes no longer than it may; none where that is the
/// fastest.
std::optional<double> slow_m_per_s(const MujocoPad& pad, double fastest_m_per_s, double length_m) {
  const double slow =
      std::max(fastest_m_per_s / 10, kSettledLengths * length_m / (kMostSteps * pad.time_step_s));
  return slow < fastest_m_per_s ? std::optional(slow) : std::nullopt;
}

/// What all tactels' bristles hold against the plate together, in closed form.
double expected_N(const MujocoPad& pad, double load_N, const BristleSlide& slide,
                  double distance_m) {
  const auto& law = pad.bristles->law;
  const double v = slide.speed_m_per_s, n = static_cast<double>(pad.places.size());
  if (!slide.from_rest) return n * lugre_steady_N(law, v, load_N);
  return n * LugreBristle().step_N(law, distance_m / v, v, load_N);
}

VerifiedPress pressed(std::string press, double expected, double seen) {
  return {std::move(press), expected, seen, 100 * (seen - expected) / expected};
}

class SlideJudge {
 public:
  explicit SlideJudge(const MujocoPad& pad) : pad_(pad) {}

  void add(const BristleVisit& visit, const BristleSlide& slide, const json& seen) {
    for (const auto& at : seen) {
      const double distance_m = at.at("distance_m").get<double>();
      const auto press = fmt::format("plate under {:.4g} N a tactel, {:.3g} mm at {:.3g} m/s",
                                     visit.load_N, m_to_mm(distance_m), slide.speed_m_per_s);
      auto& friction = slide.from_rest ? presliding_ : steady_;
      friction.presses.push_back(pressed(press, expected_N(pad_, visit.load_N, slide, distance_m),
                                         at.at("lateral_N").get<double>()));
      if (slide.from_rest) continue;
      const auto loads_N = at.at("load_N").get<std::vector<double>>();
      for (std::size_t i = 0; i < loads_N.size(); ++i)
        force_.presses.push_back(
            pressed(fmt::format("{}: tactel {}", press, i), visit.load_N, loads_N[i]));
    }
  }

  std::vector<VerifiedQuantity> quantities() && {
    return {std::move(steady_), std::move(presliding_), std::move(force_)};
  }

 private:
  const MujocoPad& pad_;
  VerifiedQuantity steady_{"steady friction on bristles", "N", kFrictionTolerance_percent, {}};
  VerifiedQuantity presliding_{"presliding on bristles", "N", kFrictionTolerance_percent, {}};
  VerifiedQuantity force_{
      "force on each tactel while a plate slides on bristles", "N", kStaticTolerance_percent, {}};
};

}  // namespace

std::vector<BristleVisit> bristle_visits(const MujocoPad& pad, const PressList& list) {
  std::vector<BristleVisit> visits;
  const double fastest = list.fastest_m_per_s();
  for (const double level : kSlideLevels) {
    const double load_N = list.load_N(level);
    const double length_m = letting_go_m(pad.bristles->law, load_N);
    BristleVisit visit{load_N, pad.spring().depth_m(load_N), {from_rest(pad, length_m)}};
    if (const auto slow = slow_m_per_s(pad, fastest, length_m))
      visit.slides.push_back(steady(*slow, length_m));
    visit.slides.push_back(steady(fastest, length_m));
    visits.push_back(std::move(visit));
  }
  return visits;
}

std::string bristle_request(const MujocoPad& pad, const std::vector<BristleVisit>& visits,
                            const std::string& npm) {
  const auto module = std::filesystem::path(bristle_loop_name(pad)).stem().string();
  json request{{"npm", npm},
               {"file", bristle_file_name(pad)},
               {"module", module},
               {"surface_m", pad.places[0].position_m[2]},
               {"half_edge_m", mjcf::reach_m(pad) + mjcf::kBesidePad_m},
               {"visits", json::array()}};
  for (const auto& visit : visits) {
    auto slides = json::array();
    for (const auto& slide : visit.slides)
      slides.push_back(
          {{"speed_m_per_s", slide.speed_m_per_s}, {"distances_m", slide.distances_m}});
    request["visits"].push_back({{"depth_m", visit.depth_m}, {"slides", std::move(slides)}});
  }
  return request.dump();
}

Result<std::vector<VerifiedQuantity>> judge_slides(const MujocoPad& pad,
                                                   const std::vector<BristleVisit>& visits,
                                                   std::string_view answer) {
  const auto found = parse_json(answer, "slides on bristles");
  if (!found) return fail(found.error());
  SlideJudge judge(pad);
  try {
    for (std::size_t i = 0; i < visits.size(); ++i)
      for (std::size_t k = 0; k < visits[i].slides.size(); ++k)
        judge.add(visits[i], visits[i].slides[k], found->at("visits").at(i).at(k));
  } catch (const json::exception& error) {
    return fail(ErrorCode::kInvalidInput, "slides on bristles: {}", error.what());
  }
  return std::move(judge).quantities();
}

}  // namespace tactelier
