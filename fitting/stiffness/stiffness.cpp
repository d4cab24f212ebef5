#include "fitting/stiffness/stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "fitting/contact/contact.hpp"
#include "fitting/recording/force_certificate.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/press_indenter.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/stiffness/bend.hpp"
#include "fitting/stiffness/first_cycle.hpp"
#include "fitting/stiffness/press_speed.hpp"
#include "fitting/stiffness/stiffness_area.hpp"
#include "fitting/stiffness/stiffness_branch.hpp"
#include "fitting/stiffness/stiffness_loop.hpp"
#include "fitting/stiffness/stiffness_summary.hpp"
#include "fitting/stiffness/weights.hpp"
#include "libcalib/reason.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "stiffness";

std::string site_of(const Press& press) {
  if (press.tactel) return fmt::format("tactel {}", *press.tactel);
  if (press.x_m && press.y_m)
    return fmt::format("x {:.3f} mm, y {:.3f} mm", m_to_mm(*press.x_m), m_to_mm(*press.y_m));
  if (press.site) return fmt::format("site {}", *press.site);
  return fmt::format("press {}", press.number);
}

/// Depth of every row up to a constant when contact is not known.
std::vector<double> depth_or_travel(const FitContext& context, const PressContact* contact,
                                    std::size_t session, const PressData& data) {
  if (contact && contact->ok) return depth_m(context, *contact, data);
  if (session >= context.compliance.size()) return data.travel_m;
  return tip_travel_m(context.compliance[session], data.travel_m, data.force_N);
}

/// The deepest that each place was pressed so far in a session. How deep a press went that isn't
/// usable is not looked at: it counts as deep enough, unless it was aborted.
class SeenDepths {
 public:
  double at(const std::string& site) const {
    const auto found = deepest_m_.find(site);
    return found == deepest_m_.end() ? 0 : found->second;
  }
  void unusable(const Press& press) {
    if (press.outcome != "aborted") deepest_m_[site_of(press)] = 1;
  }
  void add(const std::string& site, double depth_m) {
    deepest_m_[site] = std::max(at(site), depth_m);
  }

 private:
  std::map<std::string, double> deepest_m_;
};

void analyse_loading(LoadingBranch branch, double seen_m, const PressContact* contact,
                     const SensorModel& model, StiffnessPress& result) {
  const bool known = contact && contact->ok;
  result.u_z0_m = known ? contact->u_z0_m : 0;
  if (!known)
    result.no_contact = contact && !contact->reason.empty()
                            ? contact->reason
                            : "NOT-FITTED the stage 'contact' did not find a contact point";
  double deepest_m = 0;
  for (const double depth_m : branch.depth_m) deepest_m = std::max(deepest_m, depth_m);
  result.first = !known || !seen_before(seen_m, deepest_m);
  if (!result.first) branch = down_to(seen_m, branch);
  auto loading = fit_loading(branch, result.u_z0_m, model.sensor.thickness_m);
  if (!loading) {
    result.no_loading = loading.error().message;
    return;
  }
  result.loading = *loading;
  result.loading->max_depth_m = deepest_m;
  result.linearity = check_linearity(branch);
  if (!known) return;
  const LoadingBranch points = grouped(branch);
  for (std::size_t i = 0; i < points.depth_m.size(); ++i)
    if (points.depth_m[i] > (result.curve.empty() ? 0.0 : result.curve.back()[0]))
      result.curve.push_back({points.depth_m[i], points.force_N[i]});
}

void measure_loop(const PressData& data, const Press& press, std::span<const double> depth_m,
                  double bias_N, double seen_m, StiffnessPress& result) {
  if (!result.loading || !result.loading->k_punch || data.static_readings || !press.holds.empty())
    return;
  std::vector<double> force_N(data.force_N);
  for (double& force : force_N) force -= bias_N;
  PressLoop loop{data.time_s, depth_m, force_N, data.peak, unloading_start(data, press)};
  if (!result.first) loop.seen_m = seen_m;
  result.loop = hysteresis_half_width(loop);
  result.run_in = !result.first && result.loading->max_depth_m <= kAlikeDepth * seen_m;
}

void analyse_unloading(const PressData& data, const Press& press, std::span<const double> depth,
                       double bias_N, StiffnessPress& result) {
  const std::size_t start = unloading_start(data, press);
  std::vector<double> force_N(data.force_N.begin() + static_cast<std::ptrdiff_t>(start),
                              data.force_N.end());
  for (double& force : force_N) force -= bias_N;
  auto unloading = fit_unloading({depth.subspan(start), force_N});
  if (unloading)
    result.unloading = *unloading;
  else
    result.no_unloading = unloading.error().message;
}

/// A rig in series whose give nobody measured: what the line says is not the pad's. Sessions that
/// say nothing of a rig are taken as they are given, with a warning (RIGID-RIG).
void refuse_unknown_rig(const std::string& reason, bool plate, StiffnessPress& result) {
  if (plate) {
    result.loading.reset();
    result.no_loading = reason;
  } else if (result.loading && result.loading->k_punch) {
    result.loading->k_punch.reset();
    result.no_contact = reason;
  }
}

Result<StiffnessPress> analyse(const FitContext& context, std::size_t session, std::size_t index,
                               const SeenDepths& seen) {
  const auto& fit_session = context.sessions[session];
  const Press& press = fit_session.presses[index];
  StiffnessPress result;
  result.where =
      fmt::format("{} press {}", fit_session.session->file().filename().string(), press.number);
  result.site = site_of(press);
  result.tactel = press.tactel;
  result.mount = fit_session.session->metadata().mount;
  const auto refuse = [&](const std::string& reason) {
    result.no_loading = result.no_unloading = result.no_contact = reason;
    return result;
  };
  const auto data = load_press(context, session, index, {});
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data) return refuse(data.error().message);
  if (data->rows() == 0 || !data->has_force())
    return refuse("ST-01 No force was recorded: stiffness needs force and stage travel.");
  if (!data->has_travel())
    return refuse("ST-01 No stage travel was recorded: stiffness needs force and stage travel.");
  result.rows_left_out = data->rows_left_out;
  const PressContact* contact = find_contact(context, session, index);
  const double bias_N = contact && (contact->ok || contact->tared) ? contact->force_bias_N : 0;
  const auto depth = depth_or_travel(context, contact, session, *data);
  const bool known = contact && contact->ok;
  const double seen_m = seen.at(result.site);
  analyse_loading(loading_branch(*data, press, depth, bias_N, known), seen_m, contact,
                  context.model, result);
  analyse_unloading(*data, press, depth, bias_N, result);
  if (known) measure_loop(*data, press, depth, bias_N, seen_m, result);
  if (const auto reason = unknown_rig(context, session); !reason.empty())
    refuse_unknown_rig(reason, press.kind == PressKind::kArea, result);
  return result;
}

struct Gathered {
  std::vector<StiffnessPress> points;
  std::vector<StiffnessPress> plates;
  std::map<std::string, int> other_indenters;
};

Result<Gathered> gather(const FitContext& context, const std::string& indenter) {
  Gathered found;
  std::size_t done = 0;
  std::size_t total = 0;
  for (const auto& session : context.sessions) total += session.presses.size();
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    SeenDepths seen;
    for (std::size_t p = 0; p < context.sessions[s].presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      context.job.progress(kStage, static_cast<double>(done++), static_cast<double>(total));
      const Press& press = context.sessions[s].presses[p];
      const bool plate = press.kind == PressKind::kArea;
      if (!press.usable()) seen.unusable(press);
      if (!press.usable() || (!plate && !has_slow_branches(press.kind))) continue;
      const std::string with = indenter_name(context.sessions[s], press);
      if (!plate && with != indenter) {
        ++found.other_indenters[with];
        continue;
      }
      auto analysed = analyse(context, s, p, seen);
      if (!analysed) return fail(analysed.error());
      if (plate)
        analysed->site = "plate";
      else if (analysed->loading)
        seen.add(analysed->site, analysed->loading->max_depth_m);
      (plate ? found.plates : found.points).push_back(std::move(*analysed));
    }
  }
  return found;
}

/// The largest of what the sessions state.
RigUncertainty rig_uncertainty(const FitContext& context) {
  RigUncertainty rig;
  for (const auto& compliance : context.compliance) {
    rig.c1_m_per_N = std::max(rig.c1_m_per_N, compliance.c1_m_per_N);
    rig.u_c1_m_per_N = std::max(rig.u_c1_m_per_N, compliance.u_c1_m_per_N);
  }
  if (const auto certificate = force_certificate(context); certificate.complete)
    rig.force_gain = certificate.gain_share();
  return rig;
}

Result<std::vector<WeightReading>> gather_weights(const FitContext& context) {
  std::vector<WeightReading> readings;
  for (const auto& fit_session : context.sessions) {
    const auto found = weights(fit_session.session->events());
    if (!found) return fail(found.error(), fit_session.session->file().filename().string());
    for (const auto& weight : *found)
      readings.push_back({weight, fit_session.session->metadata().gravity_m_per_s2});
  }
  return readings;
}

/// k_punch of rubber that was pressed before (first_cycle.hpp).
void settle_first_cycles(Gathered& found, RigUncertainty& rig, StageQuality& quality) {
  leave_out_shallow(found.points);
  const auto ratio = first_cycle_ratio(found.points);
  if (ratio) {
    quality.figures["later_over_first_press"] = ratio->value;
    quality.figures["later_over_first_press_std"] = ratio->std;
    if (softens(*ratio)) take_first_cycle_out(*ratio, found.points);
    return;
  }
  const std::size_t once = pressed_once(found.points);
  if (once == 0) return;
  rig.first_press = kUnknownFirstCycle;
  quality.warnings.push_back(
      {"FIRST-PRESS",
       fmt::format("{} places were pressed once, and too few again to tell how much stiffer rubber "
                   "is at its first press: press again, or discard the first press "
                   "(discard_first). u_total holds {:.0f} % for it.",
                   once, 100 * kUnknownFirstCycle),
       "stiffness.k_punch"});
}

void warn_left_out(const Gathered& found, const std::string& indenter, Warnings& warnings) {
  for (const auto& [other, count] : found.other_indenters)
    warnings.push_back({"OTHER-INDENTER",
                        fmt::format("{} presses with another indenter ({}) left out: k_punch "
                                    "belongs to {}.",
                                    count, other.empty() ? "not stated" : other,
                                    indenter.empty() ? "the one not stated" : indenter),
                        "stiffness.k_punch"});
  std::map<std::string, std::vector<std::string>> refused;
  for (const auto& press : found.points)
    if (!press.loading && !has_code(press.no_loading, "FIRST-PRESS"))
      refused[press.no_loading].push_back(press.where);
  for (const auto& [reason, where] : refused)
    warnings.push_back(warning_of(
        reason,
        where.size() == 1 ? where[0] : fmt::format("{} and {} more", where[0], where.size() - 1)));
}

}  // namespace

Result<void> run_stiffness(FitContext& context) {
  const std::string indenter = calibration_indenter(context);
  auto found = gather(context, indenter);
  if (!found) return fail(found.error());
  const auto readings = gather_weights(context);
  if (!readings) return fail(readings.error());
  take_speed_out(found->points);
  take_speed_out(found->plates);
  RigUncertainty rig = rig_uncertainty(context);
  rig.hysteresis_half_width = median_hysteresis_half_width(found->points);
  auto& model = context.model;
  model.quality[kStage] = {};
  settle_first_cycles(*found, rig, model.quality[kStage]);
  account_for_bend(found->points, model.sensor.thickness_m, model.quality[kStage]);
  model.stiffness.indenter = found->points.empty() ? std::string() : indenter;
  summarize_presses(found->points, rig,
                    "ST-01 No usable press of kind 'ramp', 'staircase' or 'repeat': press tactels "
                    "to at least five depths.",
                    model);
  warn_left_out(*found, indenter, model.quality[kStage].warnings);
  warn_about_presses(found->points, rig, model);
  summarize_area(found->plates, *readings, rig, model);
  return {};
}

}  // namespace tactelier
