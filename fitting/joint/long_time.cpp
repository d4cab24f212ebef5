#include "fitting/joint/long_time.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/contact/contact.hpp"
#include "fitting/joint/rest_stiffness.hpp"
#include "fitting/recording/force_certificate.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/press_indenter.hpp"
#include "fitting/relaxation/rubber_memory.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/stiffness/first_cycle.hpp"
#include "fitting/stiffness/stiffness_quantity.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "joint";
constexpr double kCoverage = 1.96;

struct ReadAgain {
  RelaxedStiffness k;
  double max_depth_m = 0;
};

/// Empty where the press can't be read again. `seen_m`: how deep this place was pressed before.
Result<std::optional<ReadAgain>> read_again(const FitContext& context, std::size_t s, std::size_t p,
                                            double seen_m, const KnownRelaxation& known) {
  const std::optional<ReadAgain> none;
  const auto* contact = find_contact(context, s, p);
  if (!contact || !contact->ok) return none;
  const auto data = load_press(context, s, p, {}, PressBase::kForce);
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data || !data->has_force() || !data->has_travel() || data->static_readings) return none;
  HoldTrace before;
  const double slowest_s = known.values.tau_s.empty() ? 0 : known.values.tau_s.back();
  if (auto added = add_history(context, s, p, before, remembered_s(slowest_s)); !added)
    return fail(added.error());
  const auto depth = depth_m(context, at_rest(context, s, p, *contact), *data);
  std::vector<double> force_N(data->force_N);
  for (double& force : force_N) force -= contact->force_bias_N;
  const double deepest_m = *std::max_element(depth.begin(), depth.end());
  PressCourse course{data->time_s, depth, force_N};
  if (seen_before(seen_m, deepest_m)) course.seen_m = seen_m;
  const auto found = relaxed_stiffness(course, {before.begin_s, before.time_s, before.depth_m},
                                       known.model, known.values);
  if (!found) return none;
  return ReadAgain{*found, deepest_m};
}

struct Gathered {
  std::vector<StiffnessPress> points;  // k_punch: the line through first touch
  std::vector<double> plates_N_per_m;
};

/// `seen_m`: how deep this site was pressed before.
StiffnessPress point(const Press& press, const std::string& mount, const ReadAgain& read,
                     double seen_m, double u_relaxation) {
  const auto& k = read.k;
  StiffnessPress result;
  result.site = press.tactel ? fmt::format("tactel {}", *press.tactel)
                             : fmt::format("press {}", press.number);
  result.tactel = press.tactel;
  result.mount = mount;
  result.loading = LoadingFit{};
  result.loading->k_punch = Estimate{k.secant, k.tangent.std, k.tangent.dof};
  result.loading->max_depth_m = read.max_depth_m;
  result.first = !seen_before(seen_m, read.max_depth_m);
  // Of all presses alike: the relaxation, and how far the pad is from a straight law.
  result.shared = std::hypot(u_relaxation, u_rectangular(k.secant / k.tangent.value - 1));
  return result;
}

Result<Gathered> gather(const FitContext& context, const KnownRelaxation& known) {
  Gathered found;
  const auto& indenter = context.model.stiffness.indenter;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& session = context.sessions[s];
    std::map<int, double> seen_m;  // by tactel
    for (std::size_t p = 0; p < session.presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      context.job.progress(kStage, static_cast<double>(p),
                           static_cast<double>(session.presses.size()));
      const Press& press = session.presses[p];
      const bool plate = press.kind == PressKind::kArea;
      const bool on_point =
          has_slow_branches(press.kind) && indenter_name(session, press) == indenter;
      if (!press.usable() || (!plate && !on_point)) continue;
      const double before_m = press.tactel && !plate ? seen_m[*press.tactel] : 0;
      const auto k = read_again(context, s, p, before_m, known);
      if (!k) return fail(k.error());
      if (!*k) continue;
      if (plate) found.plates_N_per_m.push_back((*k)->k.tangent.value);
      if (plate || !press.tactel) continue;
      found.points.push_back(
          point(press, session.session->metadata().mount, **k, before_m, known.u_stiffness));
      seen_m[*press.tactel] = std::max(before_m, (*k)->max_depth_m);
    }
  }
  return found;
}

/// `old` with a new estimate; what repetition can't show stays as large in proportion.
Parameter renewed(const Parameter& old, const Estimate& estimate,
                  std::span<const Component> systematic) {
  if (!old.value) return old;
  return identified(estimate, old.unit, kStage, systematic);
}

/// A parameter and all its uncertainties over a factor known to `u` (relative).
void divide(Parameter& parameter, double factor, double u) {
  if (!parameter.value) return;
  *parameter.value /= factor;
  const double more = u * std::abs(*parameter.value);
  if (parameter.ci95)
    for (double& end : *parameter.ci95) {
      const double half = end / factor - *parameter.value;
      end = *parameter.value + std::copysign(std::hypot(half, kCoverage * more), half);
    }
  if (parameter.std) *parameter.std = std::hypot(*parameter.std / factor, more);
  if (parameter.u_total)
    *parameter.u_total = std::hypot(*parameter.u_total / factor, kCoverage * more);
}

class LongTime {
 public:
  LongTime(FitContext& context, const KnownRelaxation& known, Gathered found)
      : context_(context),
        known_(known),
        found_(std::move(found)),
        stiffness_(context.model.stiffness),
        figures_(context.model.quality[kStage].figures) {}

  void apply() {
    points();
    plates();
  }

 private:
  /// The certificate's gain, the frame's compliance: k^2 u(C)
  /// (docs/theory/contact-and-stiffness.md 2), and virgin rubber where nothing was pressed again.
  std::vector<Component> systematic_of(double k) const {
    double u_c1_m_per_N = 0;
    for (const auto& rig : context_.compliance)
      u_c1_m_per_N = std::max(u_c1_m_per_N, rig.u_c1_m_per_N);
    return {{"force gain", force_certificate(context_).gain_share() * k, kManyDegrees},
            {"frame compliance", k * k * u_c1_m_per_N, kManyDegrees},
            {"first press", virgin_ ? u_rectangular(kUnknownFirstCycle * k) : 0, kManyDegrees}};
  }

  void points() {
    std::vector<PressValue> values;
    std::map<std::string, int> tactels;
    leave_out_shallow(found_.points);
    const auto ratio = first_cycle_ratio(found_.points);
    if (ratio && softens(*ratio)) take_first_cycle_out(*ratio, found_.points);
    virgin_ = !ratio && pressed_once(found_.points) > 0;
    for (const auto& press : found_.points) {
      if (!press.loading) continue;
      const auto& k = *press.loading->k_punch;
      tactels[press.site] = *press.tactel;
      values.push_back({press.site, press.mount, k, press.shared * k.value});
    }
    if (values.empty() || !stiffness_.k_punch.value) return;
    const auto means = mean_over_sites(values);
    const double factor = *stiffness_.k_punch.value / means.mean.value;
    figures_["k_punch_over_long_time"] = factor;
    stiffness_.k_punch = renewed(stiffness_.k_punch, means.mean, systematic_of(means.mean.value));
    for (const auto& [site, tactel] : tactels) {
      const auto at = static_cast<std::size_t>(tactel);
      const auto mean = means.sites.find(site);
      if (at >= stiffness_.k_punch_tactel.size() || mean == means.sites.end()) continue;
      auto& parameter = stiffness_.k_punch_tactel[at];
      parameter = renewed(parameter, mean->second, systematic_of(mean->second.value));
    }
    for (auto& point : stiffness_.curve) point[1] /= factor;
    divide(stiffness_.k_affine, factor, u_rectangular(factor - 1));
  }

  /// K_f and k are the whole plate's slope over an area.
  void plates() {
    if (found_.plates_N_per_m.empty() || stiffness_.method != "area") return;
    if (!stiffness_.foundation_modulus.value) return;
    const double plate =
        *stiffness_.foundation_modulus.value * context_.model.sensor.sensing_area_m2();
    const double factor = plate / median(found_.plates_N_per_m);
    figures_["k_area_over_long_time"] = factor;
    for (auto* parameter : {&stiffness_.foundation_modulus, &stiffness_.k})
      divide(*parameter, factor, known_.u_stiffness);
  }

  FitContext& context_;
  const KnownRelaxation& known_;
  Gathered found_;
  Stiffness& stiffness_;
  std::map<std::string, double>& figures_;
  bool virgin_ = false;  // nothing tells how much stiffer rubber is at its first press
};

}  // namespace

Result<void> to_long_time(FitContext& context, const KnownRelaxation& known) {
  auto found = gather(context, known);
  if (!found) return fail(found.error());
  LongTime(context, known, std::move(*found)).apply();
  return {};
}

}  // namespace tactelier
