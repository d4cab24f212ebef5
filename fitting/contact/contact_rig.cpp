#include "fitting/contact/contact_rig.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/recording/contact_point.hpp"
#include "fitting/recording/plate_microstep.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/step_edges.hpp"
#include "fitting/statistics/refusal.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kGroups = 1000;  // samples per plate press after averaging
constexpr double kPlayLimit_m = 2e-6;
constexpr double kSurePlay = 2;       // times what is left over: microsteps look like play
constexpr double kSeatedShare = 0.1;  // of the largest force: the frame has seated above

/// Loaded samples of one plate press around its peak, bias removed, averaged in groups. A noise
/// peak in free air is not among them: on a plate that bends by micrometres one sample a tenth of a
/// millimetre away would be taken for seating.
PlatePress loaded_part(const PressData& data) {
  const auto coarse = detect_contact(data.force_N);
  const double bias = coarse ? coarse->mean_N : 0;
  const double threshold = coarse ? coarse->threshold_N - coarse->mean_N : 0;
  PlatePress all;
  const auto loaded = [&](std::size_t i) { return data.force_N[i] - bias > threshold; };
  std::size_t begin = data.peak, end = data.peak;
  while (begin > 0 && loaded(begin - 1)) --begin;
  while (end < data.rows() && loaded(end)) ++end;
  for (std::size_t i = begin; i < end; ++i) {
    all.travel_m.push_back(data.travel_m[i]);
    all.force_N.push_back(data.force_N[i] - bias);
  }
  const std::size_t group = std::max<std::size_t>(1, all.force_N.size() / kGroups);
  PlatePress press;
  for (std::size_t i = 0; i + group <= all.force_N.size(); i += group) {
    double travel = 0, force = 0;
    for (std::size_t k = i; k < i + group; ++k) {
      travel += all.travel_m[k] / static_cast<double>(group);
      force += all.force_N[k] / static_cast<double>(group);
    }
    press.travel_m.push_back(travel);
    press.force_N.push_back(force);
  }
  return press;
}

/// Leaves the deflection of the rig, as if the plate were rigid.
void take_plate_off(PlatePress& press, double plate_N_per_m) {
  for (std::size_t i = 0; i < press.travel_m.size(); ++i)
    press.travel_m[i] -= press.force_N[i] / plate_N_per_m;
}

/// Travel left over, in time order: loading and unloading.
std::vector<double> residuals_of(const PlatePress& press, const RigCompliance& rig, double z0_m) {
  std::vector<double> residuals(press.force_N.size());
  for (std::size_t i = 0; i < residuals.size(); ++i)
    residuals[i] = press.travel_m[i] - z0_m - rig.deflection_m(press.force_N[i]);
  return residuals;
}

/// How much lower the stage says it is while unloading; 0 where that is no more than noise or
/// microsteps. The least of all presses: late positions add to it, the more the faster the press.
double backlash_of(const PlateFit& ways) {
  std::vector<double> gaps;
  for (std::size_t p = 0; p + 1 < ways.z0_m.size(); p += 2)
    gaps.push_back(ways.z0_m[p] - ways.z0_m[p + 1]);
  const double gap = *std::min_element(gaps.begin(), gaps.end());
  return gap > std::max(kPlayLimit_m, kSurePlay * ways.rms_m) ? gap : 0;
}

/// Both branches without the stage's microstep error.
Result<void> take_microsteps_off(const FitContext& context, std::size_t session,
                                 std::vector<PlatePress>& presses) {
  const auto step_m = stage_step_m(context, session);
  if (!step_m) return fail(step_m.error());
  std::vector<PlatePress> loadings;
  for (const auto& press : presses) loadings.push_back(loading_branch(press));
  const auto microstep = find_plate_microstep(loadings, *step_m);
  if (!(microstep.period_m > 0)) return {};
  auto corrected = presses;
  for (auto& press : corrected) take_off(microstep, 0, press);
  const auto ways = plate_ways(corrected);
  double backlash_m = 0;
  if (!ways.empty())
    if (const auto fit = fit_plate(ways)) backlash_m = backlash_of(*fit);
  for (auto& press : presses) take_off(microstep, backlash_m, press);
  return {};
}

/// One curve through both ways would take the stage's play for bending and for doubt.
void take_play_out(std::vector<PlatePress>& presses, const std::string& where, SessionRig& rig) {
  auto ways = plate_ways(presses);
  if (ways.empty()) return;
  const auto fit = fit_plate(ways);
  rig.compliance.backlash_m = fit ? backlash_of(*fit) : 0;
  if (!(rig.compliance.backlash_m > 0)) return;
  presses = std::move(ways);
  rig.warnings.push_back({"RC-03",
                          fmt::format("Plate press shows a backlash of {:.1f} um. Depths while "
                                      "unloading are corrected for it.",
                                      1e6 * rig.compliance.backlash_m),
                          where});
}

void take_plate(const PlateFit& fit, std::span<const PlatePress> presses,
                const SessionMetadata& metadata, const std::string& where, SessionRig& rig) {
  const double backlash_m = rig.compliance.backlash_m;
  rig.compliance = fit.compliance;
  rig.compliance.backlash_m = backlash_m;
  rig.samples = fit.samples;
  double rho = 0;
  for (std::size_t p = 0; p < presses.size(); ++p) {
    const auto residuals = residuals_of(presses[p], fit.compliance, fit.z0_m[p]);
    rho = std::max(rho, lag1(residuals));
  }
  const double dof = std::max(1.0, effective_count(static_cast<std::size_t>(fit.samples), rho) - 4);
  rig.compliance.c1_m_per_N = std::max(0.0, fit.compliance.c1_m_per_N);  // less is noise
  rig.compliance.u_c1_m_per_N *= serial_inflation(rho);
  std::vector<Component> systematic;
  if (metadata.force_sensor && metadata.force_sensor->gain_u_percent)
    systematic.push_back(
        {"force sensor", fit.compliance.c1_m_per_N * *metadata.force_sensor->gain_u_percent / 100});
  Candidate c1, seating;
  c1.name = "rig compliance";
  c1.unit = "m/N";
  c1.estimate = {fit.compliance.c1_m_per_N, rig.compliance.u_c1_m_per_N, dof};
  seating.name = "seating";
  seating.unit = "m";
  seating.estimate = {fit.compliance.c2_m, fit.u_c2_m * serial_inflation(rho), dof};
  const auto judged = judge(std::array{c1, seating}, {}, where);
  rig.plate_travel_m = Estimate{fit.z0_m.front(), fit.u_z0_m * serial_inflation(rho), dof};
  rig.c1 = reported(c1, judged.verdicts[0], "contact", systematic);
  rig.seating = fit.seating
                    ? reported(seating, judged.verdicts[1], "contact")
                    : unidentifiable("m",
                                     "ID-06 seating ended at its limit 0 m: the plate presses "
                                     "lie on a straight line",
                                     "contact");
}

/// Seating that the plate presses don't determine must not bend depths: a huge one with a small F0
/// fits as well as none, and moves every contact point. The line above its range is used instead.
void leave_seating_out(std::span<const PlatePress> presses, const SessionMetadata& metadata,
                       const std::string& where, SessionRig& rig) {
  double largest = 0;
  for (const auto& press : presses)
    for (const double force : press.force_N) largest = std::max(largest, force);
  const auto line = fit_plate_line(presses, kSeatedShare * largest);
  if (!line) return;
  const auto seating = rig.seating;
  take_plate(*line, presses, metadata, where, rig);
  rig.seating = seating;
}

/// It has the play already; what the stage reports hasn't.
bool has_encoder(const Session& file) {
  const auto* stage = file.stream(StreamKind::kStage);
  return stage != nullptr && stage->info.find("z_enc") >= 0;
}

}  // namespace

Result<std::vector<PlatePress>> rigid_presses(const FitContext& context, std::size_t session,
                                              std::string_view name) {
  const Session& file = *context.sessions[session].session;
  const auto where = file.file().filename().string();
  const auto stretches = intervals(file.events(), name);
  if (!stretches) return fail(stretches.error(), where);
  std::vector<PlatePress> presses;
  for (const auto& stretch : *stretches) {
    const auto data = load_interval(context, session, {stretch.begin_s, stretch.end_s});
    if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error(), where);
    if (!data || !data->has_force() || !data->has_travel()) continue;
    presses.push_back(loaded_part(*data));
  }
  return presses;
}

Result<SessionRig> find_rig(const FitContext& context, std::size_t session) {
  const Session& file = *context.sessions[session].session;
  const auto& metadata = file.metadata();
  const auto where = file.file().filename().string();
  SessionRig rig;
  rig.seating = unidentifiable("m",
                               "NOT-FITTED no plate press in the sessions: press the bare tip "
                               "on a rigid plate (protocol P1)",
                               "contact");
  auto found = rigid_presses(context, session, "plate");
  if (!found) return fail(found.error());
  auto& presses = *found;
  if (!presses.empty())
    if (const auto done = take_microsteps_off(context, session, presses); !done)
      return fail(done.error());
  if (metadata.plate_stiffness_N_per_m)
    for (auto& press : presses) take_plate_off(press, *metadata.plate_stiffness_N_per_m);
  if (!presses.empty()) {
    take_play_out(presses, where, rig);
    const auto fit = fit_plate(presses);
    if (fit) {
      take_plate(*fit, presses, metadata, where, rig);
      if (fit->seating && !rig.seating.identified())
        leave_seating_out(presses, metadata, where, rig);
      return rig;
    }
    rig.warnings.push_back({"RC-03", "Plate presses not used: " + fit.error().message, where});
  }
  if (metadata.compliance_m_per_N) {
    rig.compliance.c1_m_per_N = *metadata.compliance_m_per_N;
    if (!has_encoder(file)) rig.compliance.backlash_m = metadata.backlash_m;
    rig.c1 = assumed(*metadata.compliance_m_per_N, "m/N", "session.json rig.compliance_um_per_N");
    return rig;
  }
  const std::string reason =
      "NOT-FITTED no plate press in the sessions and no rig.compliance_um_per_N in session.json: "
      "the rig counts as rigid. Press the bare tip on a rigid plate (protocol P1)";
  rig.c1 = unidentifiable("m/N", reason, "contact");
  rig.compliance.unknown = metadata.rig_described;
  if (file.stream(StreamKind::kStage) && !(metadata.imported && metadata.imported->static_readings))
    rig.warnings.push_back({"RIGID-RIG",
                            "No plate press and no stated compliance: depths hold whatever the rig "
                            "bends.",
                            where});
  return rig;
}

}  // namespace tactelier
