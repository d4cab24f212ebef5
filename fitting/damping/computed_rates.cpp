#include "fitting/damping/computed_rates.hpp"

#include <algorithm>
#include <utility>

#include "fitting/contact/contact.hpp"
#include "fitting/recording/computed_travel.hpp"
#include "fitting/relaxation/rubber_memory.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/white_noise.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

constexpr double kShortestMean_s = 4.5e-3;  // of a mean
constexpr double kLeast_m = 10e-6;
constexpr double kShallowShare = 0.1;  // of the depth: not surely in touch
constexpr double kAfter_s = 3e-3;      // of the line's end, force being late
constexpr double kBeforeTouch_s = 0.05;
constexpr std::size_t kFew = 10;  // rows between those of history
constexpr double kVirgin = 0.98;  // of the deepest so far: rubber beyond is stiffer
constexpr double kLowForce = 0.1, kHighForce = 0.5;  // of the peak: the line to first touch
constexpr double kOffRest_m = 2e-6;
constexpr std::size_t kMinLoadingRows = 20;

/// The line that loads: the last one downwards that begins within the press.
const CommandedPath::Line* loading_line(const CommandedPath& path, const Press& press) {
  const CommandedPath::Line* found = nullptr;
  for (const auto& line : path.lines())
    if (line.begin_s >= press.begin_s && line.begin_s < press.end_s &&
        line.motion.end_m()[2] < line.motion.from_m()[2])
      found = &line;
  return found;
}

/// Travel at no force, along the line through rows of low force.
std::optional<double> touch_m(std::span<const double> tip_m, std::span<const double> force_N) {
  const double peak_N = *std::max_element(force_N.begin(), force_N.end());
  std::vector<double> x, y;
  for (std::size_t i = 0; i < tip_m.size(); ++i) {
    if (force_N[i] < kLowForce * peak_N || force_N[i] > kHighForce * peak_N) continue;
    x.push_back(force_N[i]);
    y.push_back(tip_m[i]);
  }
  if (x.size() < 3) return std::nullopt;
  const auto line = fit_line(x, y);
  return line ? std::optional(line->intercept) : std::nullopt;
}

}  // namespace

/// Branches of depth and of its square, through all that happened at the place.
class Histories {
 public:
  explicit Histories(const std::vector<double>& tau_s) {
    for (const double tau : tau_s) {
      linear_.emplace_back(tau);
      square_.emplace_back(tau);
    }
  }
  void step(double time_s, double depth_m) {
    const double dt_s = began_ ? time_s - time_s_ : 0;
    const double change_m = depth_m - depth_m_;
    const double change_m2 = depth_m * depth_m - depth_m_ * depth_m_;
    for (auto& branch : linear_) branch.step(dt_s, change_m);
    for (auto& branch : square_) branch.step(dt_s, change_m2);
    began_ = true;
    time_s_ = time_s;
    depth_m_ = depth_m;
  }
  void add_to(MotionRow& row, double weight) const {
    for (std::size_t b = 0; b < linear_.size(); ++b) {
      row.branches_m[b] += weight * linear_[b].value_m();
      row.branches_m2[b] += weight * square_[b].value_m();
    }
  }

 private:
  std::vector<PronyBranchState> linear_, square_;
  bool began_ = false;
  double time_s_ = 0, depth_m_ = 0;
};

Result<ComputedRates> ComputedRates::load(const FitContext& context, const RateData& rates) {
  ComputedRates found;
  const auto any = found.find_place(context, rates);
  if (!any) return fail(any.error());
  if (!*any) return found;
  found.path_ = commanded_path(*context.sessions[found.session_].session);
  auto edges = find_step_edges(context, found.session_, found.path_);
  if (!edges) return fail(edges.error());
  found.edges_ = std::move(*edges);
  found.refusal_ = found.edges_.refusal;
  if (!found.refusal_.empty()) return found;
  if (found.session_ < context.compliance.size())
    found.backlash_m_ = context.compliance[found.session_].backlash_m;
  for (const std::size_t press : found.place_) {
    if (context.job.stopped()) return Job::cancelled();
    const bool shows = std::count(found.shown_.begin(), found.shown_.end(), press) > 0;
    if (const auto added = found.add_press(context, press, shows); !added)
      return fail(added.error());
  }
  if (found.presses_.empty())
    found.refusal_ =
        "DP-05 The stage's positions contradict its moves, or every press met rubber "
        "that was never pressed as deep: press once deeper first.";
  else
    found.surface_m_ = median(found.surfaces_m_);
  return found;
}

Result<bool> ComputedRates::find_place(const FitContext& context, const RateData& rates) {
  const auto at_place = [&](const RatePress& a, const RatePress& b) {
    const auto& presses = context.sessions[a.session].presses;
    return a.session == b.session && same_place(presses[a.press], presses[b.press]);
  };
  for (const auto& one : rates.presses) {
    if (!one.refusal.empty() || one.chirp) continue;
    std::vector<std::size_t> shown;
    for (const auto& other : rates.presses)
      if (other.refusal.empty() && !other.chirp && at_place(one, other))
        shown.push_back(other.press);
    if (shown.size() <= shown_.size()) continue;
    shown_ = std::move(shown);
    session_ = one.session;
  }
  if (shown_.empty()) return false;
  const auto& presses = context.sessions[session_].presses;
  for (std::size_t p = 0; p <= shown_.back(); ++p)
    if (same_place(presses[p], presses[shown_.front()])) place_.push_back(p);
  return true;
}

std::vector<double> ComputedRates::travel_m(const std::vector<double>& times_s,
                                            double delay_s) const {
  AxisDrive drive;
  drive.delay_s = delay_s;
  drive.step_m = edges_.step_m;
  drive.backlash_m = backlash_m_;
  drive.microstep[0] = edges_.microstep;
  auto places_m = virtual_encoder_m(path_, 2, drive, times_s);
  for (double& place : places_m) place = -place;
  return places_m;
}

Result<void> ComputedRates::add_press(const FitContext& context, std::size_t press,
                                      bool shows_rate) {
  const Press& of = context.sessions[session_].presses[press];
  const auto* contact = find_contact(context, session_, press);
  const auto* line = loading_line(path_, of);
  if (!contact || !contact->ok || !line) return {};
  const auto data = load_press(context, session_, press, {}, PressBase::kForce);
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data || !data->has_force()) return {};
  const double from_s = std::max(contact->time_s - kBeforeTouch_s, line->begin_s);
  const double to_s = line->end_s + edges_.delay_s.value + kAfter_s;
  Trace trace;
  PathRows loading{data->rows(), 0};
  for (std::size_t i = 0; i < data->rows(); ++i) {
    const bool loads = data->time_s[i] > from_s && data->time_s[i] < to_s;
    if (!(shows_rate && loads) && i % kFew != 0) continue;
    if (loads) loading = {std::min(loading.first, trace.time_s.size()), trace.time_s.size() + 1};
    const double force_N = data->force_N[i] - contact->force_bias_N;
    trace.time_s.push_back(data->time_s[i]);
    trace.force_N.push_back(force_N);
    trace.bent_m.push_back(context.compliance[session_].deflection_m(force_N));
  }
  const double bottom_m = -line->place_m(line->end_s)[2];
  const double deepest_m = std::exchange(deepest_m_, std::max(deepest_m_, bottom_m));
  const auto shift_m = shift_of_line(context, session_, {of.begin_s, of.end_s}, *line);
  if (!shift_m) return fail(shift_m.error());
  if (shows_rate && *shift_m && std::abs(**shift_m) < kOffRest_m + edges_.step_m &&
      loading.end > loading.first + kMinLoadingRows)
    count_press(of, *line, deepest_m, loading, contact->sigma_force_N, trace);
  traces_.push_back(std::move(trace));
  return {};
}

/// Makes it one of those that show a rate, unless it meets virgin rubber.
void ComputedRates::count_press(const Press& press, const CommandedPath::Line& line,
                                double deepest_m, PathRows loading, double sigma_N, Trace& trace) {
  const auto part = [&](const std::vector<double>& all) {
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(loading.first),
                               all.begin() + static_cast<std::ptrdiff_t>(loading.end));
  };
  auto tip_m = travel_m(part(trace.time_s), edges_.delay_s.value);
  const auto bent_m = part(trace.bent_m), force_N = part(trace.force_N);
  for (std::size_t i = 0; i < tip_m.size(); ++i) tip_m[i] -= bent_m[i];
  const auto touched_m = touch_m(tip_m, force_N);
  const double bottom_m = -line.place_m(line.end_s)[2];
  if (!touched_m || deepest_m - *touched_m < kVirgin * (bottom_m - *touched_m)) return;
  const double speed = line.motion.top_speed_m_per_s();
  if (speed < 0.99 * slowest_m_per_s_) surfaces_m_.clear();
  slowest_m_per_s_ = std::min(slowest_m_per_s_, speed);
  if (speed < 1.01 * slowest_m_per_s_) surfaces_m_.push_back(*touched_m);
  trace.number = presses_.size();
  trace.sigma_N = std::max({1e-6, sigma_N, white_noise(force_N)});
  presses_.push_back({press.begin_s, speed});
  const double shallow_m = *touched_m + kShallowShare * (bottom_m - *touched_m);
  std::size_t begin = loading.first + 1;
  while (begin < loading.end && tip_m[begin - loading.first] < shallow_m) ++begin;
  add_means(line, {begin, loading.end}, trace);
}

/// Whole periods of the microstep error, so that what sensor and amplifier make of it is in none.
void ComputedRates::add_means(const CommandedPath::Line& line, PathRows rows, Trace& trace) const {
  const double least_m =
      std::max(kLeast_m, edges_.microstep.amplitude_m > 0 ? edges_.microstep.period_m : 0);
  const auto at_m = [&](std::size_t i) {
    return -line.place_m(trace.time_s[i] - edges_.delay_s.value)[2];
  };
  for (std::size_t begin = rows.first; begin < rows.end;) {
    std::size_t end = begin + 1;
    const auto short_of = [&] {
      const double half_m = (at_m(end) - at_m(end - 1)) / 2;
      return trace.time_s[end] - trace.time_s[begin] < kShortestMean_s ||
             at_m(end) - at_m(begin) < least_m - half_m;
    };
    while (end < rows.end && short_of()) ++end;
    if (end >= rows.end) break;
    trace.means.push_back({begin, end});
    begin = end;
  }
}

std::vector<MotionRow> ComputedRates::rows(const MotionState& state) const {
  std::vector<MotionRow> rows;
  Histories histories(state.tau_s);
  for (const auto& trace : traces_) add_rows(trace, state, histories, rows);
  return rows;
}

/// Depths half-way between samples are where one mean ends and the next begins.
void ComputedRates::add_rows(const Trace& trace, const MotionState& state, Histories& histories,
                             std::vector<MotionRow>& rows) const {
  const auto& time_s = trace.time_s;
  double above_m = state.surface_m;
  if (trace.number && !state.shift_m.empty()) above_m -= state.shift_m[*trace.number];
  double delay_s = state.delay_s;
  if (trace.number && !state.late_s.empty()) delay_s += state.late_s[*trace.number];
  auto depth_m = travel_m(time_s, delay_s);
  for (std::size_t i = 0; i < depth_m.size(); ++i)
    depth_m[i] = std::max(0.0, depth_m[i] - trace.bent_m[i] - above_m);
  std::vector<double> edges_s;
  for (const auto& mean : trace.means)
    for (const std::size_t i : {mean.first, mean.end})
      edges_s.push_back((time_s[i - 1] + time_s[std::min(i, time_s.size() - 1)]) / 2);
  auto edge_m = travel_m(edges_s, delay_s);
  std::size_t next = 0;
  for (std::size_t m = 0; m < trace.means.size(); ++m) {
    const auto& mean = trace.means[m];
    for (; next < mean.first; ++next) histories.step(time_s[next], depth_m[next]);
    MotionRow row;
    row.press = *trace.number;
    row.branches_m.assign(state.tau_s.size(), 0);
    row.branches_m2.assign(state.tau_s.size(), 0);
    const auto count = static_cast<double>(mean.end - mean.first);
    for (; next < mean.end; ++next) {
      histories.step(time_s[next], depth_m[next]);
      row.force_N += trace.force_N[next] / count;
      row.depth_m += depth_m[next] / count;
      row.square_m2 += depth_m[next] * depth_m[next] / count;
      histories.add_to(row, 1 / count);
    }
    const auto at = [&](std::size_t edge, std::size_t i) {
      const std::size_t after = std::min(i, time_s.size() - 1);
      return edge_m[edge] - (trace.bent_m[i - 1] + trace.bent_m[after]) / 2 - above_m;
    };
    const double from_m = at(2 * m, mean.first), to_m = at(2 * m + 1, mean.end);
    const double lasts_s = edges_s[2 * m + 1] - edges_s[2 * m];
    row.velocity_m_per_s = (to_m - from_m) / lasts_s;
    row.depth_rate_m2_per_s = (to_m * to_m - from_m * from_m) / (2 * lasts_s);
    row.square_rate_m3_per_s = (to_m * to_m * to_m - from_m * from_m * from_m) / (3 * lasts_s);
    row.sigma_N = trace.sigma_N / std::sqrt(count);
    rows.push_back(std::move(row));
  }
  for (; next < time_s.size(); ++next) histories.step(time_s[next], depth_m[next]);
}

}  // namespace tactelier
