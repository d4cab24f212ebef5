#include "fitting/damping/rate_data.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/damping/press_in_time.hpp"
#include "fitting/damping/segments.hpp"
#include "fitting/recording/press_indenter.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/models/overlap.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

constexpr double kShallow = 0.1;    // of the press's depth: clamped or not yet in touch
constexpr double kMinForce = 0.03;  // of its peak: about to let go

struct Branches {
  std::vector<double> ratio, tau_s;  // k_i / k_inf
};

Branches branches_of(const SensorModel& model) {
  Branches branches;
  const auto& relaxation = model.relaxation;
  if (!relaxation.g_inf.value) return branches;
  for (std::size_t i = 0; i < relaxation.g.size(); ++i) {
    if (!relaxation.g[i].value || !relaxation.tau[i].value) return {};
    branches.ratio.push_back(*relaxation.g[i].value / *relaxation.g_inf.value);
    branches.tau_s.push_back(*relaxation.tau[i].value);
  }
  return branches;
}

/// Under a ball the stiffness grows with depth, and one c_n says nothing (stage hydroelastic).
bool grows(const FitSession& session, const Press& press) {
  const auto& indenter = indenter_of(session, press);
  return indenter && !indenter->flat_area_m2() && slab_overlap(*indenter, 0);
}

bool is_rate_press(const FitSession& session, const Press& press) {
  return press.usable() && shows_rate(press.kind) && !grows(session, press);
}

/// Of the presses that show a rate: the rule that chooses the calibration indenter.
std::string most_used(const FitContext& context) {
  const auto uses = indenters_used(context, is_rate_press);
  return uses.empty() ? std::string() : uses.front().name;
}

/// The branches' depth-like sums, driven by all that happened at this place.
class Memory {
 public:
  Memory(const Branches& branches, const HoldTrace& history, DepthPath& path)
      : branches_(branches), path_(path) {
    for (const double tau_s : branches.tau_s) {
      linear_.emplace_back(tau_s);
      square_.emplace_back(tau_s);
    }
    time_s_ = path_.begin_s = history.begin_s;
    for (std::size_t i = 0; i < history.time_s.size(); ++i)
      step(history.time_s[i], history.depth_m[i]);
  }
  void step(double time_s, double depth_m) {
    for (std::size_t b = 0; b < linear_.size(); ++b) {
      linear_[b].step(time_s - time_s_, depth_m - depth_m_);
      square_[b].step(time_s - time_s_, depth_m * depth_m - depth_m_ * depth_m_);
    }
    path_.time_s.push_back(time_s);
    path_.depth_m.push_back(depth_m);
    time_s_ = time_s;
    depth_m_ = depth_m;
  }
  std::size_t steps() const { return path_.time_s.size(); }
  double linear() const { return sum(linear_); }
  double square() const { return sum(square_); }

 private:
  double sum(const std::vector<PronyBranchState>& states) const {
    double total = 0;
    for (std::size_t b = 0; b < states.size(); ++b)
      total += branches_.ratio[b] * states[b].value_m();
    return total;
  }
  const Branches& branches_;
  DepthPath& path_;
  std::vector<PronyBranchState> linear_, square_;
  double time_s_ = 0;
  double depth_m_ = 0;
};

void add_rows(const PressData& data, std::span<const double> depth_m,
              std::span<const double> force_N, Memory& memory, std::size_t number,
              RatePress& result) {
  result.top_m = *std::max_element(depth_m.begin(), depth_m.end());
  result.peak_N = force_N[data.peak];
  const InTouch in_touch{kShallow * result.top_m, kMinForce * result.peak_N};
  SegmentLengths lengths;
  if (result.chirp) lengths.least_m = 0;
  for (const auto& segment : segments(data.time_s, depth_m, force_N, lengths)) {
    RateRow row;
    row.depth_m = segment.depth_m;
    row.force_N = segment.force_N;
    row.velocity_m_per_s = segment.velocity_m_per_s;
    row.half_sample_m_per_s = segment.half_sample_m_per_s;
    row.sigma_N = result.white_N / std::sqrt(segment.rows());
    row.press = number;
    const std::size_t first = memory.steps();
    for (std::size_t i = segment.begin; i < segment.end; ++i) {
      memory.step(data.time_s[i], std::max(0.0, depth_m[i]));
      row.branches_m += memory.linear() / segment.rows();
      row.branches_m2 += memory.square() / segment.rows();
    }
    if (!in_touch.holds(segment)) continue;
    result.rows.push_back(row);
    result.means.push_back({first, memory.steps()});
  }
}

double median_speed(const RatePress& press) {
  std::vector<double> speeds;
  for (const auto& row : press.rows)
    if (row.velocity_m_per_s > 0) speeds.push_back(row.velocity_m_per_s);
  if (speeds.empty()) return 0;
  return press.chirp ? *std::max_element(speeds.begin(), speeds.end()) : median(speeds);
}

Result<RatePress> load_one(const FitContext& context, std::size_t s, std::size_t p,
                           std::size_t number, const Branches& branches) {
  const auto& session = context.sessions[s];
  const Press& press = session.presses[p];
  RatePress result;
  result.where =
      fmt::format("{} press {}", session.session->file().filename().string(), press.number);
  result.session = s;
  result.press = p;
  result.tactel = press.tactel;
  result.chirp = press.kind == PressKind::kChirp;
  const double slowest_s =
      branches.tau_s.empty() ? 0 : *std::max_element(branches.tau_s.begin(), branches.tau_s.end());
  const auto went = press_in_time(context, s, p, slowest_s, "damping");
  if (!went) return fail(went.error());
  if (!went->refusal.empty()) {
    result.refusal = went->refusal;
    return result;
  }
  Memory memory(branches, went->before, result.path);
  // In free air: under way the stage's steps look like noise, the more the faster it goes.
  result.white_N = std::max(1e-6, went->sigma_force_N);
  add_rows(went->data, went->depth_m, went->force_N, memory, number, result);
  result.speed_m_per_s = median_speed(result);
  if (result.rows.size() < 10)
    result.refusal = "NO-SAMPLES fewer than 10 averaged segments in contact";
  return result;
}

}  // namespace

Result<RateData> load_rates(const FitContext& context) {
  RateData found;
  found.indenter = most_used(context);
  const auto branches = branches_of(context.model);
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& session = context.sessions[s];
    for (std::size_t p = 0; p < session.presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      if (!is_rate_press(session, session.presses[p]) ||
          indenter_name(session, session.presses[p]) != found.indenter)
        continue;
      auto press = load_one(context, s, p, found.presses.size(), branches);
      if (!press) return fail(press.error());
      found.presses.push_back(std::move(*press));
    }
  }
  std::vector<std::size_t> sessions;
  for (const auto& press : found.presses) sessions.push_back(press.session);
  found.stage_period_s = slowest_stage_s(context, sessions);
  return found;
}

}  // namespace tactelier
