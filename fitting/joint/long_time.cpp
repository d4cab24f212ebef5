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
#include "fitting/stiffness/stiffness_quantity.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "joint";
constexpr double kCoverage = 1.96;

struct RestPress {
  std::string site;
  std::optional<int> tactel;
  std::string mount;
  RelaxedStiffness k;
};

/// Empty where the press can't be read again.
Result<std::optional<RelaxedStiffness>> read_again(const FitContext& context, std::size_t s,
                                                   std::size_t p, const KnownRelaxation& known) {
  const std::optional<RelaxedStiffness> none;
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
  const auto found =
      relaxed_stiffness({data->time_s, depth, force_N},
                        {before.begin_s, before.time_s, before.depth_m}, known.model, known.values);
  return found ? std::optional(*found) : none;
}

struct Gathered {
  std::vector<RestPress> points;
  std::vector<double> plates_N_per_m;
};

Result<Gathered> gather(const FitContext& context, const KnownRelaxation& known) {
  Gathered found;
  const auto& indenter = context.model.stiffness.indenter;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& session = context.sessions[s];
    for (std::size_t p = 0; p < session.presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      context.job.progress(kStage, static_cast<double>(p),
                           static_cast<double>(session.presses.size()));
      const Press& press = session.presses[p];
      const bool plate = press.kind == PressKind::kArea;
      const bool point = has_slow_branches(press.kind) && indenter_name(session, press) == indenter;
      if (!press.usable() || (!plate && !point)) continue;
      const auto k = read_again(context, s, p, known);
      if (!k) return fail(k.error());
      if (!*k) continue;
      if (plate)
        found.plates_N_per_m.push_back((*k)->tangent.value);
      else
        found.points.push_back({press.tactel ? fmt::format("tactel {}", *press.tactel)
                                             : fmt::format("press {}", press.number),
                                press.tactel, session.session->metadata().mount, **k});
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

/// Of all presses alike: the relaxation, and how far the pad is from a straight law.
double shared_u(const RelaxedStiffness& k, double u_relaxation) {
  return std::hypot(k.tangent.value * u_relaxation, u_rectangular(k.secant - k.tangent.value));
}

/// The certificate's gain and the frame's compliance: k^2 u(C)
/// (docs/theory/contact-and-stiffness.md 2).
std::vector<Component> systematic_of(const FitContext& context, double k) {
  std::vector<Component> parts;
  double u_c1_m_per_N = 0;
  for (const auto& rig : context.compliance)
    u_c1_m_per_N = std::max(u_c1_m_per_N, rig.u_c1_m_per_N);
  parts.push_back({"force gain", force_certificate(context).gain_share() * k, kManyDegrees});
  parts.push_back({"frame compliance", k * k * u_c1_m_per_N, kManyDegrees});
  return parts;
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
  void points() {
    std::vector<PressValue> values;
    std::map<std::string, int> tactels;
    for (const auto& press : found_.points) {
      if (!press.tactel) continue;
      tactels[press.site] = *press.tactel;
      values.push_back({press.site,
                        press.mount,
                        {press.k.secant, press.k.tangent.std, press.k.tangent.dof},
                        shared_u(press.k, known_.u_stiffness)});
    }
    if (values.empty() || !stiffness_.k_punch.value) return;
    const auto means = mean_over_sites(values);
    const double factor = *stiffness_.k_punch.value / means.mean.value;
    figures_["k_punch_over_long_time"] = factor;
    stiffness_.k_punch =
        renewed(stiffness_.k_punch, means.mean, systematic_of(context_, means.mean.value));
    for (const auto& [site, tactel] : tactels) {
      const auto at = static_cast<std::size_t>(tactel);
      const auto mean = means.sites.find(site);
      if (at >= stiffness_.k_punch_tactel.size() || mean == means.sites.end()) continue;
      auto& parameter = stiffness_.k_punch_tactel[at];
      parameter = renewed(parameter, mean->second, systematic_of(context_, mean->second.value));
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
};

}  // namespace

Result<void> to_long_time(FitContext& context, const KnownRelaxation& known) {
  auto found = gather(context, known);
  if (!found) return fail(found.error());
  LongTime(context, known, std::move(*found)).apply();
  return {};
}

}  // namespace tactelier
