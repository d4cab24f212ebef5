#include "fitting/hydroelastic/hydro_data.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/damping/press_in_time.hpp"
#include "fitting/damping/segments.hpp"
#include "fitting/joint/loss_per_decade.hpp"
#include "fitting/recording/computed_travel.hpp"
#include "fitting/recording/press_indenter.hpp"
#include "fitting/recording/step_edges.hpp"
#include "fitting/relaxation/rubber_memory.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/white_noise.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

constexpr double kLeastNoise_N = 1e-6;  // of forces without any
constexpr double kStretch_m = 5e-6;
constexpr double kShallow = 0.1;      // of the press's depth
constexpr double kMinForce = 0.02;    // of its peak: about to let go
constexpr double kSeated = 0.2;       // of its peak: joints have seated
constexpr double kSeating_m = 10e-6;  // by which they may
constexpr double kDeepest = 0.3;      // of the thickness: the field is linear up to there
constexpr double kMaxRig = 0.5;       // of the travel: RC-02
constexpr double kAsDeep = 0.9;       // of a press's force: an earlier one went as deep
constexpr double kSampled_s = 0.02;   // a stage that shows its way: a loop is the pad's
constexpr double kTurn = 1.5;         // periods of the stage's positions
constexpr double kMaxBlind = 0.05;    // of the depth, between two positions of the stage

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
      slowest_s_ = std::max(slowest_s_, *relaxation.tau[i].value);
    }
  }
  bool any() const { return !branches_.empty(); }
  double slowest_s() const { return slowest_s_; }
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
  double slowest_s_ = 0;
  double time_s_ = 0;
  double volume_m3_ = 0;
};

/// Of a stage that tells few positions, straight lines between two about the turn cut the peak off,
/// and while unloading its backlash is known to some micrometres only.
bool place_is_known(const PressData& data, const PressSegment& segment) {
  return !(data.stage_period_s > kSampled_s) ||
         data.time_s[segment.end - 1] < data.time_s[data.peak] - kTurn * data.stage_period_s;
}

void add_rows(const PressData& data, std::span<const double> depth_m,
              std::span<const double> force_N, double deepest_m, VolumeMemory& memory,
              std::span<const double> nut_m, std::size_t number, double white_N, double least_share,
              HydroPress& result) {
  const InTouch in_touch{kShallow * result.top_m, least_share * force_N[data.peak]};
  SegmentLengths lengths;
  lengths.least_m = kStretch_m;
  std::vector<double> speeds;
  for (const auto& segment : segments(data.time_s, depth_m, force_N, lengths)) {
    HydroRow row;
    row.press = number;
    row.depth_m = segment.depth_m;
    row.force_N = segment.force_N;
    row.velocity_m_per_s = segment.velocity_m_per_s;
    row.sigma_N = white_N / std::sqrt(segment.rows());
    for (std::size_t i = segment.begin; i < segment.end; ++i)
      row.nut_m += nut_m[i] / segment.rows();
    for (std::size_t i = segment.begin; i < segment.end && memory.any(); ++i) {
      memory.step(data.time_s[i], depth_m[i]);
      row.branches_m3 += memory.sum_m3() / segment.rows();
    }
    if (!in_touch.holds(segment) || row.depth_m >= deepest_m) continue;
    if (row.velocity_m_per_s > 0) speeds.push_back(row.velocity_m_per_s);
    if (!place_is_known(data, segment)) continue;
    result.plays = result.plays || !(row.velocity_m_per_s > 0);
    result.rows.push_back(row);
  }
  if (!speeds.empty()) result.speed_m_per_s = median(speeds);
}

std::string site_of(const Press& press) {
  if (press.tactel) return fmt::format("tactel {}", *press.tactel);
  if (press.x_m && press.y_m)
    return fmt::format("x {:.1f} mm, y {:.1f} mm", 1e3 * *press.x_m, 1e3 * *press.y_m);
  return press.site ? fmt::format("site {}", *press.site) : std::string("one place");
}

/// Whether the plate shows a frame that bends, but not how its joints seat at first: its line holds
/// beyond alone.
bool seats_unseen(const FitContext& context, std::size_t session) {
  if (session >= context.compliance.size()) return false;
  const auto& frame = context.compliance[session];
  return frame.c1_m_per_N > 0 && frame.u_c1_m_per_N > 0 && frame.c2_m == 0;
}

/// Whether a press goes deeper than all before it at its place, into rubber that is virgin there.
/// Forces tell: what a stage says of a fast press's depth may be far off.
bool meets_virgin_rubber(const FitContext& context, const HydroPress& press,
                         std::span<const HydroPress> before) {
  const auto& presses = context.sessions[press.session].presses;
  return std::none_of(before.begin(), before.end(), [&](const HydroPress& earlier) {
    return earlier.session == press.session &&
           same_place(presses[earlier.press], presses[press.press]) &&
           earlier.peak_N > kAsDeep * press.peak_N;
  });
}

std::optional<Estimate> loss_of(const PressInTime& press, const Indenter& indenter) {
  std::vector<double> volume_m3, area_m2;
  for (const double depth_m : press.depth_m) {
    const auto there = slab_overlap(indenter, depth_m).value_or(Overlap{});
    volume_m3.push_back(there.volume_m3);
    area_m2.push_back(there.area_m2);
  }
  return loss_per_decade({press.data.time_s, press.depth_m, press.force_N}, volume_m3, area_m2);
}

/// How a stage goes that does not say so often enough.
struct SlowStage {
  double step_m = 0;   // 0: it has none
  CommandedPath path;  // empty where its own positions tell
  double late_s = 0;   // of each line
};

Result<SlowStage> stage_of(const FitContext& context, std::size_t session) {
  SlowStage stage;
  const auto step_m = stage_step_m(context, session);
  if (!step_m) return fail(step_m.error());
  stage.step_m = *step_m;
  const double period_s = slowest_stage_s(context, {session});
  if (!context.model.relaxation.g_inf.value || !(period_s > kSampled_s)) return stage;
  stage.path = commanded_path(*context.sessions[session].session);
  const auto late = lateness_on_plate(context, session, stage.path);
  if (!late) return fail(late.error());
  stage.late_s = *late ? (*late)->value_s : 0;
  return stage;
}

Result<HydroPress> load_one(const FitContext& context, std::size_t s, std::size_t p,
                            std::size_t number, double thickness_m, const StageLines* lines) {
  const auto& session = context.sessions[s];
  const Press& press = session.presses[p];
  HydroPress result;
  result.where =
      fmt::format("{} press {}", session.session->file().filename().string(), press.number);
  result.session = s;
  result.press = p;
  result.indenter = *indenter_of(session, press);
  result.site = site_of(press);
  VolumeMemory memory(context.model, result.indenter);
  const auto went = press_in_time(context, s, p, memory.slowest_s(), "the pressure field", lines);
  if (!went) return fail(went.error());
  if (!went->refusal.empty()) {
    result.refusal = went->refusal;
    return result;
  }
  memory.begin(went->before.begin_s);
  for (std::size_t i = 0; i < went->before.time_s.size(); ++i)
    memory.step(went->before.time_s[i], went->before.depth_m[i]);
  const auto& data = went->data;
  result.peak_N = went->force_N[data.peak];
  result.top_m = *std::max_element(went->depth_m.begin(), went->depth_m.end());
  const bool seats = seats_unseen(context, s);
  result.u_contact_m = std::hypot(went->u_contact_m, seats ? kSeating_m : 0);
  result.rig_part = went->rig_m / (went->rig_m + went->depth_m[data.peak]);
  if (result.rig_part > kMaxRig) {
    result.refusal = fmt::format(
        "RC-02 {:.0f} % of the travel bends the rig: the depth can't be trusted; use a stiffer rig "
        "or a smaller ball.",
        100 * result.rig_part);
    return result;
  }
  add_rows(data, went->depth_m, went->force_N, kDeepest * thickness_m, memory, went->nut_m, number,
           std::max(kLeastNoise_N, white_noise(data.force_N)), seats ? kSeated : kMinForce, result);
  const double blind_m = result.speed_m_per_s * data.stage_period_s;
  if (blind_m > kMaxBlind * result.top_m)
    result.refusal = fmt::format(
        "TOO-FAST The indenter goes {:.2g} mm between two positions of the stage, of {:.2g} mm in "
        "all: where it turns is not known. Press more slowly, or record an encoder.",
        1e3 * blind_m, 1e3 * result.top_m);
  if (!memory.any() && data.stage_period_s > 0 && data.stage_period_s < kSampled_s)
    result.loss_per_decade = loss_of(*went, result.indenter);
  if (result.refusal.empty() && result.rows.size() < 10)
    result.refusal =
        "NO-SAMPLES fewer than 10 averaged segments in contact, up to 0.3 of the thickness";
  return result;
}

}  // namespace

Result<HydroData> load_hydro(const FitContext& context, double thickness_m) {
  HydroData found;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& session = context.sessions[s];
    std::optional<SlowStage> stage;  // once a press asks for it
    for (std::size_t p = 0; p < session.presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      const Press& press = session.presses[p];
      const auto& indenter = indenter_of(session, press);
      if (!press.usable() || !indenter || press.kind == PressKind::kArea ||
          !follows_foundation(*indenter, thickness_m))
        continue;
      if (!stage) {
        auto known = stage_of(context, s);
        if (!known) return fail(known.error());
        stage = std::move(*known);
      }
      const StageLines lines{stage->path, stage->late_s};
      auto loaded = load_one(context, s, p, found.presses.size(), thickness_m,
                             stage->path.lines().empty() ? nullptr : &lines);
      if (!loaded) return fail(loaded.error());
      loaded->step_m = stage->step_m;
      loaded->first = meets_virgin_rubber(context, *loaded, found.presses);
      found.presses.push_back(std::move(*loaded));
    }
  }
  std::vector<std::size_t> sessions;
  for (const auto& press : found.presses) sessions.push_back(press.session);
  found.stage_period_s = slowest_stage_s(context, sessions);
  return found;
}

}  // namespace tactelier
