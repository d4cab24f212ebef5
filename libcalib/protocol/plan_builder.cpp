#include "libcalib/protocol/plan_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kSamePlace_m = 1e-9;
constexpr std::size_t kMaxSegments = 2'000'000;

std::pair<long long, long long> key_of(const Place& place) {
  return {std::llround(place.x_m * 1e9), std::llround(place.y_m * 1e9)};
}

}  // namespace

PlanBuilder::PlanBuilder(const Protocol& protocol, const SensorDescription& sensor,
                         const PlanSetup& setup)
    : sensor_(sensor), setup_(setup) {
  plan_.name = protocol.name;
  plan_.acceleration_m_per_s2 = setup.stage.acceleration_m_per_s2;
  own_ = setup.indenter ? setup.indenter : protocol.indenter;
  mounted_ = own_;
  plan_.indenter = own_;
  for (int tactel = 0; tactel < sensor.tactels(); ++tactel)
    top_z_m_ = std::max(top_z_m_, sensor.position_m(tactel)[2]);
  surface_z_m_ = top_z_m_;
  at_m_ = {0, 0, top_z_m_ + setup.stage.safe_height_m};
  plan_.start_m = at_m_;
}

double PlanBuilder::layer_m() const {
  const auto thickness_m = sensor_.thickness_m ? sensor_.thickness_m : setup_.expected.thickness_m;
  return thickness_m.value_or(std::numeric_limits<double>::infinity());
}

Plan PlanBuilder::take() {
  plan_.duration_s = now_s_;
  for (const auto& step : plan_.steps) {
    plan_.by_hand_s += step.by_hand_s;
    plan_.presses += step.presses;
    plan_.slides += step.slides;
    plan_.images += step.images;
    plan_.path_m += step.path_m;
    plan_.peak_force_N = std::max(plan_.peak_force_N, step.peak_force_N);
    plan_.worst_force_N = std::max(plan_.worst_force_N, step.worst_force_N);
  }
  return std::move(plan_);
}

void PlanBuilder::warn(std::string_view code, std::string text) {
  if (!warned_.insert(fmt::format("{} {}", code, place_)).second) return;
  plan_.warnings.push_back({std::string(code), std::move(text), place_});
}

std::size_t PlanBuilder::add_row(const Step& step, std::string_view protocol, std::string what) {
  PlannedStep row;
  row.label = step.label;
  row.name = step.name();
  row.protocol = protocol;
  row.what = std::move(what);
  row.begin_s = now_s_;
  plan_.steps.push_back(std::move(row));
  return plan_.steps.size() - 1;
}

void PlanBuilder::begin_step(const Step& step, std::size_t row) {
  place_ = fmt::format("{}: {}", plan_.name, step.describe());
  row_ = row;
  step_began_s_ = now_s_;
}

void PlanBuilder::end_step() { plan_.steps[row_].duration_s += now_s_ - step_began_s_; }

bool PlanBuilder::too_long() const { return plan_.segments.size() > kMaxSegments; }

Segment& PlanBuilder::add(Phase phase, Touch touch, const Motion& motion) {
  Segment segment;
  segment.phase = phase;
  segment.touch = touch;
  segment.step = row_;
  segment.motion = motion;
  segment.begin_s = now_s_;
  segment.duration_s = motion.duration_s();
  segment.end_m = motion.end_m();
  segment.surface_z_m = surface_z_m_;
  segment.tactel = tactel_;
  segment.after_until = plan_.segments.size() + 1;
  segment.rz_rad = rz_rad_;
  plan_.steps[row_].path_m += motion.path_m();
  now_s_ += segment.duration_s;
  at_m_ = segment.end_m;
  plan_.segments.push_back(std::move(segment));
  return plan_.segments.back();
}

void PlanBuilder::line_to(Phase phase, const Vector3& to_m, double speed_m_per_s) {
  if (distance_m(at_m_, to_m) < kSamePlace_m) return;
  auto& segment = add(phase, Touch::kAir,
                      Motion::line(at_m_, to_m, speed_m_per_s, setup_.stage.acceleration_m_per_s2));
  segment.speed_m_per_s = speed_m_per_s;
  segment.end_m = to_m;
  at_m_ = to_m;
}

void PlanBuilder::travel_to(double x_m, double y_m, double z_m, double surface_z_m) {
  const auto& stage = setup_.stage;
  if (std::hypot(at_m_[0] - x_m, at_m_[1] - y_m) > kSamePlace_m) {
    const double over_m =
        std::max({at_m_[2], top_z_m_ + stage.safe_height_m, surface_z_m_ + stage.safe_height_m,
                  surface_z_m + stage.safe_height_m});
    line_to(Phase::kTravel, {at_m_[0], at_m_[1], over_m}, stage.z_speed_m_per_s);
    line_to(Phase::kTravel, {x_m, y_m, over_m}, stage.xy_speed_m_per_s);
  }
  surface_z_m_ = surface_z_m;
  line_to(Phase::kTravel, {x_m, y_m, z_m}, stage.z_speed_m_per_s);
}

void PlanBuilder::to_air() {
  const double safe_m = surface_z_m_ + setup_.stage.safe_height_m;
  if (at_m_[2] < safe_m)
    line_to(Phase::kTravel, {at_m_[0], at_m_[1], safe_m}, setup_.stage.z_speed_m_per_s);
}

void PlanBuilder::wait(double duration_s) {
  add(Phase::kWait, Touch::kAir, Motion::dwell(at_m_, duration_s));
}

void PlanBuilder::wait_until_still(const StillGate& gate, double expected_s, double at_most_s) {
  auto& segment = add(Phase::kWait, Touch::kAir, Motion::dwell(at_m_, at_most_s));
  segment.still = gate;
  segment.duration_s = std::min(expected_s, at_most_s);
  now_s_ += segment.duration_s - at_most_s;
}

void PlanBuilder::prompt(std::string text, std::string answer_key) {
  const auto& park_m = setup_.park_m;
  travel_to(park_m[0], park_m[1], park_m[2], top_z_m_);
  auto& segment = add(Phase::kPrompt, Touch::kAir, Motion::dwell(at_m_, setup_.prompt_s));
  segment.prompt = std::move(text);
  segment.answer_key = std::move(answer_key);
  plan_.steps[row_].by_hand_s += setup_.prompt_s;
}

void PlanBuilder::mount(const MountedIndenter& wanted, double rz_rad) {
  const bool turned = std::abs(rz_rad - rz_rad_) > 1e-9;
  if (mounted_ && *mounted_ == wanted && !turned) return;
  const auto how =
      rz_rad == 0 ? "" : fmt::format(", turned by {:.6g} deg", tidy(rz_rad / deg_to_rad(1)));
  prompt(fmt::format("Mount the {}{}, then continue.", wanted.indenter.describe(), how));
  rz_rad_ = rz_rad;
  mounted_by_prompt(wanted);
}

void PlanBuilder::mounted_by_prompt(const MountedIndenter& indenter) {
  mounted_ = indenter;
  last().indenter = indenter;
  last().rz_rad = rz_rad_;
}

void PlanBuilder::by_hand(double duration_s, const ByHand& what) {
  add(Phase::kHold, what.on_force_sensor ? Touch::kAir : Touch::kPad,
      Motion::dwell(at_m_, duration_s));
  last().by_hand = what;
}

void PlanBuilder::rest(const Place& place, double rest_s) {
  const auto before = released_.find(key_of(place));
  if (rest_s <= 0 || before == released_.end()) return;
  const double left_s = rest_s - (now_s_ - plan_.segments[before->second].end_s());
  if (left_s <= 0) return;
  wait(left_s);
  last().rest_after = before->second;
  last().rest_s = rest_s;
}

double PlanBuilder::air_gap_m(double speed_m_per_s) const {
  return setup_.stage.air_gap_m +
         speed_m_per_s * speed_m_per_s / (2 * setup_.stage.acceleration_m_per_s2);
}

void PlanBuilder::approach(const Place& place, double speed_m_per_s) {
  tactel_ = place.tactel;
  travel_to(place.x_m, place.y_m, place.surface_z_m + air_gap_m(speed_m_per_s), place.surface_z_m);
}

void PlanBuilder::press_begin(const Place& place, const PressSpec& press) {
  ++press_;
  ++plan_.steps[row_].presses;
  begin_contact();
  nlohmann::json data{{"press", press_},
                      {"x_mm", tidy_mm(place.x_m)},
                      {"y_mm", tidy_mm(place.y_m)},
                      {"kind", to_string(press.kind)}};
  if (place.tactel) data["tactel"] = *place.tactel;
  if (press.site) data["site"] = *press.site;
  if (mounted_ && own_ && !(*mounted_ == *own_))
    data["indenter"] = nlohmann::json::parse(mounted_->json);
  event_at_begin("press_begin", canonical(data));
  outcome_ = press.outcome;
}

void PlanBuilder::begin_contact() {
  wait(setup_.free_air_before_s);
  open_from_ = plan_.segments.size();
}

double PlanBuilder::free_air_after_s() const {
  const bool is_long = now_s_ - clock_s_ > setup_.long_press_s;
  return is_long ? setup_.free_air_before_s : setup_.free_air_after_s;
}

Place PlanBuilder::centre() const {
  if (const auto middle = place_at(0, 0, sensor_)) return *middle;
  Sites first;
  first.count = 1;
  return places(first, sensor_).value().front();
}

void PlanBuilder::press_end() {
  released_[{std::llround(at_m_[0] * 1e9), std::llround(at_m_[1] * 1e9)}] =
      plan_.segments.size() - 1;
  wait(free_air_after_s());
  event_at_end("press_end", canonical({{"press", press_}, {"outcome", outcome_}}));
}

void PlanBuilder::hold(double duration_s, std::optional<double> regulate_N, const Until& until) {
  const auto touch = plan_.segments.back().touch;
  auto& segment = add(Phase::kHold, touch, Motion::dwell(at_m_, duration_s));
  segment.regulate_N = regulate_N;
  segment.until = until;
}

void PlanBuilder::dwell_in_press(double duration_s, const Target& at, const Until& until) {
  if (duration_s <= 0) return;
  hold(duration_s, at.force_N, until);
  nlohmann::json data{{"press", press_}};
  if (at.force_N) data["force_N"] = tidy(*at.force_N);
  if (at.depth_m) data["depth_mm"] = tidy_mm(*at.depth_m);
  event_at_begin("hold_begin", canonical(data));
  event_at_end("hold_end", canonical(data));
}

void PlanBuilder::unload(double speed_m_per_s, double gap_m) {
  unload_to({at_m_[0], at_m_[1], surface_z_m_ + gap_m}, speed_m_per_s);
}

void PlanBuilder::unload_by(double speed_m_per_s, double up_m) {
  unload_to({at_m_[0], at_m_[1], at_m_[2] + up_m}, speed_m_per_s);
  last().keeps_displacement = true;
}

void PlanBuilder::unload_to(const Vector3& to_m, double speed_m_per_s) {
  const auto touch = plan_.segments.back().touch;
  const auto index = plan_.segments.size();
  auto& segment = add(Phase::kUnload, touch,
                      Motion::line(at_m_, to_m, speed_m_per_s, setup_.stage.acceleration_m_per_s2));
  segment.speed_m_per_s = speed_m_per_s;
  segment.end_m = to_m;
  at_m_ = to_m;
  for (auto i = open_from_; i < index; ++i) plan_.segments[i].after_until = index;
  open_from_ = index + 1;
}

void PlanBuilder::slide(const Vector3& by_m, double speed_m_per_s, double load_N,
                        const Until& until) {
  const Vector3 to_m{at_m_[0] + by_m[0], at_m_[1] + by_m[1], at_m_[2] + by_m[2]};
  auto& segment = add(Phase::kSlide, Touch::kPad,
                      Motion::line(at_m_, to_m, speed_m_per_s, setup_.stage.acceleration_m_per_s2));
  segment.speed_m_per_s = speed_m_per_s;
  segment.keeps_displacement = true;
  segment.regulate_N = load_N;
  segment.until = until;
}

void PlanBuilder::drag(const Vector3& by_m, double speed_m_per_s, const Until& until) {
  const auto touch = plan_.segments.back().touch;
  const Vector3 to_m{at_m_[0] + by_m[0], at_m_[1] + by_m[1], at_m_[2] + by_m[2]};
  auto& segment = add(Phase::kSlide, touch,
                      Motion::line(at_m_, to_m, speed_m_per_s, setup_.stage.acceleration_m_per_s2));
  segment.speed_m_per_s = speed_m_per_s;
  segment.keeps_displacement = true;
  segment.until = until;
}

Result<void> PlanBuilder::oscillate(const Motion& motion, std::optional<double> regulate_N,
                                    const Until& until) {
  const auto& stage = setup_.stage;
  const bool vertical = motion.velocity_m_per_s(motion.duration_s() / 2)[2] != 0;
  const double speed_limit_m_per_s = vertical ? stage.z_speed_m_per_s : stage.xy_speed_m_per_s;
  if (motion.top_speed_m_per_s() > speed_limit_m_per_s)
    return bad(
        "oscillation needs up to {:.4g} mm/s; the stage does {:.4g} mm/s: lower amplitude or "
        "frequency",
        m_to_mm(motion.top_speed_m_per_s()), m_to_mm(speed_limit_m_per_s));
  if (motion.top_acceleration_m_per_s2() > stage.acceleration_m_per_s2)
    return bad(
        "oscillation needs up to {:.4g} mm/s2; the stage does {:.4g} mm/s2: lower amplitude "
        "or frequency",
        m_to_mm(motion.top_acceleration_m_per_s2()), m_to_mm(stage.acceleration_m_per_s2));
  auto& segment = add(Phase::kOscillate, Touch::kPad, motion);
  segment.keeps_displacement = true;
  segment.regulate_N = regulate_N;
  segment.until = until;
  return {};
}

void PlanBuilder::event_at_begin(std::string_view name, std::string data, std::string answer_key) {
  last().at_begin.push_back({std::string(name), std::move(data), std::move(answer_key)});
}

void PlanBuilder::event_at_end(std::string_view name, std::string data) {
  last().at_end.push_back({std::string(name), std::move(data), ""});
}

int PlanBuilder::next_slide() {
  ++plan_.steps[row_].slides;
  return ++slide_;
}

int PlanBuilder::next_image() {
  ++plan_.steps[row_].images;
  return ++image_;
}

Result<void> PlanBuilder::check_speed(std::string_view key, double speed_m_per_s,
                                      bool vertical) const {
  const double limit_m_per_s =
      vertical ? setup_.stage.z_speed_m_per_s : setup_.stage.xy_speed_m_per_s;
  if (speed_m_per_s <= limit_m_per_s * (1 + 1e-12)) return {};
  return bad("{} {:.6g} is more than the stage does along {}, {:.6g} mm/s", key,
             m_to_mm(speed_m_per_s), vertical ? "z" : "x and y", m_to_mm(limit_m_per_s));
}

}  // namespace tactelier
