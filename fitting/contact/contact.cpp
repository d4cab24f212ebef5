#include "fitting/contact/contact.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/contact/contact_rig.hpp"
#include "fitting/contact/contact_session.hpp"
#include "fitting/recording/load_in_order.hpp"
#include "fitting/recording/press_indenter.hpp"
#include "fitting/statistics/identified.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kDriftShare = 0.1;  // RC-04: of the largest depth

std::string figure_of(std::string estimator) {
  std::replace(estimator.begin(), estimator.end(), ' ', '_');
  return "contact_by_" + estimator;
}

struct Place {
  std::size_t session = 0;
  std::size_t press = 0;
};

std::vector<Place> all_presses(const FitContext& context) {
  std::vector<Place> places;
  for (std::size_t s = 0; s < context.sessions.size(); ++s)
    for (std::size_t p = 0; p < context.sessions[s].presses.size(); ++p) places.push_back({s, p});
  return places;
}

std::string where_of(const FitContext& context, const Place& place) {
  const auto& session = context.sessions[place.session];
  return fmt::format("{} press {}", session.session->file().filename().string(),
                     session.presses[place.press].number);
}

ContactFinding not_used(const std::string& why) {
  ContactFinding finding;
  finding.verdict = "unusable";
  finding.why = why;
  finding.contact.reason = why;
  finding.point = unidentifiable("m", why, "contact");
  return finding;
}

/// What is known before any sample is read; empty when the press is to be analysed.
std::optional<ContactFinding> settled_before(const Press& press) {
  if (press.excluded) return not_used("EXCLUDED by an edit");
  if (press.outcome == "preloaded")
    return not_used("OUTCOME pressed beside a weight, which tells ghosting alone");
  if (press.outcome == "conditioning")
    return not_used("OUTCOME pressed to condition the rubber, before anything counts");
  if (press.outcome != "ok") return not_used("OUTCOME the press was " + press.outcome);
  return std::nullopt;
}

PressRow row_of(const FitContext& context, const Place& place, const ContactFinding& finding) {
  const auto& session = context.sessions[place.session];
  const auto& press = session.presses[place.press];
  PressRow row;
  row.session = session.session->file().filename().string();
  row.number = press.number;
  row.tactel = press.tactel;
  row.x_m = press.x_m;
  row.y_m = press.y_m;
  row.kind = to_string(press.kind);
  row.contact_point = finding.point;
  row.peak_force_N = finding.peak_force_N;
  row.peak_depth_m = finding.peak_depth_m;
  row.verdict = finding.verdict;
  row.used = finding.usable();
  row.why = finding.why;
  return row;
}

void widen(Validity::Range& range, double low, double high) {
  if (!range) range = std::array{low, high};
  (*range)[0] = std::min((*range)[0], low);
  (*range)[1] = std::max((*range)[1], high);
}

void note_ranges(const ContactFinding& finding, Validity& validity) {
  if (!finding.usable()) return;
  if (finding.peak_force_N) widen(validity.force_N, 0, *finding.peak_force_N);
  if (finding.peak_depth_m) widen(validity.depth_m, 0, *finding.peak_depth_m);
  if (finding.speed_m_per_s)
    widen(validity.speed_m_per_s, *finding.speed_m_per_s, *finding.speed_m_per_s);
}

/// RC-04: contact points of repeats at one place that wander.
void check_drift(FitContext& context, std::span<const Place> places, StageQuality& quality) {
  struct Seen {
    double low, high, depth, last_s;
  };
  std::map<std::pair<std::size_t, int>, Seen> seen;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& contact = context.contacts[i];
    const auto& press = context.sessions[places[i].session].presses[places[i].press];
    const auto& row = context.model.presses[i];
    if (!contact.ok || !press.tactel || !row.peak_depth_m || contact.u_z0_m == 0) continue;
    const Seen here{contact.z0_m, contact.z0_m, *row.peak_depth_m, press.begin_s};
    auto& entry = seen.try_emplace({places[i].session, *press.tactel}, here).first->second;
    entry.low = std::min(entry.low, contact.z0_m);
    entry.high = std::max(entry.high, contact.z0_m);
    entry.depth = std::max(entry.depth, *row.peak_depth_m);
    entry.last_s = std::max(entry.last_s, press.begin_s);
  }
  for (const auto& [key, entry] : seen)
    if (entry.high - entry.low > kDriftShare * entry.depth)
      quality.warnings.push_back(
          {"RC-04",
           fmt::format("Contact point moved {:.0f} um during these recordings; depths before "
                       "{:.1f} s are not comparable.",
                       1e6 * (entry.high - entry.low), entry.last_s),
           fmt::format("{} tactel {}",
                       context.sessions[key.first].session->file().filename().string(),
                       key.second)});
}

/// Better known than what stands there: found by presses, then stated.
bool better(const Parameter& found, const Parameter& known) {
  return (found.identified() && !known.identified()) || (found.usable() && !known.usable());
}

Result<void> find_rigs(FitContext& context, StageQuality& quality) {
  context.compliance.clear();
  std::size_t named = 0;  // the file has room for one rig
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto rig = find_rig(context, s);
    if (!rig) return fail(rig.error());
    context.compliance.push_back(rig->compliance);
    quality.warnings.insert(quality.warnings.end(), rig->warnings.begin(), rig->warnings.end());
    if (rig->samples > 0) quality.figures["plate_samples"] += rig->samples;
    if (rig->compliance.backlash_m > 0)
      quality.figures["backlash_um"] = 1e6 * rig->compliance.backlash_m;
    if (s > 0 && !better(rig->c1, context.model.rig.compliance)) continue;
    named = s;
    context.model.rig.compliance = rig->c1;
    context.model.rig.seating = rig->seating;
  }
  const auto file_of = [&](std::size_t s) {
    return context.sessions[s].session->file().filename().string();
  };
  for (std::size_t s = 0; s < context.compliance.size(); ++s)
    if (context.compliance[s].c1_m_per_N != context.compliance[named].c1_m_per_N)
      quality.warnings.push_back(
          {"RIG-DIFFERS",
           fmt::format("The rig's compliance differs from that of {}; each session is corrected "
                       "with its own, the model names that one.",
                       file_of(named)),
           file_of(s)});
  return {};
}

/// Mean of the intervals between frames, those across lost frames left out. Not the median: stamps
/// are rounded, and every interval may be off by the same part of a microsecond.
double frame_interval(std::span<const double> time_s) {
  constexpr double kLost = 1.5;
  const double usual_s = median_interval(time_s);
  double sum_s = 0, count = 0;
  for (std::size_t i = 1; i < time_s.size(); ++i) {
    const double interval_s = time_s[i] - time_s[i - 1];
    if (interval_s > kLost * usual_s) continue;
    sum_s += interval_s;
    ++count;
  }
  return count > 0 ? sum_s / count : 0;
}

/// Frames per second of the host's clock, with the scatter from press to press.
Result<void> find_rate(FitContext& context, std::span<const Place> places) {
  constexpr std::size_t kEnough = 20;
  std::vector<double> rates;
  auto& rate = context.model.timing.rate_hz;
  rate =
      unidentifiable("Hz", "NOT-FITTED there is no tactile stream with a time course", "contact");
  for (const auto& place : places) {
    const auto& session = context.sessions[place.session];
    const auto& imported = session.session->metadata().imported;
    if (!session.session->stream(StreamKind::kTactile) || (imported && imported->static_readings))
      continue;
    const auto& press = session.presses[place.press];
    ClockMap clock;
    if (place.session < context.clocks.size())
      clock = context.clocks[place.session].of(StreamKind::kTactile).map;
    auto samples = session.session->read(
        StreamKind::kTactile, {},
        {clock.to_device_s(press.begin_s), clock.to_device_s(press.end_s)}, context.job);
    if (!samples) return fail(samples.error());
    clock.to_host(samples->time_s);
    const double interval_s = frame_interval(samples->time_s);
    if (interval_s > 0) rates.push_back(1 / interval_s);
    if (rates.size() == kEnough) break;
  }
  if (rates.empty()) return {};
  Estimate estimate{median(rates), 0, 0};
  if (const auto spread = press_spread(rates); spread.dof >= 1)
    estimate = {median(rates), spread.std, spread.dof};
  rate = identified(estimate, "Hz", "contact");
  return {};
}

void take(FitContext& context, const Place& place, ContactFinding finding, StageQuality& quality) {
  finding.contact.session = place.session;
  finding.contact.press = place.press;
  context.model.presses.push_back(row_of(context, place, finding));
  note_ranges(finding, context.model.validity);
  quality.warnings.insert(quality.warnings.end(), finding.warnings.begin(), finding.warnings.end());
  context.contacts.push_back(std::move(finding.contact));
}

/// Loads and analyses one press, on any thread; fails only for damage and cancellation.
Result<ContactFinding> analyse(const FitContext& context, const Place& place) {
  if (context.job.stopped()) return Job::cancelled();
  if (auto settled = settled_before(context.sessions[place.session].presses[place.press]))
    return std::move(*settled);
  const auto data = load_press(context, place.session, place.press, {}, PressBase::kForce);
  if (data) return analyse_contact(*data, contact_settings(context, place.session, place.press));
  if (data.error().code == ErrorCode::kUnidentifiable) return not_used(data.error().message);
  return fail(data.error(), where_of(context, place));
}

}  // namespace

Result<void> run_contact(FitContext& context) {
  StageQuality quality;
  quality.residual_unit = "N";
  quality.interval_method = "profile of each press, widened for serial correlation";
  if (const auto rigs = find_rigs(context, quality); !rigs) return fail(rigs.error());
  const auto places = all_presses(context);
  if (const auto rate = find_rate(context, places); !rate) return fail(rate.error());
  context.contacts.clear();
  context.model.presses.clear();
  double squares = 0, usable = 0, unusable = 0;
  std::vector<ContactFinding> findings;
  const auto found = [&](std::size_t i, Result<ContactFinding> finding) -> Result<void> {
    context.job.progress("contact", static_cast<double>(i), static_cast<double>(places.size()));
    if (!finding) return fail(finding.error());
    findings.push_back(std::move(*finding));
    return {};
  };
  const auto done = load_in_order(
      thread_count(context.options.threads), places.size(),
      [&](std::size_t i) { return analyse(context, places[i]); }, found);
  if (!done) return fail(done.error());
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto& finding = findings[i];
    quality.samples_used += static_cast<int>(finding.rows_used);
    squares += finding.sum_squares_N2;
    (finding.usable() ? usable : unusable) += 1;
    if (!finding.estimator.empty()) quality.figures[figure_of(finding.estimator)] += 1;
    take(context, places[i], std::move(finding), quality);
  }
  if (quality.samples_used > 0) quality.residual_rms = std::sqrt(squares / quality.samples_used);
  quality.figures["presses_usable"] = usable;
  quality.figures["presses_unusable"] = unusable;
  check_drift(context, places, quality);
  for (std::size_t s = 0; s < context.sessions.size(); ++s)
    if (const auto seen = report_surface(context, s, quality); !seen) return fail(seen.error());
  context.model.quality["contact"] = std::move(quality);
  return {};
}

const PressContact* find_contact(const FitContext& context, std::size_t session,
                                 std::size_t press) {
  for (const auto& contact : context.contacts)
    if (contact.session == session && contact.press == press) return &contact;
  return nullptr;
}

ContactSettings contact_settings(const FitContext& context, std::size_t session,
                                 std::size_t press_index) {
  const auto& from = context.sessions[session];
  const auto& metadata = from.session->metadata();
  const auto& press = from.presses[press_index];
  ContactSettings settings;
  settings.compliance = context.compliance[session];
  settings.thickness_m = context.model.sensor.thickness_m;
  settings.indenter = indenter_of(from, press);
  settings.depth_from_contact = metadata.imported && metadata.imported->depth_from_contact;
  settings.contact_s = press.contact_s;
  settings.where = where_of(context, {session, press_index});
  return settings;
}

std::vector<double> depth_m(const FitContext& context, const PressContact& contact,
                            const PressData& data) {
  const RigCompliance rig = contact.session < context.compliance.size()
                                ? context.compliance[contact.session]
                                : RigCompliance{};
  std::vector<double> force_N(data.rows(), 0.0);
  for (std::size_t i = 0; data.has_force() && i < force_N.size(); ++i)
    force_N[i] = data.force_N[i] - contact.force_bias_N;
  auto depth = tip_travel_m(rig, data.travel_m, force_N);
  for (double& d : depth) d -= contact.z0_m;
  return depth;
}

std::string unknown_rig(const FitContext& context, std::size_t session) {
  if (session >= context.compliance.size() || !context.compliance[session].unknown) return {};
  return "RC-06 No plate press and no stated compliance: the compliance of the rig can't be told "
         "from the "
         "pad. Press the bare tip on a rigid plate (protocol quick or standard), or state "
         "rig.compliance_um_per_N.";
}

}  // namespace tactelier
