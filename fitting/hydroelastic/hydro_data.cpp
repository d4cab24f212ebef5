#include "fitting/hydroelastic/hydro_data.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/contact/contact.hpp"
#include "fitting/damping/stretches.hpp"
#include "fitting/press/press_data.hpp"
#include "fitting/relaxation/rubber_memory.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

constexpr double kStretch_m = 5e-6;
constexpr double kShallow = 0.1;      // of the press's depth
constexpr double kLeastForce = 0.02;  // of its peak: about to let go
constexpr double kDeepest = 0.3;      // of the thickness: the field is linear up to there
constexpr double kMostRig = 0.5;      // of the travel: RC-02

/// Relaxing branches of the overlap volume; none where relaxation is not known.
class VolumeMemory {
 public:
  VolumeMemory(const SensorModel& model, const Indenter& indenter) : indenter_(indenter) {
    const auto& relaxation = model.relaxation;
    if (!relaxation.g_inf.value) return;
    for (std::size_t i = 0; i < relaxation.g.size() && i < relaxation.tau.size(); ++i) {
      if (!relaxation.g[i].value || !relaxation.tau[i].value) continue;
      ratio_.push_back(*relaxation.g[i].value / *relaxation.g_inf.value);
      branches_.emplace_back(*relaxation.tau[i].value);
    }
  }
  bool any() const { return !branches_.empty(); }
  void begin(double time_s) { time_s_ = time_s; }
  void step(double time_s, double depth_m) {
    const double volume_m3 = slab_overlap(indenter_, depth_m).value_or(Overlap{}).volume_m3;
    for (auto& branch : branches_) branch.step(time_s - time_s_, volume_m3 - volume_m3_);
    time_s_ = time_s;
    volume_m3_ = volume_m3;
  }
  double sum_m3() const {
    double sum = 0;
    for (std::size_t b = 0; b < branches_.size(); ++b) sum += ratio_[b] * branches_[b].value_m();
    return sum;
  }

 private:
  const Indenter& indenter_;
  std::vector<double> ratio_;
  std::vector<PronyBranchState> branches_;
  double time_s_ = 0;
  double volume_m3_ = 0;
};

const std::optional<Indenter>& indenter_of(const FitSession& session, const Press& press) {
  return press.indenter ? press.indenter : session.session->metadata().indenter;
}

void add_rows(const PressData& data, std::span<const double> depth_m,
              std::span<const double> force_N, double deepest_m, VolumeMemory& memory,
              std::size_t number, double white_N, HydroPress& result) {
  const InTouch in_touch{kShallow * result.top_m, kLeastForce * force_N[data.peak]};
  StretchLengths lengths;
  lengths.least_m = kStretch_m;
  std::vector<double> speeds;
  for (const auto& stretch : stretches(data.time_s, depth_m, force_N, lengths)) {
    HydroRow row;
    row.press = number;
    row.depth_m = stretch.depth_m;
    row.force_N = stretch.force_N;
    row.velocity_m_per_s = stretch.velocity_m_per_s;
    row.sigma_N = white_N / std::sqrt(stretch.rows());
    for (std::size_t i = stretch.begin; i < stretch.end && memory.any(); ++i) {
      memory.step(data.time_s[i], depth_m[i]);
      row.branches_m3 += memory.sum_m3() / stretch.rows();
    }
    if (!in_touch.holds(stretch) || row.depth_m >= deepest_m) continue;
    result.rows.push_back(row);
    if (row.velocity_m_per_s > 0) speeds.push_back(row.velocity_m_per_s);
  }
  if (!speeds.empty()) result.speed_m_per_s = median(speeds);
  result.plays = speeds.size() < result.rows.size();
}

double white_noise_N(const PressData& data) {
  std::vector<double> second;
  for (std::size_t i = 2; i < data.rows(); ++i)
    second.push_back(data.force_N[i] - 2 * data.force_N[i - 1] + data.force_N[i - 2]);
  return std::max(1e-6, mad_sigma(second) / std::sqrt(6.0));
}

std::string site_of(const Press& press) {
  if (press.tactel) return fmt::format("tactel {}", *press.tactel);
  if (press.x_m && press.y_m)
    return fmt::format("x {:.1f} mm, y {:.1f} mm", 1e3 * *press.x_m, 1e3 * *press.y_m);
  return press.site ? fmt::format("site {}", *press.site) : std::string("one place");
}

bool first_at_its_place(const FitSession& session, std::size_t p) {
  for (std::size_t q = 0; q < p; ++q)
    if (session.presses[q].usable() && same_place(session.presses[q], session.presses[p]))
      return false;
  return true;
}

Result<HydroPress> load_one(const FitContext& context, std::size_t s, std::size_t p,
                            std::size_t number, double thickness_m) {
  const auto& session = context.sessions[s];
  const Press& press = session.presses[p];
  HydroPress result;
  result.where =
      fmt::format("{} press {}", session.session->file().filename().string(), press.number);
  result.session = s;
  result.press = p;
  result.indenter = *indenter_of(session, press);
  result.site = site_of(press);
  result.first = first_at_its_place(session, p);
  const auto* contact = find_contact(context, s, p);
  if (!contact || !contact->ok) {
    result.refusal = contact && !contact->reason.empty() ? contact->reason : "RC-01 no contact";
    return result;
  }
  const auto data = load_press(context, s, p, {}, PressBase::kForce);
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data || !data->has_force() || !data->has_travel() || data->rows() < 100 ||
      data->static_readings) {
    result.refusal = data ? "NO-SAMPLES the pressure field needs force and stage travel in time"
                          : data.error().message;
    return result;
  }
  VolumeMemory memory(context.model, result.indenter);
  HoldTrace history;
  if (memory.any())
    if (auto added = add_history(context, s, p, history); !added) return fail(added.error());
  memory.begin(history.time_s.empty() ? data->time_s.front() : history.begin_s);
  for (std::size_t i = 0; i < history.time_s.size(); ++i)
    memory.step(history.time_s[i], history.depth_m[i]);
  const auto depth =
      depth_m(context, memory.any() ? at_rest(context, s, p, *contact) : *contact, *data);
  const double bias_N = contact->force_bias_N;
  result.top_m = *std::max_element(depth.begin(), depth.end());
  result.u_contact_m = contact->u_z0_m;
  if (s < context.compliance.size()) {
    const double bent_m = context.compliance[s].deflection_m(data->force_N[data->peak] - bias_N);
    result.rig_part = bent_m / (bent_m + depth[data->peak]);
  }
  if (result.rig_part > kMostRig) {
    result.refusal = fmt::format(
        "RC-02 {:.0f} % of the travel bends the rig: the depth can't be trusted; use a stiffer rig "
        "or a smaller ball.",
        100 * result.rig_part);
    return result;
  }
  std::vector<double> force_N(data->force_N);
  for (double& force : force_N) force -= bias_N;
  add_rows(*data, depth, force_N, kDeepest * thickness_m, memory, number, white_noise_N(*data),
           result);
  if (result.rows.size() < 10)
    result.refusal = "NO-SAMPLES fewer than 10 stretches in contact, up to 0.3 of the thickness";
  return result;
}

}  // namespace

Result<HydroData> load_hydro(const FitContext& context, double thickness_m) {
  HydroData found;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& session = context.sessions[s];
    bool any = false;
    for (std::size_t p = 0; p < session.presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      const Press& press = session.presses[p];
      const auto& indenter = indenter_of(session, press);
      if (!press.usable() || !indenter || press.kind == "plate" || press.kind == "area" ||
          !follows_foundation(*indenter, thickness_m))
        continue;
      any = true;
      auto loaded = load_one(context, s, p, found.presses.size(), thickness_m);
      if (!loaded) return fail(loaded.error());
      found.presses.push_back(std::move(*loaded));
    }
    const auto* stage = session.session->stream(StreamKind::kStage);
    const double rate_hz = stage ? stage->rate_hz().value_or(0) : 0;
    if (any && rate_hz > 0) found.stage_period_s = std::max(found.stage_period_s, 1 / rate_hz);
  }
  return found;
}

}  // namespace tactelier
